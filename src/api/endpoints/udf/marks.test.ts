import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hexOf, type Market, openMarket, type Trade } from "../../../reads/support/market.ts";
import { createServer } from "../../http/server.ts";
import { get } from "../../support/http.ts";

const [TOKEN, WALLET] = [hexOf(0xa1), hexOf(0xabc)];
const HOUR = 3_600;
const START = 1_704_412_800;

/** Fifteen outliers within an hour, each worth more than the one before, and two in the next hour. */
const trades: Trade[] = Array.from({ length: 17 }, (_, i) => ({
  ...{ token: TOKEN, at: START + (i < 15 ? 10 * i : HOUR + i), trader: WALLET },
  ...{ price: 9, robust: null, usd: 100 + i },
}));

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket(trades, { named: [TOKEN] });
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

it.each([{}, { wallet_address: WALLET }])("marks the highest-value trades in each bar: %j", async (more) => {
  const { body } = await get(app, "/udf/marks", { symbol: `eth:${TOKEN}`, resolution: "60", ...more });
  const values = body.text.map((text: string) => Number(/, (\d+) USD,/.exec(text)?.[1]));
  expect(values).toEqual([105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116]);
  expect(body.time).toEqual([...Array(10).fill(START), START + HOUR, START + HOUR]);
});
