import { describe, expect, it } from "vitest";
import { InvalidQuery } from "./query-error.ts";

const messageOf = (message: string, query: string) => new InvalidQuery(message, query).message;

describe("InvalidQuery", () => {
  it("marks the position of the error", () => {
    expect(messageOf("line 2:6: there is no table", "SELECT *\nFROM nothing")).toBe(
      "line 2:6: there is no table\n  FROM nothing\n       ^",
    );
    expect(messageOf("line 1:9: the query ends too early", "SELECT *")).toMatch(/\n {2}SELECT \*\n {10}\^$/);
  });

  it("shows part of a long line", () => {
    const query = `SELECT ${"a".repeat(5000)}, x${"b".repeat(5000)}`;
    const [, shown = "", mark = ""] = messageOf("line 1:5010: no", query).split("\n");
    expect([shown.length, shown[mark.indexOf("^")]]).toEqual([102, "x"]);
  });

  it("passes other messages on", () => {
    for (const message of ["Missing required parameter: query", "line 9:1: no", "line 1:99: no"]) {
      expect(messageOf(message, "SELECT 1")).toBe(message);
    }
  });
});
