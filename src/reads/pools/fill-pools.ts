import { setImmediate } from "node:timers/promises";
import type { Hex } from "../../lib/hex.ts";
import { PoolLiquidity } from "../../serving/pools/pool-liquidity.ts";
import type { PoolState, SingletonState } from "../../serving/pools/pool-state.ts";
import type { TradeWindow } from "../../serving/window/trade-window.ts";
import { RECENT_SECONDS } from "../snapshot/newest-first.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { NOTHING_OWNED, readOwnBalances } from "./own-balances.ts";
import { type Moment, type NewestTrade, type PoolRow, readNewestTrades, readPoolRows } from "./pool-state.ts";
import { newestTradeIn } from "./pool-trades-in-window.ts";
import { readSqrtPrices, readTicks } from "./singleton-pools.ts";
import { readVaultBalances, wholeVaultPools } from "./vaults/vault-pools.ts";
import { wholeSingletons } from "./whole-singletons.ts";

/**
 * Reads the data, except prices, that determines the value of pools as of the newest block. Unknown pools are
 * left out.
 *
 * @param window the newest trades. They may include trades of later commits: the state of a pool with such
 * trades is outdated anyway, and is not used
 */
export async function readPoolStates(
  snapshot: Snapshot,
  requested: readonly Hex[],
  window: Pick<TradeWindow, "rows">,
): Promise<Map<Hex, PoolState>> {
  const moment = { block: snapshot.commit.blockNumber, at: snapshot.commit.timestamp };
  const pools = await readPoolRows(snapshot, requested);
  const whole = await wholeSingletons(snapshot, pools);
  const [own, singletons, vaults, trades] = await Promise.all([
    readOwnBalances(snapshot, pools, moment),
    readSingletons(snapshot, whole),
    readVaultBalances(snapshot, wholeVaultPools(pools, snapshot.chain), moment.block),
    newestTradesOf(snapshot, pools, moment, window),
  ]);
  return new Map(
    pools.map(({ createdAt: _, ...facts }): [Hex, PoolState] => {
      const { pool } = facts;
      const { reserves, held } = own.get(pool) ?? NOTHING_OWNED;
      const [newestTrade, singleton] = [trades.get(pool) ?? null, singletons.get(pool)];
      return [pool, { ...facts, newestTrade, reserves, held, singleton, inVault: vaults.get(pool) }];
    }),
  );
}

/**
 * Returns the newest trade of each pool. If the trades in memory do not show a pool's newest trade, it is
 * read from the store.
 */
async function newestTradesOf(
  snapshot: Snapshot,
  pools: readonly PoolRow[],
  moment: Moment,
  { rows }: Pick<TradeWindow, "rows">,
): Promise<Map<Hex, NewestTrade>> {
  if (rows === null) return readNewestTrades(snapshot, pools, moment);
  const trades = new Map(pools.map((facts) => [facts.pool, newestTradeIn(rows, facts)]));
  const left = pools.filter(({ pool }) => !trades.get(pool));
  const areOlder = left.every(({ pool }) => trades.get(pool) === null);
  const periods = RECENT_SECONDS.filter((period) => !areOlder || moment.at - period < rows.completeAfter);
  const older = await readNewestTrades(snapshot, left, moment, periods);
  for (const [pool, trade] of trades) if (trade) older.set(pool, trade);
  return older;
}

async function readSingletons(snapshot: Snapshot, pools: readonly Hex[]): Promise<Map<Hex, SingletonState>> {
  const states = new Map<Hex, SingletonState>();
  if (pools.length === 0) return states;
  const { blockNumber } = snapshot.commit;
  const [prices, ticks] = await Promise.all([
    readSqrtPrices(snapshot, pools, blockNumber),
    readTicks(snapshot, pools, blockNumber),
  ]);
  for (const pool of pools) {
    const [sqrtPrice, liquidity] = [prices.get(pool), new PoolLiquidity(ticks.get(pool) ?? [])];
    states.set(pool, { sqrtPrice, liquidity });
    // Builds the sums now, and lets other requests run after each pool.
    if (sqrtPrice !== undefined) liquidity.amountsAt(sqrtPrice);
    await setImmediate();
  }
  return states;
}
