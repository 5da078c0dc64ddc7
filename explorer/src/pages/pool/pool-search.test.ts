import { expect, it } from "vitest";
import { choicesOf, parsePoolSearch } from "./pool-search.ts";

it("keeps valid choices and omits defaults", () => {
  const search = parsePoolSearch({ interval: "4h", side: "sell", min_usd: 1000, range: "7d" });
  expect(search).toEqual({ interval: "4h", side: "sell", min_usd: 1000 });
  expect(choicesOf(search)).toEqual({
    ...{ interval: "4h", side: "sell", min_usd: 1000, range: "7d", token: "" },
  });
});

it("parses strings", () => {
  expect(parsePoolSearch({ min_usd: "1000" })).toEqual({ min_usd: 1000 });
  expect(parsePoolSearch({ min_usd: "" })).toEqual({});
  expect(parsePoolSearch({ token: `0x${"aB".repeat(20)}` })).toEqual({ token: `0x${"ab".repeat(20)}` });
});

it("ignores invalid choices", () => {
  expect(parsePoolSearch({ interval: "2m", side: 1, min_usd: 12, range: "1y", token: "0x12", x: 1 })).toEqual(
    {},
  );
});
