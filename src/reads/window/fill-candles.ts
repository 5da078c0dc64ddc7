import {
  type CandleChunk,
  CHUNK_INTERVALS,
  chunkKey,
  type FirstTrade,
  firstTradeOf,
  type Series,
  seriesOf,
} from "../../serving/candles/candle-chunk.ts";
import { MemoryRead } from "../../serving/memory-read.ts";
import type { ServingState } from "../../serving/serving-state.ts";
import { readCloseBefore, readFirstPriced, readFirstTrade, readIntervals } from "../prices/ohlc.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { closeByExtremes, closeIn } from "./candle-chunks.ts";

/** Reads chunks of candles by key. Adjacent chunks of a series are read together. */
export async function readChunks(
  snapshot: Snapshot,
  keys: readonly string[],
  serving: ServingState,
): Promise<Map<string, CandleChunk>> {
  const memory = new MemoryRead(serving, snapshot.commit);
  const runs = await Promise.all(runsOf(keys).map((run) => readRun(snapshot, memory, run)));
  return new Map(runs.flat());
}

/** Reads first trades by key. */
export async function readFirstTrades(
  snapshot: Snapshot,
  keys: readonly string[],
): Promise<Map<string, FirstTrade>> {
  const until = snapshot.commit.timestamp;
  const read = async (key: string) => {
    const { priced, ...query } = firstTradeOf(key);
    const at = await (priced === null
      ? readFirstTrade(snapshot, query)
      : readFirstPriced(snapshot, { ...query, priceType: priced }));
    return [key, { at, until }] as const;
  };
  return new Map(await Promise.all(keys.map(read)));
}

/** Adjacent chunks of a series. */
interface Run {
  series: Series;
  first: number;
  last: number;
}

function runsOf(keys: readonly string[]): Run[] {
  const chunks = keys.map((key) => ({ name: key.slice(0, key.lastIndexOf(" ")), ...seriesOf(key) }));
  chunks.sort((a, b) => (a.name === b.name ? a.index - b.index : a.name < b.name ? -1 : 1));
  const runs: (Run & { name: string })[] = [];
  for (const { name, series, index } of chunks) {
    const run = runs.at(-1);
    if (run?.name === name && run.last === index - 1) run.last = index;
    else runs.push({ name, series, first: index, last: index });
  }
  return runs;
}

/**
 * Returns the last price before a time; null if there is none. Uses the first and the newest price if they
 * determine it. `memory` must be as of the snapshot's commit.
 */
function closeBeforeOf(
  snapshot: Snapshot,
  memory: MemoryRead,
  series: Series,
  from: number,
): Promise<number | null> | number | null {
  if (from <= 0) return null;
  const known = closeByExtremes(memory, series, from);
  return known === undefined ? readCloseBefore(snapshot, series, from) : known;
}

/**
 * Reads adjacent chunks. Leaves out trades in the newest block's second, because later commits may have more
 * trades in that second.
 */
async function readRun(
  snapshot: Snapshot,
  memory: MemoryRead,
  { series, first, last }: Run,
): Promise<[string, CandleChunk][]> {
  const span = CHUNK_INTERVALS * series.intervalSeconds;
  const [from, end] = [first * span, Math.min((last + 1) * span, snapshot.commit.timestamp)];
  const [intervals, closeBefore] = await Promise.all([
    end > from ? readIntervals(snapshot, series, { from, until: end - 1 }) : [],
    closeBeforeOf(snapshot, memory, series, from),
  ]);
  const chunks: [string, CandleChunk][] = [];
  let close = closeBefore;
  for (let index = first; index <= last; index++) {
    const [start, until] = [index * span, Math.min((index + 1) * span, end)];
    const chunk = {
      until,
      closeBefore: close,
      intervals: intervals.filter(
        ({ timestampOpen }) => timestampOpen >= start && timestampOpen < start + span,
      ),
    };
    close = closeIn(chunk, until);
    chunks.push([chunkKey(series, index), chunk]);
  }
  return chunks;
}
