import { describe, expect, it } from "vitest";
import type { Column } from "../../schema/column.ts";
import { TABLE_NAMES, tableOf } from "../../schema/tables.ts";
import { DATA_FORMAT, OLDEST_FORMAT } from "../directory/data-directory.ts";
import { createTableStatements, engineTable } from "./ddl.ts";

const statements = createTableStatements({}, "eth");

function statementOf(table: string): string {
  return (
    statements.find((statement) => statement.startsWith(`CREATE TABLE IF NOT EXISTS \`eth_${table}\` `)) ?? ""
  );
}

describe("createTableStatements", () => {
  it("has one statement for each table and one for the commits", () => {
    for (const table of [...TABLE_NAMES, "commits"]) expect(statementOf(table)).not.toBe("");
    expect(statements).toHaveLength(TABLE_NAMES.length + 1);
  });

  it("follows the declaration: order, partitions, indexes, codecs", () => {
    const trades = statementOf("dex_trades");
    expect(trades).toContain("ORDER BY (`token_address`, `timestamp`, `record_index`)");
    expect(trades).toContain("PARTITION BY toYYYYMM(`timestamp`)");
    expect(trades).toContain("INDEX `skip_block_number` `block_number` TYPE minmax GRANULARITY 1");
    expect(trades).toContain(
      "INDEX `skip_trader_address` `trader_address` TYPE bloom_filter(0.0005) GRANULARITY 1",
    );
    expect(trades).toContain("`record_index` UInt64 CODEC(Delta, ZSTD)");
    expect(trades).toContain("`token_name` LowCardinality(Nullable(String))");
    expect(trades).toContain("SETTINGS index_granularity = 1024, min_compress_block_size = 8192,");
    expect(statementOf("pool_metadata")).not.toContain("PARTITION BY");
    expect(statementOf("wallet_trades")).toMatch(
      /ORDER BY \(`trader_address`, `record_index`\) SETTINGS index_granularity = 512, min_compress_block_size = 4096,/,
    );
  });

  it("rejects a chain name that is not an identifier", () => {
    expect(engineTable("eth", "logs")).toBe("`eth_logs`");
    expect(() => createTableStatements({}, "eth`; DROP")).toThrow(/not an identifier/);
  });
});

it("declares added columns for the formats that can be upgraded, none of them later than this one", () => {
  const added = TABLE_NAMES.flatMap((name) => Object.values<Column>(tableOf(name).columns)).flatMap(
    (column) => column.added ?? [],
  );
  expect(added.length).toBeGreaterThan(0);
  for (const { format } of added) {
    expect(format).toBeGreaterThan(OLDEST_FORMAT);
    expect(format).toBeLessThanOrEqual(DATA_FORMAT);
  }
});
