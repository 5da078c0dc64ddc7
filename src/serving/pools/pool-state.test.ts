import { expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import type { RowOf } from "../../schema/tables.ts";
import { type PoolState, withTrade } from "./pool-state.ts";

const hex = (digit: string): Hex => `0x${digit.repeat(40)}`;
const [WRAPPED, TOKEN, UNDERLYING] = [hex("a"), hex("b"), hex("c")] as const;

const STATE: PoolState = {
  ...{ pool: hex("1"), family: "uniswap-v3", factory: hex("2"), createdBlock: null, newestTrade: null },
  ...{ token0: WRAPPED, token1: TOKEN, tokens: [WRAPPED, TOKEN], underlying: [] },
  ...{ reserves: undefined, held: [], singleton: undefined, inVault: undefined },
};

const tradeOf = (token_address: Hex) =>
  ({ token_address, block_number: 7, timestamp: 70 }) as RowOf<"dex_trades">;

it("has the newest trade of other tokens only where a pool's swaps may exchange them", () => {
  const newest = { blockNumber: 7, tradedAt: 70 };
  for (const family of ["balancer-v3", "woofi", "tessera", "elfomofi", "balancer-v1", "balancer-v2"])
    expect(withTrade({ ...STATE, family }, tradeOf(UNDERLYING)).newestTrade).toEqual(newest);
  expect(withTrade({ ...STATE, tokens: [WRAPPED, TOKEN, null] }, tradeOf(UNDERLYING)).newestTrade).toEqual(
    newest,
  );
  expect(withTrade(STATE, tradeOf(UNDERLYING)).newestTrade).toBeNull();
  expect(withTrade(STATE, tradeOf(TOKEN)).newestTrade).toEqual(newest);
});
