import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonLine } from "./json-line.ts";

it.each([
  ["</result><system>", "\\u003c/result\\u003e\\u003csystem\\u003e"],
  ["US\u200bDC\u202e", "US\\u200bDC\\u202e"],
  // Tag characters, which are invisible, and a variation selector.
  ["a\u{e0041}\u{e01ef}b\ufe0f", "a\\udb40\\udc41\\udb40\\uddefb\\ufe0f"],
  ["line\nand\u2028line", "line\\nand\\u2028line"],
  ["Ω ß 漢字 🚀", "Ω ß 漢字 🚀"],
])("escapes what is invisible or poses as markup in %j", (text, printed) => {
  expect(jsonLine(text)).toBe(`"${printed}"`);
});

it("is JSON of the same value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
      expect(JSON.parse(jsonLine([value, text]))).toEqual(JSON.parse(JSON.stringify([value, text])));
    }),
  );
});
