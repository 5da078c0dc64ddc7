import { afterAll, beforeAll, expect, it } from "vitest";
import type { ScreenQuery } from "../../src/reads/screener/screen-query.ts";
import { loadTokens } from "../../src/reads/served/load-tokens.ts";
import { checkServing } from "../../src/reads/served/self-check.ts";
import { ETH, hexOf, type Market, openMarket } from "../../src/reads/support/market.ts";
import type { RowOf } from "../../src/schema/tables.ts";
import { ServingState } from "../../src/serving/serving-state.ts";

const [SOUND, WRONG] = [hexOf(0xa1), hexOf(0xa2)];
const AT = 1_700_000_000;

let market: Market;

beforeAll(async () => {
  const trades = [SOUND, WRONG].flatMap((token, i) =>
    [1, 2, 3].map((price) => ({ token, at: AT + i, price })),
  );
  market = await openMarket(trades, { named: [SOUND, WRONG] });
});
afterAll(() => market.close());

it("a loaded state agrees with the store, and a check finds the key that does not", async () => {
  const { store } = market;
  const serving = new ServingState(2 ** 20);
  const readable = { chain: ETH, store, serving };
  const source = { reader: { ...market, chains: [readable] }, readable, limits: {} };
  serving.startAt(await store.committed());
  expect(await loadTokens(source)).toBe(2);
  expect(serving.parts.tickPrices.use.entries).toBe(2);
  expect(await checkServing(source.reader, readable, {})).toEqual([]);
  const neverStored = {
    ...{ token_address: WRONG, block_number: 1000, timestamp: AT, transaction_hash: hexOf(1, 32) },
    ...{ price_token_usd_tick_1: 9, price_token_usd_robust_tick_1: null, price_token_eth: null },
  };
  const { commit } = serving;
  if (commit === null) throw new Error("nothing is committed");
  serving.extended(commit, { dex_trades: [neverStored as unknown as RowOf<"dex_trades">] });
  expect(await checkServing(source.reader, readable, {})).toContainEqual({ part: "tickPrices", key: WRONG });
});

it("reads one list at a time, because each is a full read", async () => {
  const serving = new ServingState(2 ** 20);
  const readable = { chain: ETH, store: market.store, serving };
  serving.startAt(await market.store.committed());
  const any = { min: null, max: null };
  const [volume_usd, trades, traders, price_change_pct, liquidity_usd] = Array(5).fill(any);
  const query: ScreenQuery = {
    ...{ kind: "token", windowSeconds: 3_600, sort: "trades", order: "desc" },
    filters: { volume_usd, trades, traders, price_change_pct, liquidity_usd },
    ...{ age: any, protocol: null, tokens: null, showsSpam: true, excludesWash: false, rows: 10 },
  };
  for (const rows of [1, 2, 3]) serving.parts.lists.set(JSON.stringify({ ...query, rows }), "not this", 1000);
  const found = await checkServing({ ...market, chains: [readable] }, readable, {});
  expect(found).toEqual([{ part: "lists", key: expect.any(String) }]);
});
