import { z } from "zod";
import type { Hex } from "../../../lib/hex.ts";
import { ADDRESS } from "../../../reads/values/hex-values.ts";
import type { Figures, WalletPerformance } from "../../../reads/wallets/wallet-performance.ts";
import type { Activity } from "../../../serving/wallets/position.ts";
import { MAX_WALLET_TRADES } from "../../../serving/wallets/wallet-positions.ts";
import { BOOLEAN } from "../../parameters/kinds/words.ts";
import { optional, type Parameter, required } from "../../parameters/parameter.ts";

const usd = (doc: string) => z.number().nullable().describe(`${doc}, USD`);
const percent = (doc: string) =>
  z.number().nullable().describe(`${doc} relative to total_investment, percent; null without an investment`);
const count = () => z.int();
const time = () => z.int().nullable().describe("unix seconds; null without a trade");

/** A wallet's profit, from one token or from all. A figure is null if it depends on an unknown price. */
export const FIGURES = {
  pnl: usd("realized_value minus total_investment"),
  total_profit: usd("realized_profit plus unrealized_profit"),
  total_value: usd("realized_value plus unrealized_value"),
  total_investment: usd("realized_investment plus unrealized_investment"),
  total_return: percent("total_profit"),
  realized_profit: usd("realized_value minus realized_investment"),
  realized_value: usd("revenue from sales: quantity sold times average selling price"),
  realized_investment: usd("cost of the tokens sold: quantity sold times average buying price"),
  realized_return: percent("realized_profit"),
  unrealized_profit: usd("unrealized_value minus unrealized_investment"),
  unrealized_value: usd("value of tokens bought and not yet sold, at the latest robust price"),
  unrealized_investment: usd("cost of tokens not yet sold: quantity not sold times average buying price"),
  unrealized_return: percent("unrealized_profit"),
};

export const ACTIVITY = {
  total_trades: count(),
  total_buys: count(),
  total_sells: count(),
  first_trade_timestamp: time(),
  last_trade_timestamp: time(),
};

export const VOLUMES = {
  total_buy_volume: usd("cost of purchases"),
  total_sell_volume: usd("proceeds of sales, without sales in excess of purchases"),
};

export const WALLET_TOTALS = {
  wallet_address: z.string(),
  total_tokens_traded: z.int().describe("number of tokens bought or sold"),
  ...FIGURES,
  win_rate: z
    .number()
    .nullable()
    .describe("fraction of the tokens whose total profit is positive; null without a token"),
  ...ACTIVITY,
  ...VOLUMES,
  excluded: z
    .strictObject({ total: z.array(z.string()) })
    .optional()
    .describe("with total_exclude: stablecoins that the wallet traded, excluded from all figures"),
};

export const WALLET_EXAMPLE: Hex = "0x28c6c06298d514db089934071355e5743bf21d60";

/** Values of `WALLET_TOTALS` for examples. */
export const WALLET_TOTALS_EXAMPLE = {
  wallet_address: WALLET_EXAMPLE,
  total_tokens_traded: 1,
  pnl: -80,
  total_profit: 100,
  total_value: 300,
  total_investment: 200,
  total_return: 50,
  realized_profit: 40,
  realized_value: 120,
  realized_investment: 80,
  realized_return: 20,
  unrealized_profit: 60,
  unrealized_value: 180,
  unrealized_investment: 120,
  unrealized_return: 30,
  win_rate: 1,
  total_trades: 3,
  total_buys: 2,
  total_sells: 1,
  first_trade_timestamp: 1704412823,
  last_trade_timestamp: 1704455951,
  total_buy_volume: 200,
  total_sell_volume: 120,
};

export function walletParameter(): Parameter<Hex> {
  return required(ADDRESS, "wallet, as sender of transactions");
}

export function maxSizeOk(): Parameter<boolean> {
  return optional(
    BOOLEAN,
    false,
    `for a wallet with more than ${MAX_WALLET_TRADES} trades: true uses the newest ${MAX_WALLET_TRADES}, false rejects the request`,
  );
}

export function totalExclude(): Parameter<boolean> {
  return optional(BOOLEAN, false, "true: exclude trades of the chain's stablecoins");
}

export function presentFigures(figures: Figures) {
  return {
    pnl: figures.pnl,
    total_profit: figures.totalProfit,
    total_value: figures.totalValue,
    total_investment: figures.totalInvestment,
    total_return: figures.totalReturn,
    realized_profit: figures.realizedProfit,
    realized_value: figures.realizedValue,
    realized_investment: figures.realizedInvestment,
    realized_return: figures.realizedReturn,
    unrealized_profit: figures.unrealizedProfit,
    unrealized_value: figures.unrealizedValue,
    unrealized_investment: figures.unrealizedInvestment,
    unrealized_return: figures.unrealizedReturn,
  };
}

export function presentActivity(activity: Activity) {
  return {
    total_trades: activity.totalTrades,
    total_buys: activity.totalBuys,
    total_sells: activity.totalSells,
    first_trade_timestamp: activity.firstTradeTimestamp,
    last_trade_timestamp: activity.lastTradeTimestamp,
  };
}

export function presentVolumes({ totalBuyVolume, totalSellVolume }: Figures) {
  return { total_buy_volume: totalBuyVolume, total_sell_volume: totalSellVolume };
}

/**
 * Returns a wallet's totals under the names of the answer; `excluded` is present only with `total_exclude`.
 */
export function presentTotals(
  wallet: string,
  totals: WalletPerformance,
  excluded: readonly string[] | undefined,
) {
  return {
    wallet_address: wallet,
    total_tokens_traded: totals.totalTokensTraded,
    ...presentFigures(totals),
    win_rate: totals.winRate,
    ...presentActivity(totals),
    ...presentVolumes(totals),
    ...(excluded === undefined ? {} : { excluded: { total: [...excluded] } }),
  };
}
