import { z } from "zod";
import { ask } from "../../reads/snapshot.ts";
import { MAX_WALLET_TRADES, MAX_WALLETS, readBatchTotals } from "../../reads/wallets.ts";
import { endpoint } from "../endpoint.ts";
import { addressList } from "../kinds.ts";
import { queryLimits } from "../limits.ts";
import { required } from "../parameter.ts";
import { MAX_ADDRESSES_ON_GET, theChain } from "../shared-parameters.ts";
import { presentTotals, totalExclude, WALLET_TOTALS } from "../wallet-figures.ts";

export const batchLatestTotalPerformance = endpoint({
  name: "getBatchWalletLatestTotalPerformance",
  methods: ["GET", "POST"],
  path: "/v1/wallet-api/batch-latest-total-performance",
  summary: `What each of up to ${MAX_WALLETS} wallets with ${MAX_WALLET_TRADES} trades in all made on DEXes; further wallets are named in remainder.`,
  parameters: {
    wallet_address: required(
      addressList({ maxOnGet: MAX_ADDRESSES_ON_GET }),
      `wallets, as senders of transactions; one that is listed twice counts once, and what is beyond ${MAX_WALLETS} wallets or ${MAX_WALLET_TRADES} trades comes back in remainder`,
    ),
    chain: theChain(),
    total_exclude: totalExclude(),
  },
  answer: z.strictObject({
    data: z.record(z.string(), z.strictObject(WALLET_TOTALS)).describe("by wallet address"),
    remainder: z.array(z.string()).describe("wallets that were not processed, for another request"),
  }),
  example: {
    parameters: { wallet_address: ["0x28c6c06298d514db089934071355e5743bf21d60"] },
    answer: {
      data: {
        "0x28c6c06298d514db089934071355e5743bf21d60": {
          wallet_address: "0x28c6c06298d514db089934071355e5743bf21d60",
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
        },
      },
      remainder: [],
    },
  },
  cost: "read",
  async handle({ wallet_address: wallets, chain, total_exclude }, { reader, limits, signal }) {
    const { answer, asOf } = await ask(reader, {
      chain,
      limits: queryLimits(limits, signal),
      read: (snapshot) => readBatchTotals(snapshot, { wallets, totalExclude: total_exclude }),
    });
    const data = [...answer.wallets].map(([wallet, totals]) => {
      const excluded = total_exclude ? totals.excluded : undefined;
      return [wallet, presentTotals(wallet, { totals, excluded })] as const;
    });
    return { body: { data: Object.fromEntries(data), remainder: answer.remainder }, asOf };
  },
});
