import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identifier } from "../src/lib/sql-text.ts";
import { compileSql, type SqlContext, SqlError } from "../src/sql/compile.ts";
import { type BareEngine, openBareEngine } from "./support/chdb.ts";
import { FIXTURE_BOUND, FIXTURE_NOW, fixtureStatements } from "./support/query-fixture.ts";
import { type QuerySpec, readQuerySpecs } from "./support/query-specs.ts";

const context: SqlContext = {
  chains: ["eth", "base"],
  now: FIXTURE_NOW,
  engineTable: (chain, table) => identifier(`${chain}_${table}`),
  bound: (chain) => (chain === "eth" ? FIXTURE_BOUND : null),
};

let engine: BareEngine;

beforeAll(async () => {
  engine = openBareEngine();
  for (const statement of fixtureStatements()) await engine.run(statement);
});

afterAll(async () => {
  await engine.close();
});

async function answer({ query }: QuerySpec): Promise<string[]> {
  return engine.lines(compileSql(query, context).sql);
}

function errorOf({ query }: QuerySpec): string {
  try {
    return `no error, but ${compileSql(query, context).sql}`;
  } catch (error) {
    return error instanceof SqlError ? error.message : `no SqlError, but ${error}`;
  }
}

const inOrder = ({ query }: QuerySpec, rows: string[]) => (/ORDER BY/i.test(query) ? rows : rows.toSorted());
const normal = (row: string) => JSON.stringify(JSON.parse(row));

describe.each(readQuerySpecs(join(import.meta.dirname, "queries")))("$file", ({ specs }) => {
  it.each(specs)("$name", async (spec) => {
    if (spec.error !== null) {
      expect(errorOf(spec)).toBe(spec.error);
      return;
    }
    const expected = spec.rows ?? (await engine.lines(spec.engineQuery ?? ""));
    const rows = await answer(spec);
    expect(inOrder(spec, rows.map(normal))).toEqual(inOrder(spec, expected.map(normal)));
  });

  it("expects something of every query", () => {
    for (const { name, rows, engineQuery, error } of specs) {
      const expectations = [rows, engineQuery, error].filter((expected) => expected !== null);
      expect(expectations, name).toHaveLength(1);
    }
  });
});
