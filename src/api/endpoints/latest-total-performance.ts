import { z } from "zod";
import { ask } from "../../reads/snapshot.ts";
import { readTotals } from "../../reads/wallets.ts";
import { endpoint } from "../endpoint.ts";
import { queryLimits } from "../limits.ts";
import { theChain } from "../shared-parameters.ts";
import { maxSizeOk, presentTotals, theWallet, totalExclude, WALLET_TOTALS } from "../wallet-figures.ts";

export const latestTotalPerformance = endpoint({
  name: "getWalletLatestTotalPerformance",
  methods: ["GET", "POST"],
  path: "/v1/wallet-api/latest-total-performance",
  summary: "What a wallet made on DEXes, all its tokens together.",
  parameters: {
    wallet_address: theWallet(),
    chain: theChain(),
    total_exclude: totalExclude(),
    max_size_ok: maxSizeOk(),
  },
  answer: z.strictObject(WALLET_TOTALS),
  example: {
    parameters: { wallet_address: "0x28c6c06298d514db089934071355e5743bf21d60", total_exclude: true },
    answer: {
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
      excluded: { total: ["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"] },
    },
  },
  cost: "read",
  async handle(values, { reader, limits, signal }) {
    const { wallet_address: wallet, chain, total_exclude: totalExclude, max_size_ok } = values;
    const { answer, asOf } = await ask(reader, {
      chain,
      limits: queryLimits(limits, signal),
      read: (snapshot) => readTotals(snapshot, { wallet, totalExclude, maxSizeOk: max_size_ok }),
    });
    const excluded = totalExclude ? answer.excluded : undefined;
    return { body: presentTotals(wallet, { totals: answer, excluded }), asOf };
  },
});
