import { type FirstTrade, firstTradeKey, type Series } from "../../serving/candles/candle-chunk.ts";
import type { MemoryRead } from "../../serving/memory-read.ts";
import { NO_TRADE, type TradeRows } from "../../serving/window/trade-rows.ts";

type FirstQuery = Pick<Series, "token" | "pool" | "priceType">;

/** Returns the time of the first trade of a token, across all pools or in one; null if there is none. */
export function firstTradeIn(memory: MemoryRead, query: FirstQuery): number | null {
  return firstIn(memory, query, false);
}

/** Returns the time of the first trade that has a price of the requested type; null if there is none. */
export function firstPricedIn(memory: MemoryRead, query: FirstQuery): number | null {
  if (query.pool === "all") return memory.prices(query.token, query.priceType)?.opened.tradedAt ?? null;
  return firstIn(memory, query, true);
}

function firstIn(memory: MemoryRead, query: FirstQuery, isPriced: boolean): number | null {
  const key = firstTradeKey(query.token, query.pool, isPriced ? query.priceType : null);
  const known = memory.get("firstTrades", key);
  if (known === null || known.at !== null) return known?.at ?? null;
  const rows = memory.trades;
  if (rows === null) return null;
  if (known.until <= rows.completeAfter) {
    memory.refill("firstTrades", key);
    return null;
  }
  const first = firstSince(memory, rows, known, { ...query, isPriced });
  if (first !== null && !memory.isImpossible) memory.keep("firstTrades", key, { ...known, at: first });
  return first;
}

function firstSince(
  memory: MemoryRead,
  rows: TradeRows,
  { until }: FirstTrade,
  { token, pool, priceType, isPriced }: FirstQuery & { isPriced: boolean },
): number | null {
  const inPool = pool === "all" ? null : rows.poolNumber(pool);
  let first: number | null = null;
  let trade = rows.newestOf(token, Number.POSITIVE_INFINITY);
  while (trade !== NO_TRADE && rows.timeOf(trade) >= until && memory.step()) {
    const counts = inPool === null || rows.poolOf(trade) === inPool;
    if (counts && !(isPriced && Number.isNaN(rows.priceOf(trade, priceType)))) first = rows.timeOf(trade);
    trade = rows.previous(trade);
  }
  return first;
}
