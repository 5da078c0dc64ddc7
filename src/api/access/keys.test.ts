import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import { hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import { createServer } from "../http/server.ts";
import { get, post, responseOf } from "../support/http.ts";

const LATEST = "/v1/price-api/batch-latest-token-prices";
const token_address = hexOf(0xa1);

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([{ token: token_address, at: 1_700_000_000, price: 5 }]);
  app = await createServer({ ...market, apiKeys: ["first", " second\n"] });
});
afterAll(async () => {
  await app.close();
  await market.close();
});

describe("spaces around an API key", () => {
  it.each(["first", "second", "first\n", "second\r\n", " first ", "\tsecond"])(
    "do not count: %j",
    async (key) => {
      const url = `${LATEST}?token_address=${token_address}`;
      const answers = await Promise.all([
        get(app, LATEST, { token_address, key }),
        post(app, LATEST, { token_address, key }),
        responseOf(app.inject({ url, headers: { "x-api-key": key.trim() } })),
        responseOf(app.inject({ url, headers: { authorization: `Bearer  ${key.trim()} ` } })),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    },
  );

  it.each(["fir st", "", " ", "\n", "first\u0000"])("are no key: %j", async (key) => {
    expect((await get(app, LATEST, { token_address, key })).status).toBe(401);
    expect((await post(app, LATEST, { token_address, key })).status).toBe(401);
  });
});

describe("an address that sends wrong keys", () => {
  const clock = new ManualClock();
  const url = `${LATEST}?token_address=${token_address}`;
  let guarded: FastifyInstance;

  const send = (key: string, remoteAddress = "192.0.2.1") =>
    responseOf(guarded.inject({ url, remoteAddress, headers: { "x-api-key": key } }));

  async function statuses(keys: string[], address?: string): Promise<number[]> {
    const found: number[] = [];
    for (const key of keys) found.push((await send(key, address)).status);
    return found;
  }

  beforeAll(async () => {
    const limits = { rejectionDelayMs: 0 };
    guarded = await createServer({ ...market, apiKeys: ["first", "second"], clock, limits });
  });
  afterAll(() => guarded.close());

  it("gets 429 after 20 in a minute, also for the right key", async () => {
    const wrong = Array.from({ length: 20 }, (_, i) => `wrong ${i}`);
    expect(new Set(await statuses(wrong))).toEqual(new Set([401]));
    const refused = await send("second");
    expect([refused.status, refused.headers["retry-after"], refused.headers["x-error-code"]]).toEqual([
      429,
      "60",
      "busy",
    ]);
    expect(await statuses(["second"], "192.0.2.2")).toEqual([200]);
    await clock.advance(60_000);
    expect(await statuses(["second"])).toEqual([200]);
  });

  it("may go on using keys that it used before", async () => {
    expect(await statuses(["first", ...Array(30).fill("wrong"), "first", "second"], "192.0.2.3")).toEqual([
      200,
      ...Array(20).fill(401),
      ...Array(10).fill(429),
      200,
      429,
    ]);
  });

  it("does not lose guesses by requests without a key", async () => {
    const without = () => responseOf(guarded.inject({ url, remoteAddress: "192.0.2.4" }));
    for (let i = 0; i < 30; i++) expect((await without()).status).toBe(401);
    expect(await statuses(["first"], "192.0.2.4")).toEqual([200]);
  });
});
