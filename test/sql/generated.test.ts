import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileSql } from "../../src/sql/compile.ts";
import { parseStatement } from "../../src/sql/parse/parser.ts";
import { SQL_LIMITS } from "../../src/sql/syntax/limits.ts";
import { expressionText } from "../../src/sql/syntax/source-text.ts";
import { SqlError } from "../../src/sql/syntax/sql-error.ts";
import type { Expression } from "../../src/sql/syntax/syntax-tree.ts";
import { anyQueries } from "./support/expression-generator.ts";
import { differenceFromInterpreter } from "./support/interpreted-fixture.ts";
import { type FixtureEngine, fixtureContext, fixtureSql, openFixture } from "./support/query-engine.ts";
import { buckets, filters, numberedRows, validQueries } from "./support/query-generator.ts";
import { randomTables } from "./support/random-tables.ts";

/** Number of queries to compare with the interpreter. docs/testing.md describes longer runs. */
const QUERIES = Number(process.env.QUARRY_SQL_QUERIES ?? 250);
/** Number of random cases of each test without the interpreter. They differ in every run. */
const CASES = Math.ceil(QUERIES * 0.3);
const SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);
/** Time allowed for all queries of a test, in ms: several times what they take on a busy machine. */
const QUERIES_MS = Math.max(180_000, QUERIES * 100);

let engine: FixtureEngine;

const random = randomTables(SEED);

beforeAll(async () => {
  engine = await openFixture();
  for (const statement of random.statements) await engine.run(statement);
});

afterAll(async () => {
  await engine.close();
});

/** Names that printed conditions use. */
const NAMES_WITHIN = ["v", "q", "r", "x", "_q", "_q0", "_q.timestamp", "t", "_history"];

const valuesOf = (row: string) => Object.values(JSON.parse(row)) as unknown[];
const rowsOf = (query: string) => engine.lines(fixtureSql(query));

/** Total number of rows, by table. */
const allRows = new Map<string, Promise<number>>();

function countAll(table: string): Promise<number> {
  const counted = allRows.get(table) ?? countOf(table, "TRUE");
  allRows.set(table, counted);
  return counted;
}

async function countOf(table: string, condition: string): Promise<number> {
  const [row = "{}"] = await rowsOf(`SELECT COUNT(*) AS n FROM ${table} WHERE ${condition}`);
  return JSON.parse(row).n;
}

describe("generated queries", () => {
  it("run on the engine and return neither NaN nor infinity", async () => {
    const runs = fc.asyncProperty(validQueries, async (query) => {
      const rows = await rowsOf(query);
      for (const row of rows) expect(row).not.toMatch(/:-?(?:nan|inf)/i);
    });
    await fc.assert(runs, { numRuns: 2 * CASES });
  });

  it.each([
    ["in forms that are always valid", validQueries],
    ["with expressions of every type in every other", anyQueries],
  ])(
    "return what the interpreter returns: %s",
    async (_, queries) => {
      const same = fc.asyncProperty(queries, async (query) => {
        fc.pre(isAllowed(query));
        expect(differenceFromInterpreter(query, await rowsOf(query))).toBeNull();
      });
      await fc.assert(same, { numRuns: QUERIES, seed: SEED });
    },
    QUERIES_MS,
  );

  it(
    "return what the interpreter returns: over random rows",
    async () => {
      const same = fc.asyncProperty(anyQueries, async (ofFixture) => {
        const query = ofFixture.replace("FROM eth_", "FROM base_");
        fc.pre(isAllowed(query));
        const lines = await engine.lines(compileSql(query, fixtureContext).print(Number.MAX_SAFE_INTEGER));
        expect(differenceFromInterpreter(query, lines, random.source)).toBeNull();
      });
      await fc.assert(same, { numRuns: QUERIES, seed: SEED });
    },
    QUERIES_MS,
  );

  it("split all rows into those for which a condition is true, false and null", async () => {
    const partition = fc.asyncProperty(filters, async ({ table, condition }) => {
      const parts = await Promise.all([
        countOf(table, condition),
        countOf(table, `NOT (${condition})`),
        countOf(table, `(${condition}) IS NULL`),
      ]);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(await countAll(table));
    });
    await fc.assert(partition, { numRuns: CASES });
  });

  it("return the same rows with a condition that is always true", async () => {
    const always = fc.constantFrom(
      "1 = 1",
      "record_index IS NOT NULL",
      "COALESCE(NULL, TRUE)",
      "(record_index > 5 OR NOT record_index > 5)",
      "CASE WHEN record_index % 2 = 0 THEN TRUE ELSE 1 < 2 END",
      "LENGTH('') = 0",
      "CAST('2024-01-01' AS TIMESTAMP) < NOW()",
    );
    const unchanged = fc.asyncProperty(numberedRows, always, async ({ table, condition, number }, holds) => {
      const query = `SELECT record_index, ${number} AS n FROM ${table} WHERE (${condition})`;
      const [rows, same] = [await rowsOf(query), await rowsOf(`${query} AND ${holds}`)];
      expect(same.toSorted()).toEqual(rows.toSorted());
    });
    await fc.assert(unchanged, { numRuns: CASES });
  });

  it("return the first n rows with LIMIT n, and the others with OFFSET n", async () => {
    const prefix = fc.asyncProperty(numberedRows, fc.nat(9), fc.boolean(), async (of, n, top) => {
      const columns = `record_index, ${of.number} AS n FROM ${of.table} WHERE ${of.condition} ORDER BY n DESC, record_index`;
      const rows = await rowsOf(`SELECT ${columns}`);
      expect(await rowsOf(top ? `SELECT TOP ${n} ${columns}` : `SELECT ${columns} LIMIT ${n}`)).toEqual(
        rows.slice(0, n),
      );
      expect(await rowsOf(`SELECT ${columns} OFFSET ${n}`)).toEqual(rows.slice(n));
    });
    await fc.assert(prefix, { numRuns: CASES });
  });

  it("return the same stored columns with and without a computed one", async () => {
    const same = fc.asyncProperty(
      filters,
      fc.infiniteStream(fc.nat()),
      async ({ table, condition }, dice) => {
        const columns = compileSql(`SELECT * FROM ${table}`, fixtureContext).columns.map(({ name }) => name);
        const drawn = (all: string[]) => all.splice((dice.next().value ?? 0) % all.length, 1)[0] ?? "";
        const names = [...columns, ...NAMES_WITHIN];
        const list = columns.map((column) => `${column} AS "${drawn(names)}"`).join(", ");
        const rest = `FROM ${table} t WHERE ${condition} ORDER BY t.${columns[0]} DESC`;
        const stored = (await rowsOf(`SELECT ${list} ${rest}`)).map(valuesOf);
        const beside = (await rowsOf(`SELECT ${list}, 1 + 1 AS two ${rest}`)).map(valuesOf);
        expect(stored.toSorted()).toEqual(beside.map((values) => values.slice(0, -1)).toSorted());
      },
    );
    await fc.assert(same, { numRuns: CASES });
  });

  it("count every row in one bucket", async () => {
    const complete = fc.asyncProperty(buckets, async ({ table, condition, bucket }) => {
      const rows = await rowsOf(
        `SELECT ${bucket} AS b, COUNT(*) AS n FROM ${table} WHERE ${condition} GROUP BY b`,
      );
      const counts = rows.map((row) => JSON.parse(row).n as number);
      expect(counts.every((count) => count > 0)).toBe(true);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(await countOf(table, condition));
    });
    await fc.assert(complete, { numRuns: CASES });
  });

  it("have a normal form that parses to the same normal form", () => {
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

describe("the largest allowed queries run on the engine", () => {
  const nested = (count: number, inner: string) => "(log_index + ".repeat(count) + inner + ")".repeat(count);
  it.each([
    ["1,400 addresses", `token_address IN (${Array(1_400).fill(`'0x${"ab".repeat(20)}'`)})`],
    ["7,000 numbers", `log_index IN (${Array.from({ length: 7_000 }, (_, i) => i)})`],
    ["4,000 times", `timestamp IN (${Array.from({ length: 4_000 }, (_, i) => 1_700_000_000 + i)})`],
    ["2,500 alternatives", Array.from({ length: 2_500 }, (_, i) => `log_index=${i}`).join(" OR ")],
    ["32,000 characters to escape", `side = '${"é".repeat(32_000)}'`],
    ["60 levels of arithmetic", `${nested(60, "1")} > 0`],
    ["60 levels of remainders", `${"(amount_usd % ".repeat(60)}2.5${")".repeat(60)} > 0`],
    ["60 remainders of remainders", `${"(".repeat(60)}amount_usd${" % 2.5)".repeat(60)} > 0`],
    ["60 levels of HISTOGRAM", `${"HISTOGRAM(".repeat(60)}log_index${", 2)".repeat(60)} > 0`],
    ["60 levels of NOT", `${"NOT ".repeat(60)} side = 'buy'`],
  ])("%s", async (_, condition) => {
    const rows = await rowsOf(`SELECT COUNT(*) AS n FROM eth_dex_trades WHERE ${condition}`);
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

  // Each expression comes with the number of repetitions at which the search for the maximum begins.
  it.each([
    ["ROUND(amount_usd, 2)", 153],
    ["TRUNCATE(amount_usd, 2)", 153],
    ["amount_usd % 2.5", 96],
    ["HISTOGRAM(amount_usd, 0.1)", 285],
    ["ROUND(log_index, -2)", 888],
    ["ABS(amount_usd)", 2666],
    ["LN(log_index)", 1333],
    ["POWER(log_index, 2)", 258],
    ["COT(log_index)", 1333],
    ["MOD(log_index, 7)", 1333],
    ["DATE_ADD('month', log_index, timestamp)", 444],
    ["DATE_ADD('s', 1 + log_index, timestamp)", 399],
    ["timestamp + INTERVAL 1 MONTH", 444],
    ["DATE_DIFF('day', timestamp, NOW())", 1599],
    ["EXTRACT(MINUTE_OF_DAY FROM timestamp)", 1142],
    ["DATE_TRUNC('month', timestamp)", 1999],
    ["DATE_FORMAT(timestamp, '%Y')", 1999],
    ["CONCAT(side, side)", 1333],
    ["SUBSTRING(side, log_index, log_index)", 571],
    ["LOCATE('a', token_address, log_index)", 799],
    ["LENGTH(token_address)", 1999],
    ["CAST(amount_usd AS BIGINT)", 150],
    ["CAST(amount_usd AS TIMESTAMP)", 799],
    ["CAST(side AS BOOLEAN)", 1333],
    ["CAST(timestamp AS VARCHAR)", 2666],
    ["CASE WHEN side = 'buy' THEN 1 END", 999],
    ["COALESCE(amount_usd, 1)", 1599],
    ["GREATEST(token_address, token_address)", 1333],
    ["NULLIF(amount_usd, 1)", 1142],
    ["FIRST(side, log_index)", 999],
    ["STDDEV_POP(amount_usd)", 2666],
    ["PERCENTILE(amount_usd, 9)", 1999],
    ["PERCENTILE_RANK(amount_usd, 9)", 727],
    ["SUM_OF_SQUARES(log_index)", 999],
    ["KURTOSIS(amount_usd)", 307],
    ["MAD(log_index)", 296],
    ["EXPM1(log_index)", 666],
    ["CHAR(log_index)", 470],
    ["INSERT(side, log_index, log_index, side)", 258],
    ["REPEAT(side, log_index)", 9],
    ["DATETIME_FORMAT(timestamp, 'yyyy-MM-dd')", 1999],
  ])("%s, as many times as allowed", async (value, near) => {
    const clause = /^(?:FIRST|STDDEV|PERCENTILE|SUM|KURTOSIS|MAD)/.test(value) ? "HAVING" : "WHERE";
    const query = (times: number) =>
      `SELECT COUNT(*) AS n FROM eth_dex_trades ${clause} ${Array(times).fill(`${value} IS NULL`).join(" OR ")}`;
    expect(await rowsOf(query(mostAllowed(query, near)))).toBeInstanceOf(Array);
  });
});

/**
 * Returns the largest number of repetitions that compiles. The guess only affects how long the search takes.
 */
function mostAllowed(query: (times: number) => string, guess: number): number {
  const isFitting = (times: number) => isAllowed(query(times), TOO_LARGE);
  let [allowed, refused, step] = [guess, guess + 1, 1];
  for (; allowed > 1 && !isFitting(allowed); step *= 2) {
    [allowed, refused] = [Math.max(1, allowed - step), allowed];
  }
  for (; isFitting(refused); step *= 2) [allowed, refused] = [refused, refused + step];
  while (refused - allowed > 1) {
    const middle = Math.floor((allowed + refused) / 2);
    if (isFitting(middle)) allowed = middle;
    else refused = middle;
  }
  return allowed;
}

/** Returns whether a query compiles. Throws any error other than a refusal of the query. */
function isAllowed(query: string, refusal = /./): boolean {
  try {
    return fixtureSql(query).length > 0;
  } catch (error) {
    if (error instanceof SqlError && refusal.test(error.message)) return false;
    throw error;
  }
}

/** Matches the refusals of queries with too many bytes, parts or long texts. */
const TOO_LARGE = /is longer than|has more than|read too much text/;
