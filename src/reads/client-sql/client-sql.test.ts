import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Engine } from "../../storage/store.ts";
import { commitTrades, hashOf, hexOf, type Market, openMarket } from "../support/market.ts";
import { prepareClientQuery, runClientQuery } from "./client-sql.ts";

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

/** Replaces the newest block with one of another fork. */
async function refork(): Promise<void> {
  await market.store.rollback({ number: 1000, hash: hashOf(1000), timestamp: AT });
  await commitTrades(market.store, [{ token: TOKEN, at: AT + 1, price: ++fork }], { firstBlock: 1001, fork });
}

const prepared = () => prepareClientQuery(market, { text: QUERY, now: AT, format: "json", sqlLimits: {} });

/** Runs the query, and calls `meanwhile` while the rows of each attempt are read. */
function run(meanwhile: (attempt: number) => Promise<void>) {
  let attempts = 0;
  return runClientQuery(market, prepared(), {
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

describe("runClientQuery", () => {
  it("retries when the chain is rolled back while the rows are read", async () => {
    const { answer, asOf } = await run(async (attempt) => {
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

  it("is not affected by blocks that follow", async () => {
    let next = 1002;
    const { answer, asOf } = await run(async () => {
      const trade = { token: TOKEN, at: AT + next, price: 7 };
      await commitTrades(market.store, [trade], { firstBlock: next++, fork });
    });
    expect([answer.collected.attempt, answer.collected.rows.length, asOf?.blockNumber]).toEqual([1, 2, 1001]);
  });

  it("gives up on a chain that keeps reorganizing", async () => {
    await expect(run(refork)).rejects.toMatchObject({ code: "not-ready", retryable: true });
  });

  it("passes on errors of the collector, without a retry", async () => {
    let calls = 0;
    const failing = runClientQuery(market, prepared(), {
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

describe("while the engine runs as many abandoned statements as it may", () => {
  const TOO_MANY = new RangeError("too many abandoned statements");
  const full = () => ({
    ...market,
    engine: {
      ...engineOf(market),
      abandoned: {
        running: 2,
        total: 2,
        requireRoom() {
          throw TOO_MANY;
        },
      },
    },
  });

  function rowsOf(text: string, format: "json" | "parquet" = "json") {
    const sqlLimits = { defaultRows: 1 };
    const query = prepareClientQuery(market, { text, now: AT, format, sqlLimits });
    return runClientQuery(full(), query, {
      limits: {},
      collect: async (pieces) => {
        let bytes = 0;
        for await (const piece of pieces) bytes += piece.length;
        return bytes;
      },
    });
  }

  it("runs queries with patterns, and the second statement of a format that cannot be cut", async () => {
    const likes = Array.from({ length: 12 }, (_, i) => `CAST(data AS VARCHAR) LIKE '%a9059cb${i}%'`);
    await rowsOf(`SELECT data FROM eth_logs WHERE ${likes.join(" OR ")}`);
    const trades = "SELECT block_number FROM eth_dex_trades WHERE token_symbol NOT LIKE '%x%y%z%'";
    expect((await rowsOf(trades, "parquet")).answer.truncated).toBe(true);
  });

  it.each([
    "SELECT data FROM eth_logs WHERE LEFT(CAST(data AS VARCHAR), 100) RLIKE '.*[0-7].{90}[g-w].*'",
    "SELECT data FROM eth_logs WHERE REPEAT('a', 100000) RLIKE '.*[0-7].{200}[g-w].*'",
  ])("refuses a query that may become one: %s", async (text) => {
    await expect(rowsOf(text)).rejects.toBe(TOO_MANY);
  });
});

function engineOf({ engine }: Market): Engine {
  return {
    query: (...given) => engine.query(...given),
    stream: (...given) => engine.stream(...given),
    execute: (...given) => engine.execute(...given),
    insert: (...given) => engine.insert(...given),
    close: () => engine.close(),
  };
}
