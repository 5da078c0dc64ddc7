import { z } from "zod";
import { readSnapshot } from "../../../reads/snapshot/snapshot.ts";
import { type BatchTotals, MAX_WALLETS, readBatchTotals } from "../../../reads/wallets/wallets.ts";
import { batchTotalsIn } from "../../../reads/wallets/wallets-in-memory.ts";
import { MAX_WALLET_TRADES } from "../../../serving/wallets/wallet-positions.ts";
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

/**
 * Maximum size of a body: 93,000 wallets as JSON. Clients send all of their wallets first, and then the
 * wallets that the answer lists in `remainder`. Parsing a body of this size takes a tenth of a second of CPU
 * time.
 */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
const MAX_BODY_VALUES = 100_000;

export const batchLatestTotalPerformance = endpoint({
  name: "getBatchWalletLatestTotalPerformance",
  methods: ["GET", "POST"],
  path: "/v1/wallet-api/batch-latest-total-performance",
  maxBodyBytes: MAX_BODY_BYTES,
  maxBodyValues: MAX_BODY_VALUES,
  title: "Performance of many wallets",
  summary: `DEX trading profit of up to ${MAX_WALLETS} wallets with ${MAX_WALLET_TRADES} trades in total; further wallets are listed in remainder.`,
  parameters: {
    wallet_address: required(
      addressList({ maxOnGet: MAX_ADDRESSES_ON_GET }),
      `wallets, as senders of transactions; duplicates count once, and wallets in excess of ${MAX_WALLETS} wallets or ${MAX_WALLET_TRADES} trades are returned in remainder`,
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
  question: ({ wallet_address: wallets, chain, total_exclude: totalExclude }) => ({
    chain,
    fromMemory: (memory, facts) => present(batchTotalsIn(memory, facts, wallets, totalExclude), totalExclude),
    fromEngine: async (reader, limits) => {
      const { answer, asOf } = await readSnapshot(reader, chain, limits, (snapshot) =>
        readBatchTotals(snapshot, wallets, totalExclude),
      );
      return { answer: present(answer, totalExclude), asOf };
    },
  }),
});

function present({ wallets, remainder }: BatchTotals, totalExclude: boolean) {
  const data = [...wallets].map(([wallet, totals]) => {
    const excluded = totalExclude ? totals.excluded : undefined;
    return [wallet, presentTotals(wallet, totals, excluded)] as const;
  });
  return { data: Object.fromEntries(data), remainder };
}
