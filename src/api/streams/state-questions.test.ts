import { afterAll, beforeAll, expect, it } from "vitest";
import { MINUTE_SECONDS } from "../../lib/seconds.ts";
import { hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import { StateQuestions } from "./state-questions.ts";

const TOKEN = hexOf(0xa1);
const MOST = 2_500;
const NOW = 1_704_412_800;
const OLDEST = NOW - 2 * MOST * MINUTE_SECONDS;

let market: Market;

beforeAll(async () => {
  market = await openMarket([
    { token: TOKEN, at: OLDEST, price: 1 },
    { token: TOKEN, at: NOW, price: 2 },
  ]);
});
afterAll(() => market.close());

it("has the newest candles, oldest first, if more are missing than an answer may have", async () => {
  const questions = new StateQuestions(market, "eth");
  const question = questions.questionOf({
    ...{ kind: "candles", token: TOKEN, pool: "all" },
    ...{ interval: MINUTE_SECONDS, priceType: "price_token_usd_robust_tick_1" },
  });
  const commit = (await market.store.committed()) ?? expect.fail("nothing is committed");
  const opensOf = async (from: number | null) => {
    const loaded = await questions.load([{ question, from }], {}, commit);
    return loaded.get(question.key)?.items.map(({ opensAt }) => opensAt);
  };
  const newest = Array.from({ length: MOST }, (_, i) => NOW - (MOST - 1 - i) * MINUTE_SECONDS);
  expect(await opensOf(OLDEST)).toEqual(newest);
  expect(await opensOf(NOW - MINUTE_SECONDS)).toEqual(newest.slice(-2));
  expect(await opensOf(null)).toEqual([NOW]);
});
