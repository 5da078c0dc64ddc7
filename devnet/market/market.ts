import { arbitrage } from "../actors/arbitrageurs.ts";
import { liveOn } from "../actors/bystanders.ts";
import { makeMarkets } from "../actors/makers.ts";
import { tradeRetail } from "../actors/retail.ts";
import { drawShared, useShared } from "../actors/shared-pools.ts";
import {
  changeDollars,
  followTrends,
  pullRug,
  routeThroughEther,
  sandwich,
  tradeWhale,
  washTrade,
} from "../actors/specialists.ts";
import type { BlockMaker, Intent } from "../node/block-maker.ts";
import type { NodeClient } from "../node/node-client.ts";
import { POOLS, RUG_POOL } from "./pools.ts";
import { hiddenPrice } from "./price-path.ts";
import { Random } from "./random.ts";
import { type DemoToken, RUGGED, TOKENS, WETH } from "./tokens.ts";
import { observe, type Prospect, type View } from "./view.ts";
import type { Wallets } from "./wallets.ts";

/** Input of a market. It is stored with a saved chain. */
export interface MarketPlan {
  seed: number;
  /** Times of the history's first and last block, in unix seconds. */
  startTime: number;
  endTime: number;
}

export interface Market {
  plan: MarketPlan;
  wallets: Wallets;
  maker: BlockMaker;
  client: NodeClient;
}

const RUG_AT = 0.62;
const LIVE_TRADERS = 3;
const MOST_TRADERS = 6;
const TREND_FOLLOWERS = 1;
// Shared pools use separate random numbers, so they do not change the rest of the market.
const SHARED_STREAM = 29;
// Each half minute between blocks adds one trader.
const TRADER_SECONDS = 30;

/**
 * Makes the next block of the market. The block depends only on the plan, its number and time, and the state
 * of the chain before it.
 */
export async function mineMarketBlock(market: Market, timestamp: number): Promise<void> {
  const { plan, maker, wallets, client } = market;
  const random = new Random(plan.seed, maker.number + 1);
  const gap = timestamp - maker.timestamp;
  const count = Math.min(MOST_TRADERS, random.below(LIVE_TRADERS) + Math.floor(gap / TRADER_SECONDS));
  const rugTime = plan.startTime + RUG_AT * (plan.endTime - plan.startTime);
  const usual = draw(random, wallets.retail, { count, rugged: timestamp >= rugTime });
  const trendy = draw(random, wallets.trendFollowers, { count: TREND_FOLLOWERS, rugged: true });
  const sharedRandom = new Random(plan.seed, maker.number + 1, SHARED_STREAM);
  const shared = drawShared(sharedRandom, wallets.retail, gap);
  const seen = await observe(client, [...usual, ...trendy, ...shared]);
  const view: View = {
    ...seen,
    wallets,
    random,
    timestamp,
    previousTimestamp: maker.timestamp,
    rugTime,
    usd: (token, secondsAgo = 0) => hiddenPrice(plan.seed, token, timestamp - secondsAgo),
    firstUsd: (token) => hiddenPrice(plan.seed, token, plan.startTime),
  };
  await maker.mine(timestamp, [
    ...intentsOf(view, count),
    ...useShared({ ...view, random: sharedRandom }, view.prospects.slice(count + TREND_FOLLOWERS)),
  ]);
}

function intentsOf(view: View, retailCount: number): Intent[] {
  return [
    ...arbitrage(view),
    ...tradeRetail(view, view.prospects.slice(0, retailCount)),
    ...followTrends(view, view.prospects.slice(retailCount, retailCount + TREND_FOLLOWERS)),
    ...tradeWhale(view),
    ...sandwich(view),
    ...washTrade(view),
    ...routeThroughEther(view),
    ...changeDollars(view),
    ...pullRug(view),
    ...makeMarkets(view),
    ...liveOn(view),
  ];
}

interface Draw {
  count: number;
  /** If true, traders rarely watch the token of the rug pull. */
  rugged: boolean;
}

/**
 * Draws traders and the token that each of them watches. Each trader has a few favorites, so they sell what
 * they bought.
 */
function draw(
  random: Random,
  traders: Wallets["retail"],
  { count, rugged }: Draw,
): Omit<Prospect, "balance">[] {
  return Array.from({ length: count }, () => {
    const at = random.below(traders.length);
    const token = random.pick(favourites(at), (candidate) =>
      rugged && candidate === RUGGED ? 0.3 : candidate.popularity,
    );
    const pool = random.pick(
      POOLS.filter((candidate) => candidate.token0 === token || candidate.token1 === token).filter(
        isRetail(token),
      ),
      ({ usd }) => Math.sqrt(usd),
    );
    return { trader: traders[at] as Prospect["trader"], token, pool };
  });
}

const LISTED = TOKENS.filter(({ popularity }) => popularity > 0 && popularity < 9);

function favourites(trader: number): DemoToken[] {
  const random = new Random(trader, 5);
  return [WETH, ...Array.from({ length: 4 }, () => random.pick(LISTED, ({ popularity }) => popularity))];
}

/**
 * Returns a filter for the pools of a token. Traders trade ether only against stablecoins, because a purchase
 * with ether counts as a trade of the other token.
 */
function isRetail(token: DemoToken): (pool: (typeof POOLS)[number]) => boolean {
  if (token !== WETH) return () => true;
  return (pool) => pool !== RUG_POOL && [pool.token0, pool.token1].some(({ popularity }) => popularity === 0);
}
