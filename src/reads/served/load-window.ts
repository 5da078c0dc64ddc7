import { setImmediate } from "node:timers/promises";
import { integer, type Sql, sql, time } from "../../engine-sql/sql-text.ts";
import { HOUR_SECONDS } from "../../lib/seconds.ts";
import { TRADE_BYTES } from "../../serving/window/trade-chunk.ts";
import { type TradeWindow, WINDOW_SECONDS } from "../../serving/window/trade-window.ts";
import type { WindowLoad } from "../../serving/window/window-load.ts";
import {
  outdated,
  type QueryLimits,
  type ReadableChain,
  type Reader,
  requireUnchanged,
  retryOnReorg,
  type Snapshot,
  snapshotAt,
} from "../snapshot/snapshot.ts";
import { TRADE_COLUMNS, TradeDecoder } from "./trade-decoder.ts";

/** Maximum time for which the load blocks the process before other work can run. */
const TURN_MS = 8;
/** Number of bytes that are decoded at a time. */
const PART_BYTES = 256 * 1024;

/** Fraction of the memory for trades. The rest is for their tokens and pools. */
const SHARE_OF_TRADES = 0.95;

/**
 * Reads the newest trades of a chain into its serving state, unless they are already there or another load is
 * running. Commits may arrive in the meantime; a rollback restarts the load.
 *
 * @throws ReorganizedDuringRead after several rollbacks, and whatever the statements throw
 */
export function loadWindow(reader: Reader, readable: ReadableChain, limits: QueryLimits): Promise<void> {
  return retryOnReorg(async () => {
    const { serving } = readable;
    const commit = serving?.commit ?? null;
    if (serving === undefined || commit === null || !serving.window.needsLoad) return;
    const load = serving.window.startLoad(commit.timestamp);
    try {
      await read(snapshotAt(reader, readable, commit, limits), serving.window, load);
    } finally {
      serving.window.abandon(load);
    }
  });
}

async function read(snapshot: Snapshot, window: TradeWindow, load: WindowLoad): Promise<void> {
  const start = await startOf(snapshot, (window.maxBytes / TRADE_BYTES) * SHARE_OF_TRADES);
  load.begin(start);
  const turns = new Turns();
  const decoder = new TradeDecoder();
  for await (const piece of snapshot.binary(tradesSince(snapshot, start))) {
    for (let at = 0; at < piece.length; at += PART_BYTES) {
      if (!window.isLoading(load)) throw outdated(snapshot);
      decoder.decode(piece.subarray(at, at + PART_BYTES), (trade) => load.add(trade));
      await turns.next();
    }
  }
  await requireUnchanged(snapshot);
  const joining = load.joined();
  let joined = joining.next();
  for (; joined.done !== true; joined = joining.next()) await turns.next();
  if (!window.isLoading(load)) throw outdated(snapshot);
  window.adopt(joined.value);
}

/** Lets other work run at the end of a turn. */
class Turns {
  #end = performance.now() + TURN_MS;

  async next(): Promise<void> {
    if (performance.now() < this.#end) return;
    await setImmediate();
    this.#end = performance.now() + TURN_MS;
  }
}

/**
 * Returns the time from which trades are loaded, unix seconds: the start of the window or, if it has more
 * than `maxTrades` trades, the first full hour from which there are at most that many.
 */
async function startOf(snapshot: Snapshot, maxTrades: number): Promise<number> {
  const { timestamp } = snapshot.commit;
  const hour = sql`toUnixTimestamp(toStartOfHour(timestamp))`;
  const hours = await snapshot.query<{ start: number; trades: number }>(
    sql`SELECT ${hour} AS start, count() AS trades FROM ${tradesFrom(snapshot, timestamp - WINDOW_SECONDS)}
      GROUP BY start ORDER BY start DESC`,
  );
  let trades = 0;
  let start = timestamp + HOUR_SECONDS;
  for (const one of hours) {
    trades += one.trades;
    if (trades > maxTrades) return start;
    start = one.start;
  }
  return Math.max(0, timestamp - WINDOW_SECONDS);
}

function tradesSince(snapshot: Snapshot, start: number): Sql {
  return sql`SELECT ${TRADE_COLUMNS} FROM ${tradesFrom(snapshot, start)} ORDER BY record_index`;
}

function tradesFrom(snapshot: Snapshot, start: number): Sql {
  return sql`${snapshot.table("dex_trades")} WHERE timestamp >= ${time(Math.max(0, start))}
    AND block_number <= ${integer(snapshot.commit.blockNumber)}`;
}
