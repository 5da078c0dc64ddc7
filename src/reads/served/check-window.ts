import { isDeepStrictEqual } from "node:util";
import type { Hex } from "../../lib/hex.ts";
import { ServingState } from "../../serving/serving-state.ts";
import { blankTrade, type TradeRows, type WindowTrade } from "../../serving/window/trade-rows.ts";
import type { FillSource } from "./fill-misses.ts";
import { loadWindow } from "./load-window.ts";
import type { Mismatch } from "./self-check.ts";

/**
 * Compares the newest trades of a state with those in the store, as of the state's commit. Returns the newest
 * trade that differs.
 *
 * @param bytes size of the state into which the trades are loaded again
 * @throws whatever `loadWindow` throws
 */
export async function checkWindow(
  { reader, readable, limits }: FillSource,
  serving: ServingState,
  bytes: number,
): Promise<Mismatch[]> {
  const loaded = new ServingState(bytes);
  loaded.startAt(serving.position);
  await loadWindow(reader, { ...readable, serving: loaded }, limits);
  const [known, stored] = [serving.window.rows, loaded.window.rows];
  const key = known === null || stored === null ? null : newestDifference(known, stored);
  return key === null ? [] : [{ part: "window", key }];
}

/**
 * Returns the transaction of the newest trade in which two windows differ; null if they agree where both are
 * complete.
 */
function newestDifference(known: TradeRows, stored: TradeRows): Hex | null {
  const after = Math.max(known.completeAfter, stored.completeAfter);
  const trade = blankTrade();
  for (let back = 1; ; back++) {
    const one = tradeAt(known, known.next - back, { after, trade });
    const other = tradeAt(stored, stored.next - back, { after, trade });
    if (one === null && other === null) return null;
    if (!isDeepStrictEqual(one, other)) return (one ?? other)?.hash ?? null;
  }
}

/** Reads all columns of a trade; null if the window does not have it, or if it is not later than `after`. */
function tradeAt(rows: TradeRows, number: number, { after, trade }: { after: number; trade: WindowTrade }) {
  if (number < rows.first || rows.timeOf(number) <= after) return null;
  rows.read(number, trade);
  const { bytes: _, hashAt: __, ...facts } = trade;
  return { ...facts, hash: rows.hashOf(number) };
}
