import { expect, it } from "vitest";
import { exampleQueries } from "./example-queries.ts";

const SUBJECT = { chain: "eth", token: { address: `0x${"a".repeat(40)}`, name: "OAK" } };

it("selects a token by its address, because any token may have the same symbol", () => {
  const queries = exampleQueries(SUBJECT).map(({ query }) => query);
  expect(queries.filter((query) => query.includes("token_symbol ="))).toEqual([]);
  expect(
    queries.filter((query) => query.includes(`token_address = '${SUBJECT.token.address}'`)),
  ).toHaveLength(2);
});

it("leaves out queries of tables that the chain does not store", () => {
  const queries = exampleQueries(SUBJECT, () => false).map(({ query }) => query);
  expect(queries.length).toBe(exampleQueries(SUBJECT).length - 2);
  expect(queries.join()).not.toMatch(/eth_(transactions|erc20)/);
});
