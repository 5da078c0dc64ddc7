import type { TokenList } from "../../chains/token-list.ts";
import { hexBytes, integer, sql } from "../../engine-sql/sql-text.ts";
import { BATCH_LIMITS, type BatchLimits, inBatches } from "../../ingest/blocks/batches.ts";
import { BlockPipeline, type Committed } from "../../ingest/blocks/block-pipeline.ts";
import { type StoredBlock, storedBlock } from "../../ingest/reorg/stored-blocks.ts";
import { BaseError } from "../../lib/error.ts";
import type { Source } from "../../sources/source.ts";
import type { BlockName, ChainStore } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import { blocksIn } from "../finding.ts";
import type { BlockSpan } from "../invariant.ts";
import type { RepairPlan } from "./repair-plan.ts";
import { type RollbackChainOptions, rollbackChain } from "./rollback-chain.ts";

export interface RepairBlocksOptions extends RollbackChainOptions {
  /** Source from which damaged blocks are fetched again. */
  source: Pick<Source, "blocks" | "blockRef" | "call" | "pastLogs">;
  signal: AbortSignal;
  onProgress?: (progress: RepairProgress) => void;
  batchLimits?: BatchLimits;
  /**
   * Metadata of tokens whose contracts do not reveal it. It must be the same as when the chain was indexed;
   * default: none.
   */
  tokenList?: TokenList;
}

export interface RepairProgress {
  /** Number of blocks replaced so far, and of all blocks to replace. */
  done: number;
  total: number;
}

/**
 * Rolls back and then replaces blocks according to the plan, oldest first. An interruption leaves some blocks
 * damaged. The next check finds them.
 *
 * @returns the store to use from now on
 * @throws BlocksDoNotFit if the source's blocks are not those of the stored chain; that span is left
 * unchanged
 */
export async function repairBlocks(
  { spans, rollbackFrom }: RepairPlan,
  options: RepairBlocksOptions,
): Promise<ChainStore> {
  const store = rollbackFrom === null ? options.store : await rollbackChain(rollbackFrom, options);
  const total = blocksIn(spans);
  let done = 0;
  for (const span of spans) {
    for await (const count of replaceSpan(span, options)) {
      done += count;
      options.onProgress?.({ done, total });
    }
  }
  return store;
}

/** Replaces a span. Yields the number of blocks in each replaced batch. */
async function* replaceSpan(span: BlockSpan, options: RepairBlocksOptions): AsyncGenerator<number> {
  const { engine, chain, store, source, signal, tokenList } = options;
  let before = await blockBefore(span.first, options);
  await requireSameChain(span, before, options);
  const pipeline = new BlockPipeline({ engine, chain, source, tokenList });
  const fetched = source.blocks({ from: span.first, to: span.last }, signal);
  for await (const blocks of inBatches(fetched, options.batchLimits ?? BATCH_LIMITS)) {
    const committed = before === null ? null : await committedUpTo(before, store);
    const { firstBlock: first, lastBlock, rows } = await pipeline.prepare(blocks, committed);
    await store.replace({ first, last: lastBlock.number }, rows);
    before = lastBlock;
    if (pipeline.isFull()) pipeline.evict();
    yield blocks.length;
  }
}

async function committedUpTo({ number, timestamp }: BlockName, store: ChainStore): Promise<Committed> {
  const commit = await store.committed();
  return { firstBlock: commit?.firstBlock ?? number, blockNumber: number, timestamp };
}

/** Returns the stored block before a number; null before the first indexed block. */
async function blockBefore(
  number: number,
  { engine, chain, store }: RepairBlocksOptions,
): Promise<StoredBlock | null> {
  const commit = await store.committed();
  if (commit === null || number <= commit.firstBlock) return null;
  const before = await storedBlock(engine, chain.name, number - 1);
  if (before === null) throw new BlocksDoNotFit(`block ${number - 1} is not stored`);
  return before;
}

/**
 * Checks that the source's blocks fit the stored ones. The stored blocks next to a span determine the parent
 * hash of its first block and the hash of its last.
 */
async function requireSameChain(
  span: BlockSpan,
  before: StoredBlock | null,
  options: RepairBlocksOptions,
): Promise<void> {
  const { engine, chain, source } = options;
  const below = before === null ? null : await source.blockRef(before.number);
  if (before !== null && below?.hash !== before.hash) {
    const reported = below?.hash ?? "unknown";
    throw new BlocksDoNotFit(
      `block ${before.number} is ${before.hash} in the store and ${reported} at the endpoint`,
    );
  }
  const last = await source.blockRef(span.last);
  if (last === null) throw new BlocksDoNotFit(`the endpoint has no block ${span.last}`);
  const linked = await engine.query(sql`SELECT 1 AS linked FROM ${engineTable(chain.name, "blocks")}
    WHERE block_number = ${integer(span.last + 1)} AND parent_hash = ${hexBytes(last.hash)} LIMIT 1`);
  if (linked.length === 0) {
    throw new BlocksDoNotFit(
      `the endpoint's block ${span.last}, ${last.hash}, is not the parent of the stored block ${span.last + 1}`,
    );
  }
}

class BlocksDoNotFit extends BaseError {
  constructor(reason: string) {
    super(
      "verification",
      `The endpoint's blocks do not fit between the stored ones: ${reason}. They were not replaced. Try another ` +
        "endpoint with --rpc; if all agree, roll the chain back with `quarry rewind` to the last block that both have.",
    );
  }
}
