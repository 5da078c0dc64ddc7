import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonLines } from "./json-lines.ts";

const textOf = (values: readonly unknown[]) =>
  Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(""));

describe("lines of JSON", () => {
  it("are parsed in parts of any size, with and without a newline at the end", async () => {
    const values = fc.array(fc.oneof(fc.string(), fc.integer(), fc.record({ a: fc.string() })));
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 1, max: 60 }), fc.boolean(), async (rows, size, isCut) => {
        const text = textOf(rows);
        const bytes = isCut && text.length > 0 ? text.subarray(0, -1) : text;
        expect(await parseJsonLines(bytes, size)).toEqual(JSON.parse(JSON.stringify(rows)));
      }),
    );
  });

  it("leave time for other events", async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ number: i, text: "x".repeat(50) }));
    let events = 0;
    const count = setInterval(() => events++, 1);
    try {
      expect(await parseJsonLines(textOf(rows))).toEqual(rows);
    } finally {
      clearInterval(count);
    }
    expect(events).toBeGreaterThan(2);
  });
});
