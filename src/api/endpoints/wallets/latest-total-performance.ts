import { z } from "zod";
import { readSnapshot } from "../../../reads/snapshot/snapshot.ts";
import { readTotals, type WalletTotals } from "../../../reads/wallets/wallets.ts";
import { totalsIn } from "../../../reads/wallets/wallets-in-memory.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { chainParameter } from "../../parameters/shared-parameters.ts";
import {
  maxSizeOk,
  presentTotals,
  totalExclude,
  WALLET_EXAMPLE,
  WALLET_TOTALS,
  WALLET_TOTALS_EXAMPLE,
  walletParameter,
} from "./wallet-figures.ts";

export const latestTotalPerformance = endpoint({
  name: "getWalletLatestTotalPerformance",
  methods: ["GET", "POST"],
  path: "/v1/wallet-api/latest-total-performance",
  title: "Performance of a wallet",
  summary: "DEX trading profit of a wallet across all its tokens.",
  parameters: {
    wallet_address: walletParameter(),
    chain: chainParameter(),
    total_exclude: totalExclude(),
    max_size_ok: maxSizeOk(),
  },
  answer: z.strictObject(WALLET_TOTALS),
  example: {
    parameters: { wallet_address: WALLET_EXAMPLE, total_exclude: true },
    answer: {
      ...WALLET_TOTALS_EXAMPLE,
      excluded: { total: ["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"] },
    },
  },
  cost: "read",
  question: (values) => {
    const { wallet_address: wallet, chain, total_exclude: totalExclude, max_size_ok: maxSizeOk } = values;
    const query = { wallet, totalExclude, maxSizeOk };
    return {
      chain,
      fromMemory: (memory, facts) => present(wallet, totalsIn(memory, facts, query), totalExclude),
      fromEngine: async (reader, limits) => {
        const { answer, asOf } = await readSnapshot(reader, chain, limits, (snapshot) =>
          readTotals(snapshot, query),
        );
        return { answer: present(wallet, answer, totalExclude), asOf };
      },
    };
  },
});

function present(wallet: string, totals: WalletTotals, totalExclude: boolean) {
  return presentTotals(wallet, totals, totalExclude ? totals.excluded : undefined);
}
