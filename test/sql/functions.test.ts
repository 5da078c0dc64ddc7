import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileSql } from "../../src/sql/compile.ts";
import { FUNCTIONS } from "../../src/sql/functions/functions.ts";
import { interpret } from "./oracle/interpret.ts";
import { isLike } from "./oracle/values/answers.ts";
import { AGGREGATES, ROW_EXPRESSIONS } from "./support/function-expressions.ts";
import { type FixtureEngine, fixtureContext, openFixture } from "./support/query-engine.ts";
import { VALUE_COLUMNS, valueRows } from "./support/value-rows.ts";

const SEED = Number(process.env.QUARRY_FIRST_SEED ?? 1);
const ROWS = 400;

const random = valueRows(SEED, ROWS);
let engine: FixtureEngine;

beforeAll(async () => {
  engine = await openFixture();
  for (const statement of random.statements) await engine.run(statement);
});

afterAll(async () => {
  await engine.close();
});

/** Replaces single letters with columns, except in quoted strings. */
function overColumns(expression: string): string {
  const columns: Readonly<Record<string, string>> = VALUE_COLUMNS;
  return expression.replaceAll(/'[^']*'|\b[naxysrt]\b/g, (name) => columns[name] ?? name);
}

/** Compares the engine's value `v` with the interpreter's, row by row. Returns the number of rows. */
async function expectSameValues(query: string, distance: number): Promise<number> {
  const answered = await engine.lines(compileSql(query, fixtureContext).print(10));
  const expected = interpret(query, random.source);
  expect(answered).toHaveLength(expected.length);
  for (const [i, line] of answered.entries()) {
    const row = JSON.parse(line) as Record<string, unknown>;
    const same = isLike(row.v, expected[i]?.v, distance);
    expect(same, `${line} instead of ${JSON.stringify(expected[i])}`).toBe(true);
  }
  return answered.length;
}

describe("on random rows, the engine gives what the interpreter gives for", () => {
  const columns = Object.values(VALUE_COLUMNS).join(", ");

  it.each(ROW_EXPRESSIONS)("$expression", async ({ expression, distance }) => {
    const query = `SELECT ${overColumns(expression)} AS v, ${columns} FROM base_erc20 ORDER BY record_index`;
    expect(await expectSameValues(query, distance)).toBe(ROWS);
  });

  it.each(AGGREGATES)("$expression", async ({ expression, distance }) => {
    const value = overColumns(expression);
    const query = `SELECT record_index % 7 AS k, ${value} AS v FROM base_erc20 GROUP BY k ORDER BY k`;
    expect(await expectSameValues(query, distance)).toBe(7);
  });

  it("every function of the catalogue", () => {
    const expressions = [...ROW_EXPRESSIONS, ...AGGREGATES].map(({ expression }) => expression).join("\n");
    const missing = FUNCTIONS.filter(({ name }) => !new RegExp(`\\b${name}\\(`).test(expressions));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});
