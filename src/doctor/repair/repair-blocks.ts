import type { Chain } from "../../chains/chain.ts";
import { hexBytes, integer, sql } from "../../engine-sql/sql-text.ts";
import { BATCH_LIMITS, type BatchLimits, inBatches } from "../../ingest/blocks/batches.ts";
import { BlockPipeline, type Committed } from "../../ingest/blocks/block-pipeline.ts";
import { type StoredBlock, storedBlock } from "../../ingest/reorg/stored-blocks.ts";
import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Source } from "../../sources/source.ts";
import type { BlockName, ChainStore, Commit, Engine } from "../../storage/store.ts";
import { commitsTable, engineTable } from "../../storage/tables/ddl.ts";
import { blocksIn, type Finding, mergeSpans } from "../finding.ts";
import type { BlockSpan } from "../invariant.ts";

export interface RepairOptions {
  engine: Engine;
  chain: Chain;
  store: ChainStore;
  /** Opens the same chain once more, when it was emptied. */
  reopen: () => Promise<ChainStore>;
  /** Where blocks are had anew. */
  source: Pick<Source, "blocks" | "blockRef" | "call" | "pastLogs">;
  signal: AbortSignal;
  onProgress?: (progress: RepairProgress) => void;
  batchLimits?: BatchLimits;
}

export interface RepairProgress {
  /** Damaged blocks mended and to be mended. */
  done: number;
  total: number;
}

/** What is to be done about damage. */
export interface RepairPlan {
  /** To be replaced, ascending. */
  spans: BlockSpan[];
  /** All blocks from here on are to be taken back, for the indexer to fetch again; null: none. */
  rollbackFrom: number | null;
}

/**
 * Beyond so many damaged blocks, and this share of the chain, replacing them one by one (a rebuild of their
 * parts of every table each time) takes longer than indexing anew from the first of them.
 */
const ROLLBACK_BLOCKS = 10_000;
const ROLLBACK_SHARE = 0.2;

/**
 * What mends the findings. Damage that may be another's consequence waits: it is planned for only when there is
 * nothing else. Damage up to the newest block is taken back: the indexer fetches it as it always does.
 */
export function planRepair(findings: readonly Finding[], { firstBlock, blockNumber }: Commit): RepairPlan {
  const direct = findings.filter(({ remedy }) => remedy === "blocks");
  const chosen = direct.length > 0 ? direct : findings.filter(({ remedy }) => remedy === "others");
  const spans = mergeSpans(chosen.flatMap((finding) => finding.spans)).map(({ first, last }) => ({
    first: Math.max(first, firstBlock),
    last: Math.min(last, blockNumber),
  }));
  const damaged = blocksIn(spans);
  const share = damaged / (blockNumber - firstBlock + 1);
  const [first] = spans;
  if (first !== undefined && damaged > ROLLBACK_BLOCKS && share > ROLLBACK_SHARE) {
    return { spans: [], rollbackFrom: first.first };
  }
  const newest = spans.at(-1);
  if (newest?.last !== blockNumber) return { spans, rollbackFrom: null };
  return { spans: spans.slice(0, -1), rollbackFrom: newest.first };
}

/**
 * Takes back what the plan says, then replaces its blocks, the oldest first. Interrupted, it leaves some blocks
 * damaged, which the next examination finds. Gives the store to go on with.
 *
 * @throws OtherBlocks when the source's blocks are not those of the stored chain; nothing of that span is changed
 */
export async function repair(
  { spans, rollbackFrom }: RepairPlan,
  options: RepairOptions,
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

type RollbackOptions = Pick<RepairOptions, "engine" | "chain" | "store" | "reopen">;

/** Makes the block before `from` the newest. Gives the store to go on with. */
export async function rollbackChain(from: number, place: RollbackOptions): Promise<ChainStore> {
  const { engine, chain, store } = place;
  const commit = await store.committed();
  if (commit === null) return store;
  if (from <= commit.firstBlock) return rollbackWholeChain(commit, place);
  const before = await storedBlock(engine, chain.name, from - 1);
  if (before === null) return rollbackChain(from - 1, place);
  await store.rollback(before);
  return store;
}

/** A hash that no block has: the indexer then takes the one that its source has. */
const UNKNOWN_HASH: Hex = `0x${"0".repeat(64)}`;

async function rollbackWholeChain(
  commit: Commit,
  { engine, chain, store, reopen }: RollbackOptions,
): Promise<ChainStore> {
  const { firstBlock, timestamp } = commit;
  if (firstBlock === 0) {
    // There is no block before block 0 to roll back to: without commits, opening the store empties its tables.
    await engine.execute(sql`TRUNCATE TABLE ${commitsTable(chain.name)}`);
    return reopen();
  }
  const [row] = await engine.query<{ hash: Hex }>(sql`SELECT concat('0x', lower(hex(parent_hash))) AS hash
    FROM ${engineTable(chain.name, "blocks")} WHERE block_number = ${integer(firstBlock)} LIMIT 1`);
  await store.rollback({ number: firstBlock - 1, hash: row?.hash ?? UNKNOWN_HASH, timestamp });
  return store;
}

/** Gives the number of blocks of each batch that was replaced. */
async function* replaceSpan(span: BlockSpan, options: RepairOptions): AsyncGenerator<number> {
  const { engine, chain, store, source, signal } = options;
  let before = await blockBefore(span.first, options);
  await requireSameChain(span, before, options);
  const pipeline = new BlockPipeline({ engine, chain, source });
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

/** null before the first indexed block. */
async function blockBefore(
  number: number,
  { engine, chain, store }: RepairOptions,
): Promise<StoredBlock | null> {
  const commit = await store.committed();
  if (commit === null || number <= commit.firstBlock) return null;
  const before = await storedBlock(engine, chain.name, number - 1);
  if (before === null) throw new OtherBlocks(`block ${number - 1} is not stored`);
  return before;
}

/** The stored blocks around a span name the hashes of its ends. */
async function requireSameChain(
  span: BlockSpan,
  before: StoredBlock | null,
  options: RepairOptions,
): Promise<void> {
  const { engine, chain, source } = options;
  const below = before === null ? null : await source.blockRef(before.number);
  if (before !== null && below?.hash !== before.hash) {
    throw new OtherBlocks(
      `block ${before.number} is ${before.hash} in the store and ${below?.hash ?? "unknown"} there`,
    );
  }
  const last = await source.blockRef(span.last);
  if (last === null) throw new OtherBlocks(`it has no block ${span.last}`);
  const linked = await engine.query(sql`SELECT 1 AS linked FROM ${engineTable(chain.name, "blocks")}
    WHERE block_number = ${integer(span.last + 1)} AND parent_hash = ${hexBytes(last.hash)} LIMIT 1`);
  if (linked.length === 0) {
    throw new OtherBlocks(
      `its block ${span.last}, ${last.hash}, is not the parent of the stored block ${span.last + 1}`,
    );
  }
}

class OtherBlocks extends BaseError {
  constructor(what: string) {
    super(
      "verification",
      `The endpoint's blocks do not fit between the stored ones: ${what}. They were not replaced. Ask another ` +
        "endpoint with --rpc; if all agree, take the chain back with `quarry rewind` to the last block they share.",
    );
  }
}
