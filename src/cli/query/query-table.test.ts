import { describe, expect, it } from "vitest";
import { queryTable } from "./query-table.ts";

const names = ["symbol", "trades", "usd"];
const rows = [
  ["WETH", "12", "1.5"],
  [null, "3", null],
];

describe("queryTable", () => {
  it("has borders on a screen, and numbers to the right", () => {
    expect(queryTable(names, rows, { width: 80 }).split("\n")).toEqual([
      "┌────────┬────────┬──────┐",
      "│ symbol │ trades │  usd │",
      "├────────┼────────┼──────┤",
      "│ WETH   │     12 │  1.5 │",
      "│ null   │      3 │ null │",
      "└────────┴────────┴──────┘",
    ]);
  });

  it("has no borders and no colours in a pipe, however wide it is", () => {
    expect(queryTable(names, rows, { width: null }).split("\n")).toEqual([
      "symbol  trades   usd",
      "WETH        12   1.5",
      "null         3  null",
    ]);
    expect(queryTable(["x"], [["y".repeat(1000)]], { width: null })).toBe(`x\n${"y".repeat(1000)}`);
  });

  it("lists field by field what is wider than the screen", () => {
    expect(queryTable(names, rows, { width: 20 })).toBe(
      "row 1\nsymbol  WETH\ntrades  12\nusd     1.5\n\nrow 2\nsymbol  null\ntrades  3\nusd     null",
    );
  });

  it("gives wide characters their two places", () => {
    expect(
      queryTable(
        ["name", "n"],
        [
          ["漢字", "1"],
          ["é🚀", "22"],
        ],
        { width: 40 },
      ).split("\n"),
    ).toEqual([
      "┌──────┬────┐",
      "│ name │  n │",
      "├──────┼────┤",
      "│ 漢字 │  1 │",
      "│ é🚀  │ 22 │",
      "└──────┴────┘",
    ]);
  });

  it("lays out as many rows as an answer may have", { timeout: 30_000 }, () => {
    const many = Array.from({ length: 200_000 }, (_, i) => [String(i), "0x", null]);
    expect(queryTable(["a", "b", "c"], many, { width: null }).split("\n")).toHaveLength(200_001);
    expect(queryTable(["a", "b", "c"], many, { width: 80 }).split("\n")).toHaveLength(200_004);
  });

  it("shows the columns of no rows", () => {
    expect(queryTable(["a", "b"], [], { width: null })).toBe("a  b");
  });

  it("lets no text of a contract act on the terminal", () => {
    const evil = "\u001b[2J\u009b31m\u202eABC\nx\u0000\u200b";
    const shown = queryTable(["\u001b"], [[evil]], { width: null });
    expect(shown).toBe("\\u001b\n\\u001b[2J\\u009b31m\\u202eABC\\nx\\u0000\\u200b");
  });
});
