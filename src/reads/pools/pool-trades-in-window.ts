import type { Hex } from "../../lib/hex.ts";
import { tradedTokens } from "../../schema/pool-tokens.ts";
import type { NewestTrade } from "../../serving/pools/pool-state.ts";
import { NO_TRADE, type TradeRows } from "../../serving/window/trade-rows.ts";
import type { PoolRow } from "./pool-state.ts";

/**
 * Maximum number of steps along the trades of a pool's tokens. They take about 0.1 ms, and a statement of the
 * engine takes 5 ms.
 */
const MAX_STEPS = 5_000;

/**
 * Returns the newest trade of a pool among the newest trades of the chain. Returns null if the pool has no
 * trade there, and undefined if its trades may have any token, or if too many other trades of its tokens
 * would have to be searched.
 */
export function newestTradeIn(rows: TradeRows, facts: PoolRow): NewestTrade | null | undefined {
  const inPool = rows.poolNumber(facts.pool);
  if (inPool === undefined) return null;
  const tokens = tradedTokens(facts);
  if (tokens === null) return undefined;
  const steps = { left: MAX_STEPS };
  const found = tokens.map((token) => newestOf(rows, token, inPool, steps));
  if (steps.left < 0) return undefined;
  const newest = Math.max(...found);
  return newest === NO_TRADE ? null : { blockNumber: rows.blockOf(newest), tradedAt: rows.timeOf(newest) };
}

function newestOf(rows: TradeRows, token: Hex, inPool: number, steps: { left: number }): number {
  let trade = rows.newestOf(token, Number.POSITIVE_INFINITY);
  while (trade !== NO_TRADE && rows.poolOf(trade) !== inPool && steps.left-- > 0)
    trade = rows.previous(trade);
  return trade;
}
