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
    "Served in /v1/: sql, sql/, topk-api/, price/, price-api/, market-api/, wallet-api/, rpc, status.",
  ],
  ["/v1/topk-api?x=/", "Served in /v1/topk-api/: transactions, blocks,"],
  ["/v1/topk-api/", "Served in /v1/topk-api/: transactions, blocks,"],
  ["/v1/price/histroical/ohlc", "Served in /v1/price/: historical/."],
  ["/v1", "Served in /v1/: sql,"],
  ["/v2/sql", "What is served: GET /openapi.json."],
  [`/${"v1/".repeat(2000)}`, "Served in /v1/: sql,"],
  ["/nope", "What is served: GET /openapi.json."],
])("tells what is near %s", async (url, sentence) => {
  const { status, body } = await get(app, url);
  expect([status, body.error]).toEqual([404, expect.stringContaining(`. ${sentence}`)]);
});
