import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { commitTrades, hexOf, type Market, openMarket } from "../../../src/reads/support/market.ts";
import { type Listening, serve } from "../../support/service.ts";
import { type Client, type ClientOptions, createClient } from "../index.ts";

const AT = 1_704_412_800;
const TRADED = [hexOf(1), hexOf(2), hexOf(3)];
const unknown = (count: number) => Array.from({ length: count }, (_, i) => hexOf(0x10_0000 + i));

let market: Market;
let service: Listening;
let inFlight = 0;
let most = 0;
const asked: string[] = [];
let beforeAnswer: (request: number) => Promise<unknown> = async () => undefined;

beforeAll(async () => {
  market = await openMarket(TRADED.map((token, i) => ({ token, at: AT + i, price: i + 1 })));
  service = await serve(market);
});
afterEach(() => {
  asked.splice(0);
  most = 0;
  beforeAnswer = async () => undefined;
});
afterAll(async () => {
  await service.close();
  await market.close();
});

function client(options: Partial<ClientOptions> = {}): Client {
  return createClient({
    url: service.url,
    async fetch(url, init) {
      asked.push(String(url).slice(service.url.length));
      most = Math.max(most, ++inFlight);
      await beforeAnswer(asked.length);
      return fetch(url, init).finally(() => inFlight--);
    },
    ...options,
  });
}

describe("long lists", () => {
  const tokens = [...TRADED.slice(0, 2), ...unknown(24_997), TRADED[2] ?? ""];
  const mixedCase = (token: string, i: number) => (i % 2 ? token : `0x${token.slice(2).toUpperCase()}`);

  it.each([1, 3])("of 25,000 tokens are requested in three parts, %i at a time", async (concurrency) => {
    const { prices, mixed, asOf } = await client({ concurrency }).latestPrices({
      token_address: [...tokens.map(mixedCase), ...TRADED],
    });
    expect([asked.length, most]).toEqual([3, concurrency]);
    expect(prices.map(({ token_address }) => token_address)).toEqual(tokens);
    expect([prices[0]?.price_usd, prices[1]?.price_usd, prices.at(-1)?.price_usd]).toEqual([1, 2, 3]);
    expect([mixed, asOf?.block]).toEqual([false, 1002]);
  });

  it("of pools, record values and tick tokens are also requested in parts", async () => {
    const pools = unknown(2_500);
    const tvls = await client().poolTvls({ pool_address: pools });
    expect([asked.length, tvls.pools.map(({ pool_address }) => pool_address), tvls.mixed]).toEqual([
      4,
      pools,
      false,
    ]);

    const eq = [...TRADED.slice(0, 1), ...unknown(10_500), "0x0000000000000000000000000000000000000003"];
    const top = await client().topRecords("dex-trades", { groupby: "token_address", eq, size: 10 });
    expect(asked.splice(0)).toHaveLength(6);
    expect([Object.keys(top.groups), top.groups[eq[0] ?? ""]?.length]).toEqual([eq, 1]);
    expect([top.groups[eq.at(-1) ?? ""]?.length, top.mixed]).toEqual([1, false]);

    const listed = [...unknown(150), ...TRADED];
    const { tokens: found, mixed } = await client().ticks({
      token_address: listed,
      from_timestamp: AT,
      size: 10_000,
    });
    expect(asked).toEqual(["/health", ...Array(2).fill("/v1/price/historical/tick")]);
    expect([found.map(({ token_address }) => token_address), mixed]).toEqual([listed, false]);
    expect(found.slice(-3).map(({ data }) => data.length)).toEqual([1, 1, 1]);
  });

  it("keep a key that objects treat specially", async () => {
    const eq = [...Array.from({ length: 10_000 }, (_, i) => `S${i}`), "__proto__"];
    const { groups } = await client().topRecords("dex-trades", { groupby: "token_symbol", eq });
    expect([Object.keys(groups).length, Object.hasOwn(groups, "__proto__")]).toEqual([10_001, true]);
  });

  it("are of one commit: parts of older commits are requested again", async () => {
    beforeAnswer = async (request) => {
      if (request === 3)
        await commitTrades(market.store, [{ token: hexOf(9), at: AT + 9, price: 9 }], { firstBlock: 1003 });
    };
    const { mixed, asOf } = await client().latestPrices({ token_address: tokens });
    expect([asked.length, mixed, asOf?.block]).toEqual([5, false, 1003]);
  });

  it("name an invalid item by its position in the whole list, and send no request", async () => {
    const listed = [TRADED[0] ?? "", ...TRADED, ...unknown(12_000)];
    const place = "(item 12005 of 12005), expected a list of";
    const wrong = [...listed, "0x12"];
    const sentence = (field: string) => `Invalid parameter ${field}: got "0x12" ${place}`;
    const refused = async (field: string, call: Promise<unknown>) => {
      const message = expect.stringContaining(sentence(field));
      await expect(call).rejects.toMatchObject({ code: "bad-input", status: null, message });
    };
    await refused("token_address", client().latestPrices({ token_address: wrong }));
    await refused("token_address", client().allTimePrices({ token_address: wrong }));
    await refused("token_address", client().priceChanges({ token_address: wrong }));
    await refused("token_address", client().ticks({ token_address: wrong }));
    await refused("token_address", client().tickStream({ token_address: wrong }));
    await refused("wallet_address", client().walletsPerformance({ wallet_address: wrong }));
    await refused("pool_address", client().poolTvls({ pool_address: wrong }));
    expect(asked).toEqual([]);
  });

  it("may hold values other than strings, and strings with commas, as the service accepts them", async () => {
    const { prices } = await client().latestPrices({ token_address: [` ${TRADED.join()} `] });
    expect(prices.map(({ price_usd }) => price_usd)).toEqual([1, 2, 3]);
    const id = `0x${"AB".repeat(32)}`;
    const { pools } = await client().poolTvls({ pool_address: [id, hexOf(7)] });
    expect(pools.map(({ pool_address }) => pool_address)).toEqual([id.toLowerCase(), hexOf(7)]);
    const text = TRADED.join() as unknown as string[];
    expect((await client().latestPrices({ token_address: text })).prices).toEqual(prices);
    await expect(client().latestPrices({} as { token_address: string[] })).rejects.toThrow(
      "Invalid parameter token_address: got undefined (item 1 of 1)",
    );
    const missing = [hexOf(7), undefined] as string[];
    await expect(client().latestPrices({ token_address: missing })).rejects.toThrow(
      "got undefined (item 2 of 2), expected a list of addresses (0x and 40 hex digits each).",
    );
  });

  it("fail as a whole, at once, when a part fails", async () => {
    const question = { token_address: unknown(50_000), chain: "doge" };
    await expect(client({ concurrency: 2 }).latestPrices(question)).rejects.toMatchObject({
      code: "bad-input",
      message: expect.stringContaining("doge"),
    });
    expect(inFlight).toBe(0);
    expect(asked.length).toBeLessThan(4);
    await expect(client().poolTvls({ pool_address: [] })).rejects.toMatchObject({ status: 400 });
    await expect(client().topRecords("blocks", { groupby: "miner", eq: [] })).rejects.toMatchObject({
      status: 400,
    });
    await expect(client().ticks({ token_address: TRADED, size: 0 })).rejects.toMatchObject({ status: 400 });
  });
});
