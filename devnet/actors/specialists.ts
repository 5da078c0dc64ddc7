import type { Hex } from "../../src/lib/hex.ts";
import { removePair } from "../market/liquidity.ts";
import { type DemoPool, MAIN_POOL, POOLS, RUG_POOL } from "../market/pools.ts";
import { RUGGED, STABLES, USDC, WBTC, WETH } from "../market/tokens.ts";
import { ALL, quoteOf, tradeEther, tradeShare } from "../market/trade.ts";
import type { Prospect, View } from "../market/view.ts";
import type { Intent } from "../node/block-maker.ts";
import { buy, sell } from "./retail.ts";

const HOUR_SECONDS = 3600;
const TREND_SECONDS = 6 * HOUR_SECONDS;

const ETHER_PAIRS = POOLS.filter(
  (pool) => pool.version === 2 && [pool.token0, pool.token1].includes(WETH) && pool !== RUG_POOL,
);
const DOLLAR_POOLS = POOLS.filter(
  ({ token0, token1 }) => STABLES.includes(token0) && STABLES.includes(token1),
);
const THROUGH_ETHER = POOLS.filter((pool) => [pool.token0, pool.token1].includes(WETH) && pool !== RUG_POOL);

/** Returns true about once in `meanSeconds`, whatever the block time, but at most in every other block. */
function happens(view: View, meanSeconds: number): boolean {
  return view.random.chance(Math.min(0.5, (view.timestamp - view.previousTimestamp) / meanSeconds));
}

/** Returns purchases of tokens that rose over the last few hours, and sales of tokens that fell. */
export function followTrends(view: View, prospects: Prospect[]): Intent[] {
  return prospects.flatMap((prospect) => {
    const { token, balance } = prospect;
    if (token === RUGGED) return [];
    const rises = view.usd(token) > view.usd(token, TREND_SECONDS);
    if (rises) return [buy(prospect, view)];
    return balance > 0n ? [sell(prospect, 0.5)] : [];
  });
}

/** Returns a large order that moves the market of ether or bitcoin, every few hours. */
export function tradeWhale(view: View): Intent[] {
  if (!happens(view, 7 * HOUR_SECONDS)) return [];
  const { random, wallets } = view;
  const token = random.chance(0.7) ? WETH : WBTC;
  const pool = random.pick(
    POOLS.filter(({ token0, token1, fee }) => [token0, token1].includes(token) && fee <= 3000),
    ({ usd }) => usd,
  );
  const buysToken = random.chance(0.5);
  const sold = buysToken ? quoteOf(pool, token) : token;
  const share = random.between(0.01, 0.04) * ALL;
  return [tradeShare({ trader: wallets.whale, through: [pool], sell: sold, share })];
}

/** Returns a sandwich of a large order in a V2 pair: a purchase right before it and a sale right after it. */
export function sandwich(view: View): Intent[] {
  if (!happens(view, 2 * HOUR_SECONDS)) return [];
  const { random, wallets } = view;
  const pool = random.pick(ETHER_PAIRS);
  const token = quoteOf(pool, WETH);
  const [bot, victim] = [wallets.sandwicher, random.pick(wallets.retail)];
  const ether = random.between(2, 9);
  return [
    tradeEther(bot, pool, [WETH, 2 * ether]),
    tradeEther(victim, pool, [WETH, ether]),
    tradeShare({ trader: bot, through: [pool], sell: token, share: ALL }),
  ];
}

/**
 * Returns trades in which two wallets of the same owner trade with each other through a pair, so the pair
 * looks busy.
 */
export function washTrade(view: View): Intent[] {
  if (!happens(view, HOUR_SECONDS)) return [];
  const { random, wallets } = view;
  const pool = ETHER_PAIRS[ETHER_PAIRS.length - 1] ?? RUG_POOL;
  const [buyer, seller] = random.chance(0.5) ? wallets.washers : [...wallets.washers].reverse();
  return [
    tradeEther(buyer as Hex, pool, [WETH, random.between(0.5, 1.5)]),
    tradeShare({ trader: seller as Hex, through: [pool], sell: quoteOf(pool, WETH), share: ALL }),
  ];
}

/**
 * Returns a trade through two pools: it sells USDC for ether in the main pool, and the ether in another pool.
 */
export function routeThroughEther(view: View): Intent[] {
  if (!happens(view, 1_500)) return [];
  const { random, wallets } = view;
  const through: [DemoPool, DemoPool] = [
    MAIN_POOL,
    random.pick(THROUGH_ETHER.filter((pool) => pool !== MAIN_POOL)),
  ];
  const share = Math.min(0.2, random.logNormal(0.02, 0.8)) * ALL;
  return [tradeShare({ trader: random.pick(wallets.retail), through, sell: USDC, share })];
}

/** Returns a swap of one dollar stablecoin for another. */
export function changeDollars(view: View): Intent[] {
  if (!happens(view, HOUR_SECONDS / 2)) return [];
  const { random, wallets } = view;
  const pool = random.pick(DOLLAR_POOLS);
  const sold = random.chance(0.5) ? pool.token0 : pool.token1;
  // Market makers hold every stablecoin.
  const trader = random.pick(wallets.makers);
  return [tradeShare({ trader, through: [pool], sell: sold, share: random.logNormal(0.000_02, 1) * ALL })];
}

/** Returns the rug pull: the creator of a token sells the whole balance and removes the liquidity. */
export function pullRug(view: View): Intent[] {
  if (view.previousTimestamp >= view.rugTime || view.timestamp < view.rugTime) return [];
  const { rugger } = view.wallets;
  return [
    tradeShare({ trader: rugger, through: [RUG_POOL], sell: RUGGED, share: ALL }),
    removePair(RUG_POOL, rugger, 0.999 * ALL),
  ];
}
