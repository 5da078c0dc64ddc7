import { expect, it } from "vitest";
import { adviceFor, subjectOf } from "./subject.ts";

const ADDRESS = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
const HASH = `0x${"aB".repeat(32)}`;

it.each([
  ["", null],
  ["   ", null],
  [` ${ADDRESS}\n`, { kind: "address", address: ADDRESS.toLowerCase() }],
  [HASH, { kind: "hash", hash: HASH.toLowerCase() }],
  ["18,100,000", { kind: "block", number: 18_100_000, text: "18,100,000" }],
  ["#42", { kind: "block", number: 42, text: "#42" }],
  ["WETH", { kind: "name", text: "weth" }],
  ["1inch", { kind: "name", text: "1inch" }],
  ["it's", { kind: "name", text: "it's" }],
  [ADDRESS.slice(0, -1), { kind: "name", text: ADDRESS.slice(0, -1).toLowerCase() }],
  ["9".repeat(16), { kind: "name", text: "9".repeat(16) }],
])("reads %j", (typed, subject) => expect(subjectOf(typed)).toEqual(subject));

it("says what is missing of a hash or an address", () => {
  expect(adviceFor("0xc02a")).toMatch(/4 hex digits: an address has 40/);
  expect(adviceFor(HASH)).toMatch(/No indexed transaction or block/);
  expect(adviceFor("wehh")).toMatch(/symbol or name/);
});
