import { expect, it } from "vitest";
import { visibleText } from "./visible-text.ts";

it.each([
  ["US\u200BDC", "US\\u{200B}DC"],
  ["\u202EHTEW", "\\u{202E}HTEW"],
  ["\u2066x\u2069", "\\u{2066}x\\u{2069}"],
  ["a\u0000\n\u0085", "a\\u{0000}\\u{000A}\\u{0085}"],
  ["\u3164", "\\u{3164}"],
  ["\uFEFFDAI\u{E0041}", "\\u{FEFF}DAI\\u{E0041}"],
  ["\u200D👩", "\\u{200D}👩"],
])("escapes hidden characters: %j", (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

it.each(["USDC", "柴犬", "Ђ-é", "USD₮0", "👩‍🚀", "❤️‍🔥", "a b", ""])("leaves %j as it is", (text) => {
  expect(visibleText(text)).toBe(text);
});
