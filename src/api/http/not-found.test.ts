import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Market, openMarket } from "../../reads/support/market.ts";
import { get } from "../support/http.ts";
import { createServer } from "./server.ts";

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([]);
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

it.each([
  [
    "/v1/nope",
    "Endpoints in /v1/: sql, sql/, topk-api/, price/, price-api/, market-api/, wallet-api/, stream, search, screener, rpc, status, operations, check-usage.",
  ],
  ["/v1/topk-api?x=/", "Endpoints in /v1/topk-api/: transactions, blocks,"],
  ["/v1/topk-api/", "Endpoints in /v1/topk-api/: transactions, blocks,"],
  ["/v1/price/histroical/ohlc", "Endpoints in /v1/price/: historical/."],
  ["/v1", "Endpoints in /v1/: sql,"],
  ["/v2/sql", "GET /openapi.json describes all endpoints."],
  [`/${"v1/".repeat(2000)}`, "Endpoints in /v1/: sql,"],
  ["/nope", "GET /openapi.json describes all endpoints."],
])("lists the endpoints near %s", async (url, message) => {
  const { status, body } = await get(app, url);
  expect([status, body.error]).toEqual([404, expect.stringContaining(`. ${message}`)]);
});
