import { expect, it } from "vitest";
import { parseSearch, writeSearch } from "./search-params.ts";

it.each(["123", "true", "null", "[1]", '{"a":1}', '"x"', "1e3", "a b + ü&?"])(
  "keeps %j as a string",
  (query) => {
    const written = writeSearch({ query });
    expect(written).toBe(`?${new URLSearchParams({ query })}`);
    expect(parseSearch(written)).toEqual({ query });
  },
);

it("omits undefined parameters", () => {
  expect(writeSearch({ query: undefined })).toBe("");
  expect(writeSearch({ fill: false, min_usd: 5 })).toBe("?fill=false&min_usd=5");
  expect(parseSearch("")).toEqual({});
});
