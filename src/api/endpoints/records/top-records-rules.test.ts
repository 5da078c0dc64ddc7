import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { createServer } from "../../http/server.ts";
import { get, post, type TestResponse } from "../../support/http.ts";
import { bufferFiles, canListOpenFiles } from "../../support/open-files.ts";

const PATH = "/v1/topk-api/dex-trades";
const DAY = 86_400;
const AT = 1_704_412_800;
const [A, B, UNKNOWN] = [hexOf(0xa1), hexOf(0xb2), hexOf(0xc3)];

let market: Market;
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  market = await openMarket([
    { token: A, at: AT - 400 * DAY, price: 1, usd: 900 },
    { token: A, at: AT - 20 * DAY, price: 2, usd: null },
    { token: A, at: AT, price: 3, usd: 100 },
    { token: A, at: AT, price: 4, usd: 100 },
    { token: B, at: AT - 300 * DAY, price: 5, usd: 500 },
  ]);
  app = await createServer(market);
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
  await market.close();
});

const tokens = (more: object) => ({ groupby: "token_address", eq: [A, B], ...more });

async function prices(query: object): Promise<Record<string, number[]>> {
  const { status, body } = await post(app, PATH, query);
  expect([status, body.error]).toEqual([200, undefined]);
  const groups = Object.entries<{ price_token_usd_tick_1: number }[]>(body);
  return Object.fromEntries(
    groups.map(([key, list]) => [key, list.map((one) => one.price_token_usd_tick_1)]),
  );
}

describe("top records", () => {
  it("are by default the newest record of each group, as of a block", async () => {
    const { body, headers } = await get(app, PATH, { groupby: "token_address", eq: `${A},${UNKNOWN},${B}` });
    expect(Object.keys(body)).toEqual([A, UNKNOWN, B]);
    expect(body).toEqual({
      [A]: [expect.objectContaining({ token_address: A, price_token_usd_tick_1: 4, timestamp: AT })],
      [UNKNOWN]: [],
      [B]: [expect.objectContaining({ token_address: B, price_token_usd_tick_1: 5 })],
    });
    expect(headers).toMatchObject({ "x-indexed-block": "1003", "x-indexed-timestamp": String(AT) });
  });

  it("follow order, size and sortby; ties are in chain order, records without a value come last", async () => {
    expect(await prices(tokens({ size: 9 }))).toEqual({ [A]: [4, 3, 2, 1], [B]: [5] });
    expect(await prices(tokens({ size: "3", order: "asc" }))).toEqual({ [A]: [1, 2, 3], [B]: [5] });
    const byValue = tokens({ size: 9, sortby: "amount_usd" });
    expect(await prices(byValue)).toEqual({ [A]: [1, 4, 3, 2], [B]: [5] });
    expect(await prices({ ...byValue, order: "asc" })).toEqual({ [A]: [3, 4, 1, 2], [B]: [5] });
  });

  it("have the keys exactly as given, even several for one value", async () => {
    const upper = `0x${A.slice(2).toUpperCase()}`;
    const keys = [upper, A, ` ${B}`, upper];
    const once = { [upper]: [4], [A]: [4], [` ${B}`]: [5] };
    expect(await prices(tokens({ eq: keys }))).toEqual(once);
    expect(await prices(tokens({ eq: keys.join() }))).toEqual(once);
    expect(await prices({ groupby: "block_number", eq: [1000, "1001", "01000"] })).toEqual({
      "1000": [1],
      "01000": [1],
      "1001": [5],
    });
    expect(await prices({ groupby: "side", eq: ["__proto__", "buy", "a,b"] })).toEqual(
      JSON.parse('{"__proto__":[],"buy":[4],"a,b":[]}'),
    );
  });

  it("accept names in any case, a key, and unknown parameters", async () => {
    const query = {
      groupby: " Token_Address",
      eq: A,
      sortby: "TIMESTAMP",
      key: "k",
      fields: "all",
      size: "2",
    };
    expect(await prices(query)).toEqual({ [A]: [4, 3] });
    const { body } = await get(app, PATH, { ...query, chain: "ETH" });
    expect(body[A]).toHaveLength(2);
  });

  it("can be grouped by the wallet that traded", async () => {
    expect(await prices({ groupby: "trader_address", eq: hexOf(0xabc), size: 9 })).toEqual({
      [hexOf(0xabc)]: [4, 3, 2, 5, 1],
    });
  });

  it.each([
    [{ eq: A }, "Missing required parameter: groupby"],
    [{ groupby: "token_address" }, "Missing required parameter: eq"],
    [{ groupby: "token_address", eq: "" }, "Missing required parameter: eq"],
    [{ eq: [], groupby: "side" }, "Invalid parameter eq: got [], expected a list of 1 to 10000"],
    [
      { groupby: "token_adress", eq: A },
      'groupby: got "token_adress" (did you mean "token_address"?), expected one of timestamp,',
    ],
    [{ groupby: "data", eq: "0x" }, 'Invalid parameter groupby: got "data"'],
    [tokens({ sortby: "price" }), 'Invalid parameter sortby: got "price"'],
    [tokens({ order: "up" }), 'Invalid parameter order: got "up", expected desc or asc.'],
    [tokens({ size: 0 }), "Invalid parameter size: got 0, expected an integer from 1 to 10000."],
    [tokens({ size: 10_001 }), "Invalid parameter size: got 10001"],
    [tokens({ chain: "doge" }), "expected one of the configured chains: eth"],
    [
      tokens({ eq: [A, "0x12"] }),
      'Invalid parameter eq: got "0x12" (item 2 of 2); for groupby=token_address, expected an address, 0x and 40 hex digits.',
    ],
    [{ groupby: "block_number", eq: "1,1,1,x" }, 'got "x" (item 4 of 4)'],
    [{ groupby: "block_number", eq: [1, "1", 1, "x", "x"] }, 'got "x" (item 4 of 5)'],
    [
      tokens({ eq: [A, null] }),
      "Invalid parameter eq: got null (item 2 of 2), expected a list of 1 to 10000 strings or numbers.",
    ],
    [{ groupby: "transaction_hash", eq: A }, "for groupby=transaction_hash, expected 0x and 64 hex digits."],
    [{ groupby: "pool_address", eq: "all" }, "for groupby=pool_address, expected a pool"],
    [
      { groupby: "block_number", eq: "new" },
      "for groupby=block_number, expected an integer from 0 to 2^64 - 1.",
    ],
    [{ groupby: "block_number", eq: -1 }, "got -1 (item 1 of 1)"],
    [
      { groupby: "block_number", eq: 2 ** 60 },
      "an integer from 0 to 2^64 - 1, as text if it is 2^53 or more",
    ],
    [{ groupby: "timestamp", eq: 2 ** 60 }, "a time in unix seconds, an integer from 0 to 4294967295."],
    [
      { groupby: "block_number", eq: "18446744073709551616" },
      "for groupby=block_number, expected an integer",
    ],
    [{ groupby: "timestamp", eq: "2024-01-05" }, "for groupby=timestamp, expected a time in unix seconds"],
    [{ groupby: "amount_usd", eq: "0x10" }, "for groupby=amount_usd, expected a number."],
    [{ groupby: "amount_usd", eq: "1e999" }, "for groupby=amount_usd, expected a number."],
  ])("reject %o", async (query, message) => {
    const { status, body } = await post(app, PATH, query);
    expect([status, Object.keys(body)]).toEqual([400, ["error"]]);
    expect(body.error).toContain(message);
  });

  it("advise text for a JSON number that has lost digits", async () => {
    const { status, body } = await post(app, "/v1/topk-api/transactions", {
      groupby: "value_base",
      eq: [1, 10 ** 18],
    });
    expect([status, body.error]).toEqual([
      400,
      "Invalid parameter eq: got 1000000000000000000 (item 2 of 2); for groupby=value_base, expected \
an integer from 0 to 2^256 - 1, as text if it is 2^53 or more, because JSON numbers lose digits there.",
    ]);
  });

  it("accept 10,000 values, and 100,000 records in all, and no more", async () => {
    const values = (count: number) => Array.from({ length: count }, (_, i) => hexOf(0xa1 + i));
    const most = await post(app, PATH, tokens({ eq: values(10_000), size: 10 }));
    expect([most.status, Object.keys(most.body).length, most.body[A].length]).toEqual([200, 10_000, 4]);
    const tooMany = await post(app, PATH, tokens({ eq: values(10_001) }));
    expect([tooMany.status, tooMany.body.error]).toEqual([
      400,
      expect.stringContaining("got a list of 10001"),
    ]);
    const tooLarge = await post(app, PATH, tokens({ eq: values(10_000), size: 11 }));
    expect([tooLarge.status, tooLarge.body.error]).toEqual([
      400,
      "Invalid parameter size: got 11; for 10000 values of eq, expected an integer from 1 to 10.",
    ]);
    expect((await post(app, PATH, tokens({ eq: A, size: 10_000 }))).status).toBe(200);
  });

  it("accept a URL of 2048 characters; a longer one is a 414, a longer body is not", async () => {
    const start = `${PATH}?groupby=token_address&eq=${A}&note=`;
    const longest = start.padEnd(2048, "x");
    expect((await fetch(url + longest)).status).toBe(200);
    const rejected = await fetch(`${url}${longest}x`);
    expect([rejected.status, await rejected.json()]).toEqual([
      414,
      { error: "The URL is longer than 2048 characters. Send the parameters by POST." },
    ]);
    const body = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    expect((await fetch(`${url}${longest}x`, body)).status).toBe(200);
  });

  it("of an unknown table are a 404 that lists the tables", async () => {
    const { status, body } = await get(app, "/v1/topk-api/trades", { groupby: "token_address", eq: A });
    expect([status, body.error]).toEqual([
      404,
      "There is nothing at /v1/topk-api/trades. Endpoints in /v1/topk-api/: transactions, blocks, logs, erc20, erc721, dex-trades, token-balances.",
    ]);
  });

  it.skipIf(!canListOpenFiles)("are not held in memory, and leave no file", async () => {
    const small = await createServer({ ...market, limits: { answerMemoryBytes: 50 } });
    const answers: TestResponse[] = [];
    for (const service of [small, app]) answers.push(await post(service, PATH, tokens({ size: 9 })));
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    await small.close();
    await expect.poll(bufferFiles).toBe(0);
  });
});
