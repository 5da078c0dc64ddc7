import { type Chain, finalityDepth, scopeOf } from "../../chains/chain.ts";
import { hexText, integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { completeFrom } from "../../schema/scope.ts";
import type { Rows, TableName } from "../../schema/tables.ts";
import { type ChangesSince, changesSince, newestCommit } from "../../storage/commits/commit-log.ts";
import type { Commit } from "../../storage/store.ts";
import { NO_STATES, type Position } from "../../streams/frame.ts";
import { readBlockRows } from "../served/block-rows.ts";
import type { FillSource } from "../served/fill-misses.ts";
import { requireUnchanged, type Snapshot, snapshotAt } from "../snapshot/snapshot.ts";

/**
 * The next step for a subscriber that may be behind the newest commit, or on another fork. The subscriber may
 * lack states of blocks from the time `statesFrom` on, unix seconds; 0: any state.
 */
export type NextStep =
  /** The subscriber is at the newest commit. */
  | { kind: "current"; statesFrom: number }
  /** Rows of the blocks above the subscriber's position, or of the first of these blocks. */
  | { kind: "blocks"; statesFrom: number; rows: Rows }
  /** Blocks above `to` are no longer on the chain, or never were. */
  | { kind: "rollback"; statesFrom: number; to: BlockPlace }
  /**
   * Another process has already committed the position's block, and this process will know it in a moment.
   */
  | { kind: "wait" }
  /** The stream cannot be continued from the subscriber's position. */
  | { kind: "reset"; reason: string };

export interface BlockPlace {
  number: number;
  hash: Hex;
  timestamp: number;
}

export interface ResumeQuery {
  /** The newest commit of this process. */
  commit: Commit;
  position: Position;
  tables: readonly TableName[];
  /** A condition that every requested row meets. */
  where(table: TableName): Sql | null;
}

/**
 * Maximum number of blocks in one read, and of rows per table. Decoding more would delay other requests for
 * too long.
 */
const PAGE_BLOCKS = 100;
const PAGE_ROWS = 5_000;

/**
 * Returns the next step for a subscriber at a position.
 *
 * @throws ReorganizedDuringRead, and whatever the reads throw
 */
export async function nextStep(source: FillSource, query: ResumeQuery): Promise<NextStep> {
  const { reader, readable, limits } = source;
  const { commit, position } = query;
  const snapshot = snapshotAt(reader, readable, commit, limits);
  const pruned = prunedAfter(readable.chain, query, position.block);
  if (pruned !== null) return { kind: "reset", reason: `rows of blocks before ${pruned} were pruned` };
  const changes = await changesSince(snapshot.log, readable.chain.name, position);
  if (changes.isRepaired) return { kind: "reset", reason: "blocks have been repaired since this frame" };
  const step = (await onChain(snapshot, query, changes)) ?? (await offChain(source, snapshot, query));
  await requireUnchanged(snapshot);
  return step;
}

/**
 * Returns the first block after the pruned blocks if a subscriber at a block still needs rows of pruned
 * blocks, otherwise null.
 */
function prunedAfter(chain: Chain, { tables }: ResumeQuery, block: number): number | null {
  const scope = scopeOf(chain);
  const from = Math.max(...tables.map((table) => completeFrom(scope, table) ?? 0), 0);
  return block + 1 < from ? from : null;
}

/** Returns the next step if the position is on the chain as of the commit, otherwise null. */
async function onChain(
  snapshot: Snapshot,
  query: ResumeQuery,
  changes: ChangesSince,
): Promise<NextStep | null> {
  const { commit, position } = query;
  if (position.block > commit.blockNumber) return null;
  const place = await placeAt(snapshot, position.block);
  if (place?.hash !== position.hash) return null;
  const statesFrom = await timeOfStates(snapshot, position, place, changes);
  if (position.block === commit.blockNumber) return { kind: "current", statesFrom };
  return { kind: "blocks", statesFrom, rows: await nextBlocks(snapshot, query) };
}

/**
 * Returns the time of the newest block whose states the subscriber has and that no later commit removed. It is
 * 0 for a position without states, and if no commit has the position's number: the states may come from another
 * database.
 */
async function timeOfStates(
  snapshot: Snapshot,
  { commit }: Position,
  place: BlockPlace,
  { newestBlock, rolledBackTo }: ChangesSince,
): Promise<number> {
  if (commit === NO_STATES || newestBlock === null) return 0;
  const block = Math.min(place.number, newestBlock, rolledBackTo ?? place.number);
  return block === place.number ? place.timestamp : ((await placeAt(snapshot, block))?.timestamp ?? 0);
}

async function nextBlocks(snapshot: Snapshot, { position, tables, where }: ResumeQuery): Promise<Rows> {
  const { block: above } = position;
  for (let blocks = PAGE_BLOCKS; ; blocks = Math.ceil(blocks / 4)) {
    const upTo = Math.min(above + blocks, snapshot.commit.blockNumber);
    // A single block is delivered whole, however many rows it has.
    const maxRows = blocks === 1 ? Number.MAX_SAFE_INTEGER - 1 : PAGE_ROWS;
    const rows = await readBlockRows(snapshot, tables, { above, upTo, maxRows, where });
    if (rows !== null) return rows;
  }
}

async function offChain(source: FillSource, snapshot: Snapshot, query: ResumeQuery): Promise<NextStep> {
  const { reader, readable } = source;
  const { commit, position } = query;
  const newest = await newestCommit(snapshot.log, readable.chain.name);
  if (newest !== null && newest.sequence > commit.sequence) {
    const ahead = snapshotAt(reader, readable, newest, source.limits);
    const place = position.block <= newest.blockNumber ? await placeAt(ahead, position.block) : null;
    if (place?.hash === position.hash) return { kind: "wait" };
  }
  // The changes are read after the newest commit, because that commit may have removed the position.
  const changes = await changesSince(snapshot.log, readable.chain.name, position);
  const ancestor = await ancestorOf(snapshot, query, changes);
  const fromAncestor = async (to: BlockPlace): Promise<NextStep> => ({
    kind: "rollback",
    to,
    statesFrom: await timeOfStates(snapshot, position, to, changes),
  });
  if (ancestor !== null && changes.isKnown) return fromAncestor(ancestor);
  const final = await finalBelow(snapshot, readable.chain, query);
  // The states of an unknown block may come from another database, so all of them are sent again.
  if (final.place !== null) return { kind: "rollback", to: final.place, statesFrom: 0 };
  if (ancestor !== null && changes.isPossible) return fromAncestor(ancestor);
  const unknown = `block ${position.block} with hash ${position.hash} is not known`;
  const missing = `block ${final.number}, from which the stream could continue, is not stored`;
  return { kind: "reset", reason: `${unknown}, and ${missing}` };
}

/**
 * Returns the newest block that was on the chain together with the position and is still on it, if the
 * position was on this chain: the lowest block to which any later commit rolled the chain back. Null if no
 * commit removed a block of that height. The chain's block at the position's height may be final by now, but
 * that proves nothing: the subscriber may have another block there.
 */
async function ancestorOf(
  snapshot: Snapshot,
  { commit, position }: ResumeQuery,
  { rolledBackTo }: ChangesSince,
): Promise<BlockPlace | null> {
  if (rolledBackTo === null || rolledBackTo >= position.block) return null;
  return placeAt(snapshot, Math.min(rolledBackTo, commit.blockNumber));
}

/**
 * Returns the block that is final on every fork with the position's block or with the newest one. The place is
 * null if its rows are not stored.
 */
async function finalBelow(
  snapshot: Snapshot,
  chain: Chain,
  query: ResumeQuery,
): Promise<{ number: number; place: BlockPlace | null }> {
  const { commit, position } = query;
  const number = Math.max(0, Math.min(position.block, commit.blockNumber) - finalityDepth(chain));
  const place = prunedAfter(chain, query, number) === null ? await placeAt(snapshot, number) : null;
  return { number, place };
}

/** Reads the hash and time of a block; null if the block is not stored. */
async function placeAt(snapshot: Snapshot, number: number): Promise<BlockPlace | null> {
  const [found] = await snapshot.query<{ hash: Hex; timestamp: number }>(
    sql`SELECT ${hexText(sql`block_hash`)} AS hash, toUnixTimestamp(timestamp) AS timestamp
      FROM ${snapshot.table("blocks")} WHERE block_number = ${integer(number)} LIMIT 1`,
  );
  return found === undefined ? null : { number, ...found };
}
