import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rowOf } from "../../../test/support/engine/random-rows.ts";
import { answerExpression } from "../../engine-sql/column-types.ts";
import { identifier, join as joinSql, sql } from "../../engine-sql/sql-text.ts";
import { TABLE_NAMES, TABLES, type TableName, tableOf } from "../../schema/tables.ts";
import { openEmbeddedEngine } from "../engines/embedded-engine.ts";
import type { Engine } from "../store.ts";
import { createTableStatements, engineTable, engineTableName } from "../tables/ddl.ts";
import { encodeRows } from "./row-binary.ts";
import { printRows } from "./row-values.ts";

const directory = mkdtempSync(join(tmpdir(), "quarry-row-binary-"));
let engine: Engine;

beforeAll(async () => {
  engine = await openEmbeddedEngine({ path: directory });
  for (const statement of createTableStatements(engine, "eth")) await engine.execute(statement);
});

afterAll(async () => {
  await engine.close();
  rmSync(directory, { recursive: true });
});

/** Reads the rows from the engine. Numbers that JSON cannot represent are returned as text. */
async function stored(table: TableName): Promise<Record<string, unknown>[]> {
  const columns = Object.entries(tableOf(table).columns).map(([name, column]) => {
    const exact =
      column.kind === "wei"
        ? sql`toString(${identifier(name)})`
        : answerExpression(column.kind, identifier(name), "rest");
    return sql`${exact} AS ${identifier(`answer_${name}`)}`;
  });
  const rows = await engine.query<Record<string, unknown>>(
    sql`SELECT ${joinSql(columns)} FROM ${engineTable("eth", table)}`,
  );
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([k, v]) => [k.slice(7), v])));
}

function plain(row: Record<string, unknown>): string {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === "bigint" || typeof value === "number" ? String(value) : value,
  ]);
  return JSON.stringify(Object.fromEntries(entries.sort()));
}

describe("encodeRows", () => {
  it.each(TABLE_NAMES)("reads any row of %s back as it was written", async (table) => {
    await fc.assert(
      fc.asyncProperty(fc.array(rowOf(table), { minLength: 1, maxLength: 40 }), async (rows) => {
        await engine.execute(sql`TRUNCATE TABLE ${engineTable("eth", table)}`);
        const declared = tableOf(table);
        await engine.insert(
          engineTableName("eth", table),
          Object.keys(declared.columns),
          encodeRows(declared, rows),
        );
        expect((await stored(table)).map(plain).sort()).toEqual(rows.map(plain).sort());
      }),
      { numRuns: 12 },
    );
  });

  it.each(TABLE_NAMES)("and printed rows of %s as the encoded ones, to the last bit", async (table) => {
    const declared = tableOf(table);
    const columns = Object.keys(declared.columns);
    const name = engineTableName("eth", table);
    const dump = async () => {
      const listed = joinSql(columns.map(identifier));
      const bytes = engine.stream(sql`SELECT ${listed} FROM ${identifier(name)} ORDER BY ALL`, "RowBinary");
      return (await buffer(bytes)).toString("hex");
    };
    await fc.assert(
      fc.asyncProperty(fc.array(rowOf(table), { minLength: 1, maxLength: 20 }), async (rows) => {
        const chunks = encodeRows(declared, rows);
        await engine.execute(sql`TRUNCATE TABLE ${identifier(name)}`);
        await engine.insert(name, columns, chunks);
        const encoded = await dump();
        await engine.execute(sql`TRUNCATE TABLE ${identifier(name)}`);
        await engine.insert(name, columns, chunks, () => printRows(declared, rows));
        expect(await dump()).toBe(encoded);
      }),
      { numRuns: 12 },
    );
  });

  it("cuts large batches into chunks of whole rows", async () => {
    const row = { ...fc.sample(rowOf("logs"), { numRuns: 1, seed: 1 })[0], data: `0x${"ff".repeat(10_000)}` };
    const rows = Array.from({ length: 2_000 }, (_, i) => ({ ...row, log_index: i }));
    const chunks = encodeRows(TABLES.logs, rows);
    expect(chunks.length).toBeGreaterThan(3);
    await engine.execute(sql`TRUNCATE TABLE ${engineTable("eth", "logs")}`);
    await engine.insert("eth_logs", Object.keys(TABLES.logs.columns), chunks);
    const found = await engine.query(
      sql`SELECT count() AS rows, uniqExact(log_index) AS distinct, min(length(data)) AS bytes FROM eth_logs`,
    );
    expect(found).toEqual([{ rows: 2_000, distinct: 2_000, bytes: 10_000 }]);
  });

  const [good] = fc.sample(rowOf("dex_trades"), { numRuns: 1, seed: 3 });
  const [transaction] = fc.sample(rowOf("transactions"), { numRuns: 1, seed: 3 });
  it.each([
    ["token_address", "0x12", /dex_trades\.token_address, row 1: "0x12" is not 0x and 20 hex bytes/],
    ["token_address", `0x${"zz".repeat(20)}`, /hex bytes/],
    ["token_address", "11".repeat(21), /hex bytes/],
    ["pool_address", `0x${"11".repeat(21)}`, /20 or 32 hex bytes/],
    ["volume_1h_usd", Number.NaN, /dex_trades\.volume_1h_usd, row 1: NaN is not a finite number/],
    ["volume_1h_usd", Number.POSITIVE_INFINITY, /Infinity/],
    ["volume_1h_usd", null, /null is not a finite number/],
    ["block_number", 2 ** 53, /2\^53 - 1/],
    ["block_number", -1, /whole number/],
    ["block_number", 1.5, /whole number/],
    ["timestamp", 2 ** 32, /4294967295/],
    ["side", undefined, /dex_trades\.side, row 1: no value is not text/],
    ["amount_usd", undefined, /no value/],
  ])("rejects %s = %s", (column, value, message) => {
    expect(() => encodeRows(TABLES.dex_trades, [{ ...good }, { ...good, [column]: value }])).toThrow(message);
  });

  it.each([-1n, 2n ** 64n, 5])("rejects gas_limit = %s", (value) => {
    expect(() => encodeRows(TABLES.transactions, [{ ...transaction, gas_limit: value }])).toThrow(
      /transactions\.gas_limit, row 0: .* is not a bigint from 0 to 2\^64 - 1/,
    );
  });

  it.each([-1n, 2n ** 256n, 5])("rejects value_base = %s", (value) => {
    expect(() => encodeRows(TABLES.transactions, [{ ...transaction, value_base: value }])).toThrow(
      /transactions\.value_base, row 0: .* is not a bigint from 0 to 2\^256 - 1/,
    );
  });
});
