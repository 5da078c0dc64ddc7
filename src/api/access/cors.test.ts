import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import { createServer } from "../http/server.ts";
import { responseOf } from "../support/http.ts";

const LATEST = "/v1/price-api/batch-latest-token-prices";

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([{ token: hexOf(0xa1), at: 1_700_000_000, price: 5 }]);
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

async function allowed(requested?: string) {
  const headers = {
    origin: "https://example.org",
    "access-control-request-method": "POST",
    ...(requested === undefined ? {} : { "access-control-request-headers": requested }),
  };
  const answer = await responseOf(app.inject({ method: "OPTIONS", url: LATEST, headers }));
  expect([answer.status, answer.headers.vary]).toEqual([204, "Access-Control-Request-Headers"]);
  return String(answer.headers["access-control-allow-headers"]);
}

const USUAL =
  "Content-Type, Accept, Authorization, X-API-Key, If-None-Match, Cache-Control, Pragma, X-Requested-With";

describe("a preflight request", () => {
  it("is allowed every header that it names", async () => {
    for (const requested of [
      "content-type",
      "content-type,if-none-match,x-requested-with",
      "cache-control, range, sentry-trace, baggage, x-amzn-trace-id",
    ]) {
      expect(await allowed(requested)).toBe(requested);
    }
  });

  it.each([undefined, "", "a b", "x\ty", "a,,b", "a;b", "a: b", "é", `x-${"y".repeat(2000)}`])(
    "gets the usual headers when its list is %j",
    async (requested) => {
      expect(await allowed(requested)).toBe(USUAL);
    },
  );
});

describe("an answer to a page", () => {
  it("shows its ETag", async () => {
    const answer = await responseOf(app.inject({ method: "GET", url: "/health" }));
    expect(String(answer.headers["access-control-expose-headers"]).split(", ")).toContain("ETag");
  });
});
