import { expect, it } from "vitest";
import { choicesOf, parseTokenSearch } from "./token-search.ts";

it("keeps valid choices and omits defaults", () => {
  const pool = "0xB4E16D0168E52D35CACD2C6185B44281EC28C9DC";
  const search = parseTokenSearch({ interval: "1h", pool_address: pool, min_usd: 12.5, side: "all" });
  expect(search).toEqual({ interval: "1h", pool_address: pool.toLowerCase(), min_usd: 12.5 });
  expect(choicesOf(search)).toMatchObject({ interval: "1h", side: "all", fill: true });
});

it("ignores invalid choices", () => {
  const odd = { interval: "2m", min_usd: "Infinity'", trader: "0x12", part: 7, pool_address: ["0x"], x: 1 };
  expect(parseTokenSearch(odd)).toEqual({});
});

it("parses strings into the choices they were written from", () => {
  const choices = { fill: false, is_log: true, outliers: true, min_usd: 12.5, part: "pools" } as const;
  const written = { fill: "false", is_log: "true", outliers: "true", min_usd: "12.5", part: "pools" };
  expect(parseTokenSearch(written)).toEqual(choices);
  expect(parseTokenSearch(choices)).toEqual(choices);
  expect(parseTokenSearch({ fill: "0", is_log: "banana", outliers: "1", min_usd: "abc" })).toEqual({});
});
