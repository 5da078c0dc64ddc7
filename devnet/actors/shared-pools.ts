import type { Hex } from "../../src/lib/hex.ts";
import { firstPositions, poolPrice, sqrtPriceX96 } from "../market/liquidity.ts";
import type { Random } from "../market/random.ts";
import { changeRange, exitWeighted, joinWeighted, weightedMaker } from "../market/shared/shared-liquidity.ts";
import { SHARED_PAIRS, V4_POOLS, WEIGHTED_POOL } from "../market/shared/shared-pools.ts";
import { amountToPrice } from "../market/shared/weighted-price.ts";
import { type DemoToken, STABLES, WETH } from "../market/tokens.ts";
import { ALL } from "../market/trade.ts";
import type { Prospect, SharedState, View } from "../market/view.ts";
import type { Intent } from "../node/block-maker.ts";
import { encodeCall } from "../node/call-data.ts";
import { ROUTER } from "../node/genesis.ts";
import { worthAligning } from "./arbitrageurs.ts";
import { tradeRetail } from "./retail.ts";

const ALIGN_GAS = 600_000;
// Maximum number of opportunities used per block. Using only one keeps mining fast.
const MOST = 1;
const LIQUIDITY_CHANCE = 0.1;
const PARTS = 25n;
// On average, a trader acts in every fifth block, and in up to every other block if blocks are minutes apart.
const TRADER_CHANCE = 0.2;
const TRADER_SECONDS = 1_200;
const MOST_CHANCE = 0.5;

/**
 * Draws a trader, and the pool of a shared contract in which they trade in this block. Returns an empty list
 * if no trader acts in this block.
 */
export function drawShared(random: Random, traders: Hex[], gapSeconds: number): Omit<Prospect, "balance">[] {
  const chance = Math.min(MOST_CHANCE, TRADER_CHANCE + gapSeconds / TRADER_SECONDS);
  if (!random.chance(chance)) return [];
  const pool = random.pick(SHARED_PAIRS, ({ usd }) => Math.sqrt(usd));
  const token = [pool.token0, pool.token1].sort((a, b) => rank(a) - rank(b))[0] ?? WETH;
  return [{ trader: random.pick(traders), token, pool }];
}

/**
 * Returns a token's rank. Of the two tokens in a pool, traders prefer the one with the lower rank: other
 * tokens to ether, and ether to stablecoins.
 */
function rank(token: DemoToken): number {
  return STABLES.includes(token) ? 2 : token === WETH ? 1 : 0;
}

/** Returns all transactions in the pools of shared contracts: arbitrage, trades and changes of liquidity. */
export function useShared(view: View, prospects: Prospect[]): Intent[] {
  return [
    ...worthAligning(view.shared, view, MOST).map((state) => align(state, view)),
    ...tradeRetail(view, prospects),
    ...changeLiquidity(view),
  ];
}

function align({ pool, price, reserves }: SharedState, view: View): Intent {
  const wanted = poolPrice(pool, view.usd);
  const [sold, bought] = price > wanted ? [pool.token0, pool.token1] : [pool.token1, pool.token0];
  const path = [sold.address, bought.address] as const;
  const data =
    pool.kind === "v4"
      ? encodeCall("alignV4(uint256,address,address,uint160)", pool.venue, ...path, sqrtPriceX96(wanted))
      : encodeCall(
          "sellWeighted(address,address,address,uint256)",
          WEIGHTED_POOL.address,
          ...path,
          amountToPrice(pool, reserves, wanted),
        );
  return { from: view.random.pick(view.wallets.arbitrageurs), to: ROUTER, data, gas: ALIGN_GAS };
}

/**
 * In some blocks, returns a transaction in which a liquidity provider adds liquidity to a pool or removes
 * some.
 */
function changeLiquidity(view: View): Intent[] {
  const { random, wallets } = view;
  if (!random.chance(LIQUIDITY_CHANCE)) return [];
  const adds = random.chance(0.5);
  const pool = random.pick([...V4_POOLS, WEIGHTED_POOL]);
  if ("id" in pool) {
    const range = random.pick(firstPositions(pool, view.firstUsd, wallets.makers));
    const part = range.liquidity / PARTS;
    return [changeRange(range, adds ? part : -part)];
  }
  const maker = weightedMaker(wallets.makers);
  if (!adds) return [exitWeighted(maker, ALL / Number(PARTS))];
  return [
    joinWeighted(
      maker,
      view.weightedBalances.map((balance) => balance / PARTS),
    ),
  ];
}
