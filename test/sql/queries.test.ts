import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileSql } from "../../src/sql/compile.ts";
import { SqlError } from "../../src/sql/syntax/sql-error.ts";
import { tableBody } from "../../src/storage/tables/ddl.ts";
import { differenceFromInterpreter } from "./support/interpreted-fixture.ts";
import { type FixtureEngine, fixtureContext, fixtureSql, openFixture } from "./support/query-engine.ts";
import { type QuerySpec, readQuerySpecs } from "./support/query-specs.ts";

let engine: FixtureEngine;

beforeAll(async () => {
  engine = await openFixture();
});

afterAll(async () => {
  await engine.close();
});

async function answer({ query }: QuerySpec): Promise<string[]> {
  return engine.lines(fixtureSql(query));
}

function errorOf({ query }: QuerySpec): string {
  try {
    return `no error, but ${fixtureSql(query)}`;
  } catch (error) {
    return error instanceof SqlError ? error.message : `no SqlError, but ${error}`;
  }
}

/**
 * Returns the number of marks that a query on `base` would read, and the number of all marks of its table.
 */
async function marksOf(query: string): Promise<{ read: number; all: number }> {
  const sql = compileSql(query, fixtureContext).print(10 ** 9);
  const lines = await engine.lines(`EXPLAIN indexes = 1 ${sql}`);
  const plan = lines.map((line) => JSON.parse(line).explain).join("\n");
  const steps = [...plan.matchAll(/Granules: (\d+)\/(\d+)/g)];
  return { read: Number(steps.at(-1)?.[1]), all: Number(steps[0]?.[2]) };
}

const isSelect = ({ query, error }: QuerySpec) => error === null && !/^\s*(?:SHOW|DESC)/i.test(query);
const inOrder = ({ query }: QuerySpec, rows: string[]) => (/ORDER BY/i.test(query) ? rows : rows.toSorted());
const normal = (row: string) => JSON.stringify(JSON.parse(row));

describe("the engine's reads", () => {
  it("follow the sort order for an address and a time", async () => {
    const query = `SELECT * FROM eth_dex_trades WHERE token_address IN ('0x${"0".repeat(40)}') AND timestamp >= NOW() - INTERVAL 7 DAY`;
    const plan = await engine.lines(`EXPLAIN indexes = 1 ${fixtureSql(query)}`);
    expect(plan.join("\n")).toMatch(/Condition: .*timestamp in \[\d+, \+Inf\).*token_address in /);
  });

  it.each([
    ["the start of a month", "timestamp >= DATE_TRUNC('month', NOW()) - INTERVAL 1 MONTH", 1_706_745_600],
    ["a text as a time", "timestamp >= CAST('2024-02-01' AS TIMESTAMP)", 1_706_745_600],
    ["a day", "timestamp >= TODAY() - INTERVAL 7 DAYS", 1_709_424_000],
    ["a moved time", "timestamp >= DATE_ADD('hour', -24, NOW())", 1_709_985_600],
    ["computed seconds", "timestamp >= 1700000000 + 3600 * 24", 1_700_086_400],
    ["seconds in quotes", "\"@timestamp\" BETWEEN '1700000000' AND '1709164800'", 1_700_000_000],
    ["a choice", "timestamp >= COALESCE(NULL, '2024-02-01', NOW())", 1_706_745_600],
  ])("are bounded by %s", async (_, condition, from) => {
    const query = `SELECT COUNT(*) FROM eth_dex_trades WHERE ${condition}`;
    const plan = await engine.lines(`EXPLAIN indexes = 1 ${fixtureSql(query)}`);
    expect(plan.join("\n")).toMatch(new RegExp(`Condition: .*timestamp in \\[${from}, `));
  });

  it("judge only the tokens that the conditions select", async () => {
    const token = `0x${"00".repeat(18)}e0001`.slice(0, 42);
    const query = `SELECT spam_reasons FROM eth_erc20 WHERE token_address = '${token}'`;
    const plan = (await engine.lines(`EXPLAIN indexes = 1 ${fixtureSql(query)}`)).join("\n");
    // The plan shows the transfers and the metadata of their tokens. It does not show how sets are built.
    expect(plan.match(/Condition: .*token_address in/g)?.length).toBe(2);
  });

  it("take a few marks of all balances for the holders of one token", async () => {
    await engine.run(`CREATE TABLE base_token_balances ${tableBody({}, "token_balances")}`);
    await engine.run(
      `INSERT INTO base_token_balances (wallet_address, token_address, record_index)
        SELECT substring(MD5(toString(number)), 1, 16), char(number % 200 + 1), number FROM numbers(200000)`,
    );
    const holders = `SELECT wallet_address, balance_base FROM base_token_balances
      WHERE token_address = '0x07${"00".repeat(19)}' AND balance_base > 0 ORDER BY balance_base DESC LIMIT 100`;
    const { read, all } = await marksOf(holders);
    expect(all).toBeGreaterThan(300);
    expect(read).toBeLessThanOrEqual(4);
  });

  it("take a mark or two of all blocks for the hash of one", async () => {
    await engine.run(`CREATE TABLE base_blocks ${tableBody({}, "blocks")}`);
    await engine.run(
      "INSERT INTO base_blocks (block_number, block_hash) SELECT number, SHA256(toString(number)) FROM numbers(300000)",
    );
    const hash = createHash("sha256").update("123456").digest("hex");
    const { read, all } = await marksOf(
      `SELECT block_number FROM base_blocks WHERE block_hash = '0x${hash}'`,
    );
    expect(all).toBeGreaterThan(30);
    expect(read).toBeLessThanOrEqual(2);
  });

  it("keep the order of many rows from several threads", async () => {
    await engine.run("CREATE OR REPLACE TABLE base_blocks AS eth_blocks");
    await engine.run(
      "INSERT INTO base_blocks (block_number, size) SELECT number, number * 7919 % 300007 FROM numbers(300000)",
    );
    const query = "SELECT size, block_number FROM base_blocks ORDER BY size LIMIT 100000";
    const sizes = (await engine.lines(compileSql(query, fixtureContext).print(10 ** 9))).map(
      (row) => JSON.parse(row).size,
    );
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

  it.each(specs.filter(isSelect))("$name, compared with the interpreter", async (spec) => {
    expect(differenceFromInterpreter(spec.query, await answer(spec))).toBeNull();
  });

  it("has one expectation for every query", () => {
    for (const { name, rows, engineQuery, error } of specs) {
      const expectations = [rows, engineQuery, error].filter((expected) => expected !== null);
      expect(expectations, name).toHaveLength(1);
    }
  });
});
