import { describe, expect, it } from "vitest";
import { MAX_CHARACTERS, MAX_ROWS, printTable } from "./answer.ts";

const rowsOf = (count: number, characters = 1) =>
  Array.from({ length: count }, (_, i) => [i, "x".repeat(characters)]);

function printed(rows: unknown[][], more: Partial<Parameters<typeof printTable>[0]> = {}) {
  const text = printTable({
    facts: { chain: "eth" },
    columns: ["n", "text"],
    rows,
    narrow: "Ask less.",
    ...more,
  });
  return { text, answer: JSON.parse(text) };
}

describe("an answer", () => {
  it("has its facts, the names of the columns and every row", () => {
    const { answer } = printed(rowsOf(MAX_ROWS));
    expect(answer).toEqual({ chain: "eth", columns: ["n", "text"], rows: rowsOf(MAX_ROWS) });
  });

  it("leaves out rows beyond the limit, and says so", () => {
    const { answer } = printed(rowsOf(MAX_ROWS + 1));
    expect(answer.rows).toEqual(rowsOf(MAX_ROWS));
    expect(answer.truncated).toBe("There are more rows (shown: 200). Ask less.");
  });

  it("leaves out rows that do not fit, and continues after the last row that did", () => {
    const { text, answer } = printed(rowsOf(100, 1000), { cursorAfter: (kept) => `after ${kept}` });
    expect(text.length).toBeLessThan(MAX_CHARACTERS + 300);
    expect(answer.rows).toEqual(rowsOf(39, 1000));
    expect([answer.cursor, answer.truncated]).toEqual([
      "after 39",
      "There are more rows (shown: 39). Ask less. For the next rows, repeat the call with this cursor.",
    ]);
  });

  it("cannot be one row that is too long", () => {
    expect(() => printed(rowsOf(2, 50_000))).toThrow(
      /One row has 50006 characters; .* at most 40000\. Select fewer/,
    );
  });
});
