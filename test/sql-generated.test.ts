import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identifier } from "../src/lib/sql-text.ts";
import { compileSql, type SqlContext } from "../src/sql/compile.ts";
import { SQL_LIMITS } from "../src/sql/limits.ts";
import { parseStatement } from "../src/sql/parser.ts";
import { expressionText } from "../src/sql/source-text.ts";
import type { Expression } from "../src/sql/syntax.ts";
import { type BareEngine, openBareEngine } from "./support/chdb.ts";
import { FIXTURE_BOUND, FIXTURE_NOW, fixtureStatements } from "./support/query-fixture.ts";
import { filters, validQueries } from "./support/query-generator.ts";

const context: SqlContext = {
  chains: ["eth"],
  now: FIXTURE_NOW,
  engineTable: (chain, table) => identifier(`${chain}_${table}`),
  bound: () => FIXTURE_BOUND,
};

let engine: BareEngine;

beforeAll(async () => {
  engine = openBareEngine();
  for (const statement of fixtureStatements()) await engine.run(statement);
});

afterAll(async () => {
  await engine.close();
});

const rowsOf = (query: string) => engine.lines(compileSql(query, context).sql);

async function countOf(table: string, condition: string): Promise<number> {
  const [row = "{}"] = await rowsOf(`SELECT COUNT(*) AS n FROM ${table} WHERE ${condition}`);
  return JSON.parse(row).n;
}

describe("generated queries", () => {
  it("run on the engine, and answer neither NaN nor infinity", async () => {
    const runs = fc.asyncProperty(validQueries, async (query) => {
      const rows = await rowsOf(query);
      for (const row of rows) expect(row).not.toMatch(/:-?(?:nan|inf)/i);
    });
    await fc.assert(runs, { numRuns: 400 });
  });

  it("split all rows into those where a condition is true, false and null", async () => {
    const partition = fc.asyncProperty(filters, async ({ table, condition }) => {
      const all = await countOf(table, "TRUE");
      const parts = await Promise.all([
        countOf(table, condition),
        countOf(table, `NOT (${condition})`),
        countOf(table, `(${condition}) IS NULL`),
      ]);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(all);
    });
    await fc.assert(partition, { numRuns: 150 });
  });

  it("parse back from their normal text to the same text", () => {
    const parse = (condition: string): Expression => {
      const statement = parseStatement(`SELECT a FROM t WHERE ${condition}`, SQL_LIMITS);
      if (statement.statement !== "select" || statement.where === null) throw new Error(condition);
      return statement.where;
    };
    const same = fc.property(filters, ({ condition }) => {
      const normal = expressionText(parse(condition));
      expect(expressionText(parse(normal))).toBe(normal);
    });
    fc.assert(same, { numRuns: 1_000 });
  });
});

describe("the largest queries that are allowed run on the engine", () => {
  const nested = (count: number, inner: string) => "(log_index + ".repeat(count) + inner + ")".repeat(count);
  it.each([
    ["1,400 addresses", `token_address IN (${Array(1_400).fill(`'0x${"ab".repeat(20)}'`)})`],
    ["7,000 numbers", `log_index IN (${Array.from({ length: 7_000 }, (_, i) => i)})`],
    ["4,000 times", `timestamp IN (${Array.from({ length: 4_000 }, (_, i) => 1_700_000_000 + i)})`],
    ["2,500 alternatives", Array.from({ length: 2_500 }, (_, i) => `log_index=${i}`).join(" OR ")],
    ["32,000 characters to escape", `side = '${"é".repeat(32_000)}'`],
    ["60 levels of arithmetic", `${nested(60, "1")} > 0`],
    ["60 levels of remainders", `${"(amount_usd % ".repeat(60)}2.5${")".repeat(60)} > 0`],
    ["60 levels of HISTOGRAM", `${"HISTOGRAM(".repeat(60)}log_index${", 2)".repeat(60)} > 0`],
    ["60 levels of NOT", `${"NOT ".repeat(60)} side = 'buy'`],
  ])("%s", async (_, condition) => {
    const rows = await rowsOf(`SELECT COUNT(*) AS n FROM eth_dex_trades WHERE ${condition}`);
    expect(rows).toHaveLength(1);
  });

  it("remainders in every column", async () => {
    const deep = `${"(".repeat(60)}amount_usd${" % 2.5)".repeat(60)}`;
    const columns = Array.from({ length: 14 }, (_, i) => `${deep} AS a${i}`);
    expect(await rowsOf(`SELECT ${columns.join(", ")} FROM eth_dex_trades LIMIT 1`)).toHaveLength(1);
    const one = Array.from({ length: 780 }, () => "amount_usd % 2.5 > 1");
    const rows = await rowsOf(`SELECT COUNT(*) AS n FROM eth_dex_trades WHERE ${one.join(" OR ")}`);
    expect(rows).toHaveLength(1);
  });

  it.each([
    ["sums of amounts", `HAVING ${Array(600).fill("SUM(value_base) > 1").join(" OR ")}`],
    ["means of sums of amounts", `HAVING ${Array(240).fill("SUM(value_base) / 3 > 1").join(" OR ")}`],
    ["uses of an alias", `HAVING ${Array(340).fill("many > 1").join(" OR ")}`],
  ])("%s", async (_, having) => {
    const rows = await rowsOf(`SELECT SUM(value_base % 7) AS many FROM eth_erc20 ${having}`);
    expect(rows).toHaveLength(1);
  });
});
