import { QueryClient } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { tokenPoolsQuery } from "./token-pools.ts";

const [CASH, OTHER] = ["0xca", "0x07"];
/** BUSY has the most swaps. None of its swaps is a trade of the cash token, which is only the payment. */
const [BUSY, OLD] = ["0xb1", "0xb2"];

/** The responses of the simulated service. */
const answers = vi.hoisted(() => ({ sql: (_: string): object[] => [], busiest: [] as string[] }));

// The client reads settings from the browser.
vi.mock("../service/client.ts", () => ({
  quarry: {
    sql: async (text: string) => ({ rows: answers.sql(text) }),
    screener: async () => ({ pools: answers.busiest.map((pool_address) => ({ pool_address })) }),
    poolTvls: async () => ({ pools: [] }),
  },
}));

const poolRow = (pool_address: string) => ({
  ...{ pool_address, protocol: "uniswap_v3", fee: null, token_0_address: OTHER, token_1_address: CASH },
  token_addresses: `${OTHER},${CASH}`,
});

it("lists the most traded pools of a token that pays for others", async () => {
  answers.busiest = [BUSY];
  answers.sql = (text) => {
    if (text.includes("COUNT(*) AS count")) return [{ count: 2 }];
    if (text.includes("ORDER BY record_index")) return [poolRow(OLD)];
    if (text.includes("pool_metadata")) return text.includes(BUSY) ? [poolRow(BUSY)] : [];
    if (text.includes("quote_address"))
      return [
        { pool_address: BUSY, token_address: OTHER, quote_address: CASH, volume_usd: 900, trades: 3 },
        { pool_address: OLD, token_address: OTHER, quote_address: CASH, volume_usd: 100, trades: 1 },
      ];
    return [];
  };
  const { pools } = await new QueryClient().fetchQuery(tokenPoolsQuery("eth", CASH, 1_704_412_800));
  expect(pools.map(({ address, volumeUsd }) => [address, volumeUsd])).toEqual([
    [BUSY, 900],
    [OLD, 100],
  ]);
});
