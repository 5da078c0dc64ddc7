import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excessOf, type JsonForm } from "./json-form.ts";

const FORM: JsonForm = { values: 1_000, fields: 100, depth: 8 };

function check(text: string, form: Partial<JsonForm> = {}): void {
  const excess = excessOf(text, { ...FORM, ...form });
  if (excess !== null) throw new Error(excess);
}

/**
 * Returns the numbers of parts of a parsed text, and its depth, counted in the same way as for the limits.
 */
function sizeOf(value: unknown): JsonForm {
  if (typeof value !== "object" || value === null) return { values: 1, fields: 0, depth: 0 };
  const parts = Object.values(value).map(sizeOf);
  const fields = Array.isArray(value) ? 0 : parts.length;
  const sum = (of: (part: JsonForm) => number) => parts.reduce((all, part) => all + of(part), 0);
  return {
    values:
      1 +
      Math.max(
        1,
        sum(({ values }) => values),
      ),
    fields: fields + sum((part) => part.fields),
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
  };
}

describe("the form of a JSON text", () => {
  it("has a limited number of values", () => {
    expect(() => check(`[${"1,".repeat(998)}1]`)).not.toThrow();
    expect(() => check(`[${"{},".repeat(999)}{}]`)).toThrow("more than 1000 values");
    expect(() => check(`[${"[],".repeat(999)}[]]`)).toThrow("more than 1000 values");
    expect(() => check(`[${"1,".repeat(1_000)}1]`)).toThrow("more than 1000 values");
  });

  it("has a limited number of fields", () => {
    const fields = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])));
    expect(() => check(fields(100))).not.toThrow();
    expect(() => check(fields(101))).toThrow("more than 100 fields");
  });

  it("has a limited number of levels", () => {
    expect(() => check("[".repeat(8) + "]".repeat(8))).not.toThrow();
    expect(() => check("[".repeat(9))).toThrow("more than 8 levels");
    expect(() => check(`${'{"a":'.repeat(9)}`)).toThrow("more than 8 levels");
  });

  it("does not depend on what its texts contain", () => {
    const text = '[{,:"\\'.repeat(2_000);
    expect(() => check(JSON.stringify({ query: text, [text]: [text] }))).not.toThrow();
    expect(() => check(`"${"\\".repeat(3)}`)).not.toThrow();
    expect(() => check(`["${"\\\\"}",${"[".repeat(9)}`)).toThrow("more than 8 levels");
  });

  it("never exceeds the limits for a document that has fewer parts, whatever its texts are", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 400 }), (texts) => {
        expect(() => check(JSON.stringify(texts))).not.toThrow();
        expect(() => check(`[${JSON.stringify(texts)},${"[".repeat(8)}`)).toThrow("more than 8 levels");
      }),
    );
  });

  it("is counted as the parser sees it", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (json) => {
        const size = sizeOf(JSON.parse(json));
        for (const part of ["values", "fields", "depth"] as const) {
          const form = { values: 1e9, fields: 1e9, depth: 1e9, [part]: size[part] };
          expect(() => check(json, form)).not.toThrow();
          const isNone = size[part] === (part === "values" ? 1 : 0);
          if (!isNone) expect(() => check(json, { ...form, [part]: size[part] - 1 })).toThrow();
        }
      }),
    );
  });
});
