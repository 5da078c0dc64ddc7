import { afterAll, beforeAll, expect, it } from "vitest";
import { hashOfKey } from "../../../../src/api/keys/client-keys.ts";
import { NO_KEY_LIMITS } from "../../../../src/api/keys/key-limits.ts";
import {
  commitTrades,
  hashOf,
  hexOf,
  type Market,
  openMarket,
} from "../../../../src/reads/support/market.ts";
import { all } from "../../../support/all.ts";
import { type Listening, serveLive } from "../../../support/service.ts";
import { type Client, createClient } from "../../index.ts";

const AT = 1_704_412_800;
const TOKEN = hexOf(1);
const KEY = "qk_of-a-dashboard";

let market: Market;
let service: Listening;
let quarry: Client;
let nextBlock = 1004;

beforeAll(async () => {
  market = await openMarket([1, 2, 3, 4].map((price) => ({ token: TOKEN, at: AT + 60 * price, price })));
  const clientKeys = {
    isRequired: true,
    find: (hash: string) =>
      hash === hashOfKey(KEY)
        ? { id: "key_0123456789ab", scopes: ["data"] as const, expiresAt: null, limits: NO_KEY_LIMITS }
        : undefined,
  };
  service = await serveLive(market, { clientKeys });
  quarry = createClient({ url: service.url, key: KEY });
});
afterAll(async () => {
  await service.close();
  await market.close();
});

async function commit(): Promise<void> {
  const trade = { token: TOKEN, at: AT + 60 * (nextBlock - 999), price: 9 };
  await commitTrades(market.store, [trade], { firstBlock: nextBlock });
  nextBlock++;
}

it("a key for data is enough to read every tick while blocks are indexed", async () => {
  const { ticks, asOf } = await quarry.tickStream(
    { token_address: [TOKEN], chain: " ETH " },
    { pageSize: 2 },
  );
  const newest = await ticks.next();
  await commit();
  const found = [newest.value, ...(await all(ticks))];
  expect(found.map((tick) => tick?.price_usd)).toEqual([4, 3, 2, 1]);
  expect(asOf.block).toBe(1003);
});

it("a key for data is enough to read every candle meanwhile, and to notice a reorg", async () => {
  const question = { token_address: TOKEN, interval: "1m", until_timestamp: AT + 120, max_size: 1 };
  const pages = quarry.candlePages(question);
  const newest = await pages.next();
  await commit();
  const found = [newest.value, ...(await all(pages))];
  expect(found.map((page) => page?.data[0]?.price_close)).toEqual([2, 1]);

  const later = quarry.candlePages(question);
  await later.next();
  await market.store.rollback({ number: 1003, hash: hashOf(1003), timestamp: AT + 240 });
  await commitTrades(market.store, [{ token: TOKEN, at: AT + 360, price: 8 }], { firstBlock: 1004, fork: 1 });
  await expect(later.next()).rejects.toMatchObject({ code: "chain-changed" });
});
