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

describe("the engine's work", () => {
  it("follows the sort order for an address and a time", async () => {
    const query = `SELECT * FROM eth_dex_trades WHERE token_address IN ('0x${"0".repeat(40)}') AND timestamp >= NOW() - INTERVAL 7 DAY`;
    const plan = await engine.lines(`EXPLAIN indexes = 1 ${compileSql(query, context).sql}`);
    expect(plan.join("\n")).toMatch(/Condition: .*timestamp in \[\d+, \+Inf\).*token_address in /);
  });

  it("keeps the order of many rows from several threads", async () => {
    await engine.run("CREATE TABLE base_blocks AS eth_blocks");
    await engine.run(
      "INSERT INTO base_blocks (block_number, size) SELECT number, number * 7919 % 300007 FROM numbers(300000)",
    );
    const { sql } = compileSql("SELECT size, block_number FROM base_blocks ORDER BY size LIMIT 100000", {
      ...context,
      bound: () => 10 ** 9,
    });
    const sizes = (await engine.lines(sql)).map((row) => JSON.parse(row).size);
    expect(sizes).toHaveLength(100_000);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
  });
});

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
