import { CompletionContext } from "@codemirror/autocomplete";
import { sql } from "@codemirror/lang-sql";
import { EditorState } from "@codemirror/state";
import type { SqlSchema } from "@quarry/sdk";
import { describe, expect, it } from "vitest";
import { completionOf } from "./completion.ts";

const column = (name: string) => ({
  name,
  type: "double",
  nullable: true,
  unit: "USD",
  doc: `the ${name}`,
});

const SCHEMA: SqlSchema = {
  tables: [
    {
      name: "eth_trades",
      chain: "eth",
      doc: "Trades.",
      example: "SELECT 1",
      columns: [column("price"), column("side")],
    },
    { name: "eth_blocks", chain: "eth", doc: "Blocks.", example: "SELECT 1", columns: [column("miner")] },
  ],
  functions: [
    { name: "SUM", synonyms: [], signature: "SUM(x)", doc: "the sum", example: "SUM(x)", aggregate: true },
  ],
  keywords: ["SELECT", "FROM"],
};

/** Returns the completions at `|`. */
function completionsAt(text: string): string[] {
  const pos = text.indexOf("|");
  const state = EditorState.create({ doc: text.replace("|", ""), extensions: sql() });
  const found = completionOf(SCHEMA)(new CompletionContext(state, pos, true));
  return (found?.options ?? []).map(({ label }) => label);
}

describe("completionOf", () => {
  it("offers tables after FROM and DESCRIBE, in any case", () => {
    for (const text of ["SELECT * FROM |", "select price from et|", "DESCRIBE |"])
      expect(completionsAt(text)).toEqual(["eth_trades", "eth_blocks"]);
  });

  it("offers functions, keywords and the columns of the query's table, which may follow the cursor", () => {
    expect(completionsAt("SELECT | FROM eth_trades")).toEqual(["price", "side", "SUM", "SELECT", "FROM"]);
    expect(completionsAt('SELECT | FROM "ETH_BLOCKS"')).toEqual(["miner", "SUM", "SELECT", "FROM"]);
  });

  it("offers the columns of all tables if the query names none", () => {
    expect(completionsAt("SELECT |")).toEqual(["price", "side", "miner", "SUM", "SELECT", "FROM"]);
    expect(completionsAt("SELECT | -- FROM eth_blocks")).toContain("price");
  });

  it("offers nothing in strings and comments", () => {
    for (const text of ["SELECT 'a|'", "SELECT 1 -- a|", "/* a| */ SELECT 1"])
      expect(completionsAt(text)).toEqual([]);
  });
});
