import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requireResponseForm } from "./response-form.ts";

const check = (text: string) => requireResponseForm(text, { values: 1_000, depth: 8 });

describe("the form of a response", () => {
  it("has a limited number of values", () => {
    expect(() => check(`[${"{},".repeat(499)}{}]`)).toThrow("the response has more than 1000 values");
    expect(() => check(`[${"1,".repeat(997)}1]`)).not.toThrow();
    expect(() => check(`[${"1,".repeat(999)}1]`)).toThrow("more than 1000 values");
  });

  it("has a limited number of levels", () => {
    expect(() => check("[".repeat(8) + "]".repeat(8))).not.toThrow();
    expect(() => check("[".repeat(9))).toThrow("the response has more than 8 levels");
    expect(() => check('{"a":'.repeat(9))).toThrow("more than 8 levels");
  });

  it("does not depend on what its texts contain", () => {
    const text = '[{,:"\\'.repeat(2_000);
    expect(() => check(JSON.stringify({ result: text, [text]: [text] }))).not.toThrow();
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
});
