import type { TokenList } from "../../chains/token-list.ts";
import { hexText, integer, sql } from "../../engine-sql/sql-text.ts";
import { BATCH_LIMITS, type BatchLimits, inBatches } from "../../ingest/blocks/batches.ts";
import { BlockPipeline, type Committed } from "../../ingest/blocks/block-pipeline.ts";
import { type StoredBlock, storedBlock } from "../../ingest/reorg/stored-block.ts";
import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block } from "../../schema/block.ts";
import type { Source } from "../../sources/source.ts";
import { verifyLink } from "../../sources/verify/verify-block.ts";
import type { BlockName, ChainStore } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import { blocksIn } from "../finding.ts";
import type { BlockSpan } from "../invariant.ts";
import type { RepairPlan } from "./repair-plan.ts";
import { type RollbackChainOptions, rollbackChain } from "./rollback-chain.ts";

export interface RepairBlocksOptions extends RollbackChainOptions {
  /** Source from which damaged blocks are fetched again. */
  source: Pick<Source, "blocks" | "blockRef" | "hasBlock" | "call" | "pastLogs">;
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
  /** Number of blocks replaced so far, and the total number to replace. */
  done: number;
  total: number;
}

/**
 * Rolls back and then replaces blocks according to the plan, oldest first. An interruption leaves some blocks
 * damaged. The next check finds them.
 *
 * @returns the store to use from now on
 * @throws BlocksDoNotFit if the source's blocks do not belong to the stored chain; the batch in which this is
 * noticed, and all later ones, are left unchanged
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
  const lastHash = await requireSameChain(span, before, options);
  const pipeline = new BlockPipeline({ engine, chain, source, tokenList });
  const fetched = source.blocks({ from: span.first, to: span.last }, signal);
  for await (const blocks of inBatches(fetched, options.batchLimits ?? BATCH_LIMITS)) {
    requireFitting(blocks, before, { span, lastHash });
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
 * Checks that the source has the stored blocks next to a span. They determine the parent hash of the span's
 * first block and the hash of its last block.
 *
 * @returns the hash of the span's last block
 */
async function requireSameChain(
  span: BlockSpan,
  before: StoredBlock | null,
  options: RepairBlocksOptions,
): Promise<Hex> {
  const { engine, chain, source } = options;
  const below = before === null ? null : await source.blockRef(before.number);
  if (before !== null && below?.hash !== before.hash && !(await source.hasBlock(before))) {
    const reported = below?.hash ?? "unknown";
    throw new BlocksDoNotFit(
      `block ${before.number} is ${before.hash} in the store and ${reported} at the endpoint`,
    );
  }
  const last = await source.blockRef(span.last);
  if (last === null) throw new BlocksDoNotFit(`the endpoint has no block ${span.last}`);
  const [next] = await engine.query<{ parent: Hex }>(sql`SELECT ${hexText(sql`parent_hash`)} AS parent
    FROM ${engineTable(chain.name, "blocks")} WHERE block_number = ${integer(span.last + 1)} LIMIT 1`);
  const hash = next?.parent;
  if (hash !== undefined && (hash === last.hash || (await source.hasBlock({ number: span.last, hash }))))
    return hash;
  throw new BlocksDoNotFit(
    `the endpoint's block ${span.last}, ${last.hash}, is not the parent of the stored block ${span.last + 1}`,
  );
}

/**
 * Checks that fetched blocks follow the previous block, and end the span with the right hash. They may come
 * from a different endpoint than the one that `requireSameChain` queried.
 */
function requireFitting(
  blocks: readonly [Block, ...Block[]],
  before: BlockName | null,
  { span, lastHash }: { span: BlockSpan; lastHash: Hex },
): void {
  const [first] = blocks;
  const replaced = { first: span.first, last: first.number - 1 };
  const problem = before === null ? null : verifyLink(before, first);
  if (problem !== null) throw new BlocksDoNotFit(`block ${first.number}: ${problem.message}`, replaced);
  const last = blocks.find(({ number }) => number === span.last);
  if (last === undefined || last.hash === lastHash) return;
  throw new BlocksDoNotFit(
    `block ${last.number}, ${last.hash}, is not the parent of the stored block ${span.last + 1}`,
    replaced,
  );
}

class BlocksDoNotFit extends BaseError {
  /** @param replaced the earlier blocks of the span, which were replaced; none if `last` is below `first` */
  constructor(reason: string, { first, last }: BlockSpan = { first: 1, last: 0 }) {
    const done = last < first ? "Nothing was replaced." : `Only blocks ${first} to ${last} were replaced.`;
    super(
      "verification",
      `The endpoint's blocks do not fit between the stored ones: ${reason}. ${done} Try another ` +
        "endpoint with --rpc; if all agree, roll the chain back with `quarry rewind` to the last block that the store " +
        "shares with them.",
    );
  }
}
