import type { Hex } from "../../lib/hex.ts";
import { engineNumber } from "../../lib/json/json-number.ts";
import type { MemoryRead } from "../../serving/memory-read.ts";
import { NO_TRADE, type TradeRows } from "../../serving/window/trade-rows.ts";
import { headOf, type TicksQuery } from "../prices/ticks.ts";

/**
 * Maximum number of ticks in an answer from memory. For more, the engine is faster, and other requests run in
 * the meantime.
 */
export const MAX_TICKS_IN_MEMORY = 2_000;

/** Like `readTicks`, but from memory, which has no wash verdicts. */
export function ticksIn(memory: MemoryRead, query: TicksQuery): string {
  if (query.excludeWash) {
    memory.leaveToEngine();
    return "";
  }
  const left = { ticks: MAX_TICKS_IN_MEMORY };
  const objects = query.tokens.map(
    (token) => `${headOf(token, memory.facts(token))}[${ticksOf(memory, token, query, left).join(",")}]}`,
  );
  return query.tokens.length > 1 ? `[${objects.join(",")}]` : objects.join();
}

function ticksOf(memory: MemoryRead, token: Hex, query: TicksQuery, left: { ticks: number }): string[] {
  const rows = memory.trades;
  if (rows === null) return [];
  const { from, until, size, priceType } = query;
  const counts = countsIn(rows, query);
  const ticks: string[] = [];
  let trade = rows.newestOf(token, until);
  while (ticks.length < size && memory.step()) {
    if (trade === NO_TRADE || rows.timeOf(trade) < from) {
      if (from <= rows.completeAfter) memory.leaveToEngine();
      return ticks;
    }
    if (counts(trade)) {
      if (left.ticks-- === 0) memory.leaveToEngine();
      ticks.push(print(rows, trade, rows.priceOf(trade, priceType)));
    }
    trade = rows.previous(trade);
  }
  return ticks;
}

/** Returns a predicate for the trades that are ticks: they have a price, and are in one of the pools. */
function countsIn(rows: TradeRows, { pools, priceType }: TicksQuery): (trade: number) => boolean {
  const isPriced = (trade: number) => !Number.isNaN(rows.priceOf(trade, priceType));
  if (pools === "all") return isPriced;
  const numbers = new Set(pools.map((pool) => rows.poolNumber(pool)));
  return (trade) => numbers.has(rows.poolOf(trade)) && isPriced(trade);
}

/** Formats a tick as the engine prints a row. */
function print(rows: TradeRows, trade: number, price: number): string {
  return (
    `{"block_number":${rows.blockOf(trade)},"timestamp":${rows.timeOf(trade)}` +
    `,"transaction_hash":"${rows.hashOf(trade)}","price_usd":${engineNumber(price)}` +
    `,"price_eth":${nullable(rows.priceEthOf(trade))},"amount_token":${nullable(rows.amountTokenOf(trade))}}`
  );
}

function nullable(value: number): string {
  return Number.isNaN(value) ? "null" : engineNumber(value);
}
