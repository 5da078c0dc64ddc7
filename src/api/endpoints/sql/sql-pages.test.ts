import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import { createServer } from "../../http/server.ts";
import { post } from "../../support/http.ts";

const AT = 1_704_412_800;
const TRADES = 700;
const MAX_ROWS = 90;

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  const trades = Array.from({ length: TRADES }, (_, i) => ({
    token: hexOf(1 + (i % 5)),
    // Fifty trades have the same time, in another order than that of their tokens.
    at: AT + Math.floor(i / 50),
    price: 1 + (i % 3),
    trader: hexOf(100 + (i % 150)),
  }));
  market = await openMarket(trades);
  app = await createServer(market);
});
afterAll(async () => {
  await app.close();
  await market.close();
});

const run = (query: string, more: Record<string, unknown> = {}) => post(app, "/v1/sql", { query, ...more });

async function pages(query: string, maxRows = MAX_ROWS) {
  const found: Record<string, unknown>[][] = [];
  for (let isLast = false; !isLast; ) {
    const { status, body, headers } = await run(query, {
      max_rows: maxRows,
      skip_rows: found.flat().length,
    });
    expect([query, status]).toEqual([query, 200]);
    found.push(body);
    isLast = headers["x-truncated"] === "false";
  }
  return found;
}

const texts = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();

describe("Pages of SQL with skip_rows", () => {
  it.each([
    ["rows without an order", "SELECT * FROM eth_dex_trades", TRADES],
    [
      "rows of an order with many ties",
      "SELECT record_index, side FROM eth_dex_trades ORDER BY side",
      TRADES,
    ],
    ["a descending order", "SELECT record_index FROM eth_dex_trades ORDER BY timestamp DESC", TRADES],
    ["columns that do not identify a row", "SELECT side, timestamp FROM eth_dex_trades ORDER BY 1", TRADES],
    ["computed columns", "SELECT price_token_usd_tick_1 * 2 AS p FROM eth_dex_trades", TRADES],
    ["a LIMIT", "SELECT record_index FROM eth_dex_trades ORDER BY side LIMIT 200", 200],
    ["a LIMIT and OFFSET", "SELECT record_index FROM eth_dex_trades LIMIT 200 OFFSET 600", 100],
    ["groups", "SELECT COUNT(*) AS n FROM eth_dex_trades GROUP BY trader_address, side", 150],
    [
      "groups with HAVING and an order",
      "SELECT trader_address, COUNT(*) AS n FROM eth_dex_trades GROUP BY trader_address HAVING COUNT(*) > 1 ORDER BY n DESC",
      150,
    ],
    ["DISTINCT", "SELECT DISTINCT trader_address, side FROM eth_dex_trades ORDER BY side", 150],
    ["one row", "SELECT COUNT(*) AS n FROM eth_dex_trades", 1],
    ["a verdict", "SELECT record_index FROM eth_dex_trades WHERE wash_reason IS NULL", TRADES],
    ["a history", "SELECT * FROM eth_token_balances", null],
    ["SHOW TABLES", "SHOW TABLES", null],
    ["DESCRIBE", "DESCRIBE eth_dex_trades", null],
  ])("together are the rows of %s", async (_, query, count) => {
    // Which rows a LIMIT selects is only determined if the order of all rows is.
    const { body: whole } = await run(query, query.includes("LIMIT") ? { skip_rows: 0 } : {});
    if (count !== null) expect(whole).toHaveLength(count);
    const found = await pages(query);
    expect(texts(found.flat())).toEqual(texts(whole));
    for (const page of found.slice(0, -1)) expect(page).toHaveLength(MAX_ROWS);
    expect(found.length).toBe(Math.max(1, Math.ceil(whole.length / MAX_ROWS)));
  });

  it("are in the same order, whatever the size of a page", async () => {
    for (const query of [
      "SELECT record_index FROM eth_dex_trades",
      "SELECT record_index FROM eth_dex_trades ORDER BY side DESC, price_token_usd_tick_1",
      "SELECT trader_address, COUNT(*) AS n FROM eth_dex_trades GROUP BY trader_address ORDER BY n",
    ]) {
      const small = (await pages(query, 37)).flat();
      expect((await pages(query, 450)).flat()).toEqual(small);
    }
  });

  it("keep the order of the query", async () => {
    const rows = (await pages("SELECT timestamp FROM eth_dex_trades ORDER BY timestamp DESC")).flat();
    expect(rows).toEqual(rows.toSorted((a, b) => (String(a.timestamp) < String(b.timestamp) ? 1 : -1)));
  });

  it.each(["ndjson", "csv"])("also exist in %s", async (format) => {
    const query = "SELECT record_index FROM eth_dex_trades ORDER BY record_index";
    const whole = (await run(query)).body.map(({ record_index }: Record<string, number>) => record_index);
    const { body, headers } = await run(query, { format, max_rows: 3, skip_rows: 698 });
    expect(body.match(/\d{3,}/g)?.map(Number)).toEqual(whole.slice(698));
    expect(headers).toMatchObject({ "x-row-limit": "3", "x-truncated": "false" });
  });

  it("are empty after the last row", async () => {
    for (const query of ["SELECT side FROM eth_dex_trades", "SELECT side FROM eth_dex_trades LIMIT 20"]) {
      const { body, headers } = await run(query, { skip_rows: 5_000 });
      expect([body, headers["x-truncated"]]).toEqual([[], "false"]);
    }
  });

  it.each([
    ["SELECT side FROM eth_dex_trades", -1, /skip_rows/],
    ["SELECT side FROM eth_dex_trades", 10_000_001, /skip_rows/],
    ["SELECT side FROM eth_dex_trades LIMIT 5 OFFSET 1", 10_000_000, /page begins after row 10000001.*WHERE/],
  ])("are rejected for %s and skip_rows %i", async (query, skip_rows, message) => {
    const { status, body } = await run(query, { skip_rows });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(message)]);
  });
});
