import { expect, it } from "vitest";
import { parsePair, parseSearchTerm, searchAdvice } from "./search-term.ts";

const ADDRESS = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
const HASH = `0x${"aB".repeat(32)}`;

it.each([
  ["", null],
  ["   ", null],
  [` ${ADDRESS}\n`, { kind: "address", address: ADDRESS.toLowerCase() }],
  [HASH, { kind: "hash", hash: HASH.toLowerCase() }],
  [ADDRESS.slice(2), { kind: "address", address: ADDRESS.toLowerCase() }],
  [HASH.slice(2), { kind: "hash", hash: HASH.toLowerCase() }],
  [
    `https://etherscan.io/token/${ADDRESS}?a=0x${"1".repeat(40)}`,
    { kind: "address", address: ADDRESS.toLowerCase() },
  ],
  [`basescan.org/tx/${HASH}#eventlog`, { kind: "hash", hash: HASH.toLowerCase() }],
  ["https://etherscan.io/block/42", { kind: "block", number: 42, text: "https://etherscan.io/block/42" }],
  ["https://etherscan.io/tokens", { kind: "name", text: "https://etherscan.io/tokens" }],
  ["18,100,000", { kind: "block", number: 18_100_000, text: "18,100,000" }],
  ["#42", { kind: "block", number: 42, text: "#42" }],
  ["WETH", { kind: "name", text: "weth" }],
  ["1inch", { kind: "name", text: "1inch" }],
  ["it's", { kind: "name", text: "it's" }],
  [ADDRESS.slice(0, -1), { kind: "name", text: ADDRESS.slice(0, -1).toLowerCase() }],
  ["9".repeat(16), { kind: "name", text: "9".repeat(16) }],
])("parses %j", (typed, term) => expect(parseSearchTerm(typed)).toEqual(term));

it("explains why there are no results", () => {
  expect(searchAdvice("0xc02a")).toMatch(/4 hex digits: an address has 40/);
  expect(searchAdvice(HASH)).toMatch(/No indexed transaction, block/);
  expect(searchAdvice("wehh")).toMatch(/symbol or name/);
});

it.each([
  ["weth/usdc", ["weth", "usdc"]],
  ["weth  usdc", ["weth", "usdc"]],
  ["weth - usdc", ["weth", "usdc"]],
  ["usdc.e/weth", ["usdc.e", "weth"]],
  ["weth", null],
  ["weth/", null],
  ["one two three", null],
])("parses the pair %j", (text, pair) => expect(parsePair(text)).toEqual(pair));
