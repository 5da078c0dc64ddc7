import { z } from "zod";
import { readSnapshot } from "../../../reads/snapshot/snapshot.ts";
import { MAX_WALLET_TRADES, MAX_WALLETS, readBatchTotals } from "../../../reads/wallets/wallets.ts";
import { queryLimits } from "../../admission/limits.ts";
import { endpoint } from "../../endpoint/endpoint.ts";
import { addressList } from "../../parameters/kinds/lists.ts";
import { required } from "../../parameters/parameter.ts";
import { chainParameter, MAX_ADDRESSES_ON_GET } from "../../parameters/shared-parameters.ts";
import {
  presentTotals,
  totalExclude,
  WALLET_EXAMPLE,
  WALLET_TOTALS,
  WALLET_TOTALS_EXAMPLE,
} from "./wallet-figures.ts";

export const batchLatestTotalPerformance = endpoint({
  name: "getBatchWalletLatestTotalPerformance",
  methods: ["GET", "POST"],
  path: "/v1/wallet-api/batch-latest-total-performance",
  title: "Performance of many wallets",
  summary: `DEX trading profit of up to ${MAX_WALLETS} wallets with ${MAX_WALLET_TRADES} trades in total; further wallets are listed in remainder.`,
  parameters: {
    wallet_address: required(
      addressList({ maxOnGet: MAX_ADDRESSES_ON_GET }),
      `wallets, as senders of transactions; duplicates count once, and wallets beyond ${MAX_WALLETS} wallets or ${MAX_WALLET_TRADES} trades are returned in remainder`,
    ),
    chain: chainParameter(),
    total_exclude: totalExclude(),
  },
  answer: z.strictObject({
    data: z.record(z.string(), z.strictObject(WALLET_TOTALS)).describe("by wallet address"),
    remainder: z.array(z.string()).describe("wallets that were not processed; send them in another request"),
  }),
  example: {
    parameters: { wallet_address: [WALLET_EXAMPLE] },
    answer: { data: { [WALLET_EXAMPLE]: WALLET_TOTALS_EXAMPLE }, remainder: [] },
  },
  cost: "read",
  async handle({ wallet_address: wallets, chain, total_exclude }, { reader, limits, signal }) {
    const { answer, asOf } = await readSnapshot(reader, chain, queryLimits(limits, signal), (snapshot) =>
      readBatchTotals(snapshot, wallets, total_exclude),
    );
    const data = [...answer.wallets].map(([wallet, totals]) => {
      const excluded = total_exclude ? totals.excluded : undefined;
      return [wallet, presentTotals(wallet, totals, excluded)] as const;
    });
    return { body: { data: Object.fromEntries(data), remainder: answer.remainder }, asOf };
  },
});
