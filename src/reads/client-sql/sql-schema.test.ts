import { describe, expect, it } from "vitest";
import { identifier } from "../../engine-sql/sql-text.ts";
import { EVERYTHING } from "../../schema/scope.ts";
import { compileSql } from "../../sql/compile.ts";
import { sqlSchema } from "./sql-schema.ts";

const CHAINS = ["eth", "base"];
const context = {
  chains: CHAINS,
  now: 1_700_000_000,
  engineTable: (chain: string, table: string) => identifier(`${chain}_${table}`),
  listedTokens: () => [],
};
const schema = sqlSchema(CHAINS.map((name) => ({ name, scope: EVERYTHING })));

describe("sqlSchema", () => {
  it("has the columns of SELECT * and the verdicts for the tables of SHOW TABLES", () => {
    expect(schema.tables.filter(({ chain }) => chain === "eth").length).toBe(schema.tables.length / 2);
    expect(schema.tables.map(({ name }) => name)).toContain("base_dex_trades");
    expect(schema.tables.map(({ name }) => name)).not.toContain("eth_wallet_trades");
    for (const { name, columns } of schema.tables) {
      const compiled = compileSql(`SELECT * FROM ${name}`, context);
      const spam = /(token_metadata|token_balances|erc20|dex_trades)$/.test(name) ? ["spam_reasons"] : [];
      const verdicts = name.endsWith("dex_trades") ? [...spam, "wash_reason"] : spam;
      expect(columns.map((column) => column.name)).toEqual([
        ...compiled.columns.map((column) => column.name),
        ...verdicts,
      ]);
      expect(columns.filter(({ type, doc }) => type === "" || doc === "")).toEqual([]);
    }
  });

  it.each(schema.tables)("has an example for $name that compiles", ({ example, name, chain }) => {
    expect(example).toContain(name);
    expect(compileSql(example, context).chain).toBe(chain);
  });

  it("has the details of columns and functions", () => {
    const columns = schema.tables.find(({ name }) => name === "eth_transactions")?.columns;
    expect(columns?.find(({ name }) => name === "max_fee_per_gas")).toEqual({
      name: "max_fee_per_gas",
      type: "integer",
      nullable: true,
      unit: "wei per gas",
      doc: "fee cap (EIP-1559)",
    });
    expect(schema.functions.find(({ name }) => name === "SUM")).toMatchObject({
      aggregate: true,
      signature: expect.stringContaining("SUM("),
      doc: expect.stringMatching(/\w/),
    });
    for (const { example } of schema.functions) {
      expect(compileSql(`SELECT ${example} FROM eth_dex_trades`, context).chain).toBe("eth");
    }
    expect(schema.keywords).toEqual(expect.arrayContaining(["SELECT", "BETWEEN", "INTERVAL"]));
    expect(schema.keywords).not.toContain("JOIN");
  });
});
