import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identifier, join, type Sql } from "../../src/engine-sql/sql-text.ts";
import { compileSql } from "../../src/sql/compile.ts";
import { TIME_PARTS } from "../../src/sql/functions/time-parts.ts";
import { SqlError } from "../../src/sql/syntax/sql-error.ts";
import { type BareEngine, openBareEngine } from "../support/engine/chdb.ts";
import { anyRows } from "./support/expression-generator.ts";
import { fixtureContext } from "./support/query-engine.ts";
import { filters } from "./support/query-generator.ts";
import { storedTables } from "./support/stored-tables.ts";

const QUERIES = Number(process.env.QUARRY_SQL_QUERIES ?? 250);
/** Number of random queries of each test. Each of them reads many small parts. */
const CASES = Math.ceil(QUERIES * 0.15);
const SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);
/** Time allowed per query, in ms: several times the duration of a query on a busy machine. */
const QUERY_MS = 1_000;
const TIMEOUT_MS = Math.max(60_000, CASES * QUERY_MS);

let engine: BareEngine;

beforeAll(async () => {
  engine = openBareEngine();
  for (const statement of storedTables(SEED)) await engine.run(statement);
}, 180_000);
afterAll(() => engine.close());

/** Compiles a query on the tables with a prefix. */
function sqlOf(query: string, prefix: "stored" | "plain"): Sql {
  const engineTable = (_: string, table: string) => identifier(`${prefix}_${table}`);
  return compileSql(query, { ...fixtureContext, engineTable }).print(Number.MAX_SAFE_INTEGER);
}

async function expectSameRows(query: string): Promise<void> {
  fc.pre(isAllowed(query));
  const [stored, plain] = [sqlOf(query, "stored"), sqlOf(query, "plain")];
  expect(await engine.lines(stored), query).toEqual(await engine.lines(plain));
}

function isAllowed(query: string): boolean {
  try {
    return sqlOf(query, "plain").length > 0;
  } catch (error) {
    if (error instanceof SqlError) return false;
    throw error;
  }
}

describe("partitions, marks and indexes do not change answers", () => {
  it.each(TIME_PARTS.map(({ name }) => name))("for conditions on the %s of a time", async (part) => {
    const counts = `SELECT ${part}(timestamp) AS part, COUNT(*) AS n FROM eth_blocks GROUP BY part ORDER BY part`;
    const expected = (await engine.lines(sqlOf(counts, "plain"))).map((line) => JSON.parse(line));
    const found = expected.map(({ part: value }) =>
      sqlOf(
        `SELECT ${value} AS part, COUNT(*) AS n FROM eth_blocks WHERE ${part}(timestamp) = ${value}`,
        "stored",
      ),
    );
    const lines = await engine.lines(`SELECT * FROM (${join(found, " UNION ALL ")}) ORDER BY part`);
    expect(lines.map((line) => JSON.parse(line))).toEqual(expected);
  });

  it.each([
    ["that are always valid", filters],
    ["with expressions of every type", anyRows],
  ])("for random conditions %s", { timeout: TIMEOUT_MS }, async (_, rows) => {
    const same = fc.asyncProperty(rows, ({ table, condition }) =>
      expectSameRows(`SELECT record_index FROM ${table} WHERE ${condition} ORDER BY record_index`),
    );
    await fc.assert(same, { numRuns: CASES, seed: SEED });
  });

  it("for the first rows in a random order", { timeout: TIMEOUT_MS }, async () => {
    const same = fc.asyncProperty(anyRows, fc.constantFrom("", " DESC"), ({ table, number }, direction) =>
      expectSameRows(
        `SELECT record_index, ${number} AS n FROM ${table} ORDER BY n${direction}, record_index LIMIT 7`,
      ),
    );
    await fc.assert(same, { numRuns: CASES, seed: SEED });
  });
});
