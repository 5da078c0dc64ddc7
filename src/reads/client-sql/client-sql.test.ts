import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commitTrades, hashOf, hexOf, type Market, openMarket } from "../support/market.ts";
import { askClientQuery } from "./client-sql.ts";

const AT = 1_704_412_800;
const TOKEN = hexOf(5);
const QUERY =
  "SELECT block_number, price_token_usd_tick_1 AS price FROM eth_dex_trades ORDER BY block_number";

let market: Market;
let fork = 0;

beforeAll(async () => {
  market = await openMarket([1, 1].map((price, i) => ({ token: TOKEN, at: AT + i, price })));
});
afterAll(() => market.close());

/** Puts another block in the place of the newest. */
async function refork(): Promise<void> {
  await market.store.rollback({ number: 1000, hash: hashOf(1000), timestamp: AT });
  await commitTrades(market.store, [{ token: TOKEN, at: AT + 1, price: ++fork }], { firstBlock: 1001, fork });
}

/** Asks, and does something when the rows of an attempt have been read. */
function ask(meanwhile: (attempt: number) => Promise<void>) {
  let attempts = 0;
  return askClientQuery(market, {
    text: QUERY,
    now: AT,
    format: "json",
    sqlLimits: {},
    limits: {},
    collect: async (json) => {
      let rows = "";
      const attempt = ++attempts;
      for await (const piece of json) {
        rows += Buffer.from(piece).toString();
        await meanwhile(attempt);
      }
      return { rows: JSON.parse(rows), attempt };
    },
  });
}

describe("askClientQuery", () => {
  it("asks again when the chain was rolled back while the rows were read", async () => {
    const { answer, asOf } = await ask(async (attempt) => {
      if (attempt === 1) await refork();
    });
    expect(answer.collected).toEqual({
      rows: [
        { block_number: 1000, price: 1 },
        { block_number: 1001, price: fork },
      ],
      attempt: 2,
    });
    expect([asOf?.blockHash, answer.truncated]).toEqual([hashOf(1001, fork), false]);
  });

  it("is not disturbed by blocks that follow", async () => {
    let next = 1002;
    const { answer, asOf } = await ask(async () => {
      const trade = { token: TOKEN, at: AT + next, price: 7 };
      await commitTrades(market.store, [trade], { firstBlock: next++, fork });
    });
    expect([answer.collected.attempt, answer.collected.rows.length, asOf?.blockNumber]).toEqual([1, 2, 1001]);
  });

  it("gives up on a chain that never stands still", async () => {
    await expect(ask(refork)).rejects.toMatchObject({ code: "not-ready", retryable: true });
  });

  it("passes on what the collector throws, without asking again", async () => {
    let calls = 0;
    const failing = askClientQuery(market, {
      text: QUERY,
      now: AT,
      format: "json",
      sqlLimits: {},
      limits: {},
      collect: async (json) => {
        calls++;
        throw new RangeError(await text(json));
      },
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(calls).toBe(1);
  });
});
