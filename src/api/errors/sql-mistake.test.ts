import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hexOf, type Market, openMarket } from "../../reads/support/market.ts";
import { createServer } from "../http/server.ts";
import { post } from "../support/http.ts";
import { SQL_MISTAKE } from "./sql-mistake.ts";

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([{ token: hexOf(1), at: 1_704_412_800, price: 1 }]);
  app = await createServer({ engine: market.engine, chains: market.chains });
});
afterAll(async () => {
  await app.close();
  await market.close();
});

async function mistakeIn(query: string) {
  const { status, headers, body } = await post(app, "/v1/sql", { query });
  expect([status, headers["x-error-code"], Object.keys(body)]).toEqual([400, "bad-input", ["error"]]);
  const mistake = SQL_MISTAKE.parse(JSON.parse(String(headers["x-sql-error"])));
  expect(body.error).toMatch(new RegExp(`^line ${mistake.line}:${mistake.column}: `));
  return { ...mistake, marked: query.slice(mistake.offset, mistake.offset + mistake.length) };
}

describe("a mistake in SQL", () => {
  it("is reported as in docs/sql-results.md", async () => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/sql-results.md"), "utf8");
    const [, example = ""] = /```json\n(\{"line".*\})\n```/.exec(page) ?? [];
    const { body, headers } = await post(app, "/v1/sql", { query: "SELECT addres FROM eth_logs" });
    expect(headers["x-sql-error"]).toBe(example);
    expect(page).toContain(body.error);
  });

  it.each([
    ["SELECT addres FROM eth_logs", { marked: "addres", suggestion: "address" }],
    ["SELECT *\n  FROM eth_log", { line: 2, column: 8, marked: "eth_log", suggestion: "eth_logs" }],
    ["SELECT COUN(*) FROM eth_logs", { marked: "COUN", suggestion: "COUNT" }],
    ['SELECT l."addres" FROM eth_logs l', { marked: 'l."addres"', suggestion: "l.address" }],
    ['SELECT 1 AS "the mean" FROM eth_logs ORDER BY the_mean', { suggestion: '"the mean"' }],
    ["SELECT CAST(1 AS DUBLE) FROM eth_logs", { marked: "DUBLE", suggestion: "DOUBLE" }],
    ["SELECT EXTRACT(YEER FROM timestamp) FROM eth_logs", { marked: "YEER", suggestion: "YEAR" }],
    ["SELECT * FROM eth_logs LIMIT x", { marked: "x", expected: "a whole number", found: '"x"' }],
    ["SELECT 1 +", { marked: "", found: "the end of the query", offset: 10 }],
    ["SELECT 'ü' § 1", { marked: "§", column: 12, found: null, suggestion: null }],
    ["SELECT '€', 12ab FROM eth_logs", { marked: "12ab" }],
    ["SELECT 'open", { marked: "'" }],
    ["-- nothing", { offset: 10, marked: "" }],
    ["SELECT 🦀", { marked: "🦀" }],
  ])("%j has a position, the text found and a suggestion", async (query, expected) => {
    expect(await mistakeIn(query)).toMatchObject(expected);
  });

  it("is reported in ASCII and with limited length, for any query", async () => {
    const { headers } = await post(app, "/v1/sql", {
      query: `SELECT "${"ü\\n".repeat(5_000)}" FROM eth_logs`,
    });
    expect(headers["x-sql-error"]).toMatch(/^[ -~]{1,2000}$/);
    expect(JSON.parse(String(headers["x-sql-error"])).found).toContain("ü");
  });

  it("is not reported for errors that the query did not cause", async () => {
    const { headers } = await post(app, "/v1/sql", {});
    expect([headers["x-error-code"], headers["x-sql-error"]]).toEqual(["bad-input", undefined]);
  });
});
