import { describe, expect, it } from "vitest";
import { InvalidQuery } from "./query-error.ts";

const messageOf = (sentence: string, query: string) => new InvalidQuery(sentence, query).message;

describe("InvalidQuery", () => {
  it("marks the place of the mistake", () => {
    expect(messageOf("line 2:6: there is no table", "SELECT *\nFROM nothing")).toBe(
      "line 2:6: there is no table\n  FROM nothing\n       ^",
    );
    expect(messageOf("line 1:9: the query ends too early", "SELECT *")).toMatch(/\n {2}SELECT \*\n {10}\^$/);
  });

  it("shows the part of a long line", () => {
    const query = `SELECT ${"a".repeat(5000)}, x${"b".repeat(5000)}`;
    const [, shown = "", mark = ""] = messageOf("line 1:5010: no", query).split("\n");
    expect([shown.length, shown[mark.indexOf("^")]]).toEqual([102, "x"]);
  });

  it("passes other sentences on", () => {
    for (const sentence of ["Missing required parameter: query", "line 9:1: no", "line 1:99: no"]) {
      expect(messageOf(sentence, "SELECT 1")).toBe(sentence);
    }
  });
});
