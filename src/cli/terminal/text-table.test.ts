import { describe, expect, it } from "vitest";
import { textTable } from "./text-table.ts";

const names = ["symbol", "trades", "usd"];
const rows = [
  ["WETH", "12", "1.5"],
  [null, "3", null],
];

describe("textTable", () => {
  it("has borders on a screen, with numbers aligned right", () => {
    expect(textTable(names, rows, 80).split("\n")).toEqual([
      "┌────────┬────────┬──────┐",
      "│ symbol │ trades │  usd │",
      "├────────┼────────┼──────┤",
      "│ WETH   │     12 │  1.5 │",
      "│ null   │      3 │ null │",
      "└────────┴────────┴──────┘",
    ]);
  });

  it("has no borders in a pipe, at any width", () => {
    expect(textTable(names, rows, null).split("\n")).toEqual([
      "symbol  trades   usd",
      "WETH        12   1.5",
      "null         3  null",
    ]);
    expect(textTable(["x"], [["y".repeat(1000)]], null)).toBe(`x\n${"y".repeat(1000)}`);
  });

  it("lists the fields of rows that are wider than the screen", () => {
    expect(textTable(names, rows, 20)).toBe(
      "row 1\nsymbol  WETH\ntrades  12\nusd     1.5\n\nrow 2\nsymbol  null\ntrades  3\nusd     null",
    );
  });

  it("counts two columns for wide characters", () => {
    expect(
      textTable(
        ["name", "n"],
        [
          ["漢字", "1"],
          ["é🚀", "22"],
        ],
        40,
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

  it("counts two columns for wide characters in the names of listed fields, too", () => {
    expect(textTable(["漢字", "n"], [["a".repeat(20), "1"]], 10)).toBe(
      `row 1\n漢字  ${"a".repeat(20)}\nn     1`,
    );
  });

  it("formats as many rows as an answer may have", { timeout: 30_000 }, () => {
    const many = Array.from({ length: 200_000 }, (_, i) => [String(i), "0x", null]);
    expect(textTable(["a", "b", "c"], many, null).split("\n")).toHaveLength(200_001);
    expect(textTable(["a", "b", "c"], many, 80).split("\n")).toHaveLength(200_004);
  });

  it("shows the columns of an empty result", () => {
    expect(textTable(["a", "b"], [], null)).toBe("a  b");
  });

  it("escapes control characters in texts of contracts", () => {
    const evil = "\u001b[2J\u009b31m\u202eABC\nx\u0000\u200b";
    const shown = textTable(["\u001b"], [[evil]], null);
    expect(shown).toBe("\\u001b\n\\u001b[2J\\u009b31m\\u202eABC\\nx\\u0000\\u200b");
  });
});
