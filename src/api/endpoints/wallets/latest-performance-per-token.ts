import { z } from "zod";
import { readSnapshot } from "../../../reads/snapshot/snapshot.ts";
import { type NamedPerformance, readPerToken } from "../../../reads/wallets/wallets.ts";
import { perTokenIn } from "../../../reads/wallets/wallets-in-memory.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { chainParameter } from "../../parameters/shared-parameters.ts";
import {
  ACTIVITY,
  FIGURES,
  maxSizeOk,
  presentActivity,
  presentFigures,
  presentVolumes,
  totalExclude,
  VOLUMES,
  WALLET_EXAMPLE,
  walletParameter,
} from "./wallet-figures.ts";

const amount = (doc: string) => z.number().nullable().describe(`${doc}, tokens`);
const price = (doc: string) => z.number().nullable().describe(`${doc}, USD per token`);

const tokenPerformance = z.strictObject({
  token_address: z.string(),
  token_symbol: z.string().nullable(),
  token_name: z.string().nullable(),
  ...FIGURES,
  ...ACTIVITY,
  ...VOLUMES,
  total_buy_amount: amount("amount bought"),
  total_sell_amount: amount("amount sold, without sales in excess of purchases"),
  avg_buy_price: price("total_buy_volume divided by total_buy_amount; null without a purchase"),
  avg_sell_price: price("total_sell_volume divided by total_sell_amount; null without a sale"),
  trading_balance: amount("amount bought and not sold"),
  current_price: price("latest robust price; null if unknown"),
});

export const latestPerformancePerToken = endpoint({
  name: "getWalletLatestPerformancePerToken",
  methods: ["GET", "POST"],
  path: "/v1/wallet-api/latest-performance-per-token",
  title: "Wallet performance per token",
  summary: "DEX trading profit of a wallet for each of its tokens, largest total profit first.",
  parameters: {
    wallet_address: walletParameter(),
    chain: chainParameter(),
    total_exclude: totalExclude(),
    max_size_ok: maxSizeOk(),
  },
  answer: z.strictObject({
    data: z.array(tokenPerformance).describe("tokens with unknown profit come last"),
  }),
  example: {
    parameters: { wallet_address: WALLET_EXAMPLE },
    answer: {
      data: [
        {
          token_address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
          token_symbol: "WETH",
          token_name: "Wrapped Ether",
          pnl: -2000,
          total_profit: 400,
          total_value: 4400,
          total_investment: 4000,
          total_return: 10,
          realized_profit: 0,
          realized_value: 2000,
          realized_investment: 2000,
          realized_return: 0,
          unrealized_profit: 400,
          unrealized_value: 2400,
          unrealized_investment: 2000,
          unrealized_return: 10,
          total_trades: 2,
          total_buys: 1,
          total_sells: 1,
          first_trade_timestamp: 1704412823,
          last_trade_timestamp: 1704455951,
          total_buy_volume: 4000,
          total_sell_volume: 2000,
          total_buy_amount: 2,
          total_sell_amount: 1,
          avg_buy_price: 2000,
          avg_sell_price: 2000,
          trading_balance: 1,
          current_price: 2400,
        },
      ],
    },
  },
  cost: "read",
  question: (values) => {
    const { wallet_address: wallet, chain, total_exclude: totalExclude, max_size_ok: maxSizeOk } = values;
    const query = { wallet, totalExclude, maxSizeOk };
    return {
      chain,
      fromMemory: (memory, facts) => ({ data: perTokenIn(memory, facts, query).map(present) }),
      fromEngine: async (reader, limits) => {
        const { answer, asOf } = await readSnapshot(reader, chain, limits, (snapshot) =>
          readPerToken(snapshot, query),
        );
        return { answer: { data: answer.map(present) }, asOf };
      },
    };
  },
});

function present(token: NamedPerformance): z.infer<typeof tokenPerformance> {
  return {
    token_address: token.tokenAddress,
    token_symbol: token.tokenSymbol,
    token_name: token.tokenName,
    ...presentFigures(token),
    ...presentActivity(token),
    ...presentVolumes(token),
    total_buy_amount: token.totalBuyAmount,
    total_sell_amount: token.totalSellAmount,
    avg_buy_price: token.avgBuyPrice,
    avg_sell_price: token.avgSellPrice,
    trading_balance: token.tradingBalance,
    current_price: token.currentPrice,
  };
}
