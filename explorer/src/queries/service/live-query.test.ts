import type { QueryKey } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { type Pool, tradedTokensQuery } from "../pool/pool.ts";
import { poolHistoryQuery } from "../pool/pool-history.ts";
import { poolWashQuery } from "../pool/pool-wash.ts";
import { spamQuery } from "../token/spam.ts";
import { tokenHoldersQuery } from "../token/token-holders.ts";
import { walletFlowQuery } from "../wallet/wallet-flow.ts";

// The client reads settings from the browser.
vi.mock("./client.ts", () => ({ quarry: {} }));

const POOL = { chain: "eth", address: "0xa" } as Pool;
const PERIOD = { interval: "1m", from_timestamp: 1, until_timestamp: 2 };

it.each<[string, (rollbacks: number) => { queryKey: QueryKey }]>([
  ["a wallet's cash flow", (n) => walletFlowQuery({ chain: "eth", wallet: "0xa", first: 1, last: 2 }, n)],
  ["a pool's TVL over time", (n) => poolHistoryQuery(POOL, PERIOD, n)],
  ["a pool's wash trades", (n) => poolWashQuery("eth", "0xa", n)],
  ["a pool's traded tokens", (n) => tradedTokensQuery(POOL, 1, n)],
  ["a token's holders", (n) => tokenHoldersQuery("eth", "0xa", n)],
  ["spam", (n) => spamQuery("eth", ["0xa"], n)],
])("reads %s again after a reorg", (_, queryAfter) => {
  expect(queryAfter(1).queryKey).not.toEqual(queryAfter(0).queryKey);
  expect(queryAfter(1).queryKey).toEqual(queryAfter(1).queryKey);
});
