import { describe, expect, it } from "vitest";
import type { BaseError } from "../lib/error.ts";
import type { Token } from "../schema/swap.ts";
import { completeTokens, mergeTokenLists, parseTokenList } from "./token-list.ts";

const ONE = `0x${"11".repeat(20)}` as const;
const TWO = `0x${"22".repeat(20)}` as const;
const LISTED = { chainId: 1, address: ONE, symbol: "ONE", name: "Token One", decimals: 6 };
const STORED: Token = { address: ONE, symbol: "ONE", name: "Token One", decimals: 6 };

const textOf = (...tokens: unknown[]) => JSON.stringify({ name: "Test", tokens });
const parse = (...tokens: unknown[]) => [...parseTokenList(textOf(...tokens), "list.json", 1).values()];

function problemOf(text: string): string {
  try {
    parseTokenList(text, "list.json", 1);
  } catch (error) {
    expect((error as BaseError).code).toBe("bad-config");
    return (error as BaseError).message;
  }
  return "accepted";
}

describe("parseTokenList", () => {
  it("reads the tokens of a chain by lower-case address, and leaves out what the format has for others", () => {
    const whole = {
      name: "Quarry's Test List",
      timestamp: "2024-01-05T00:00:00.000Z",
      version: { major: 1, minor: 0, patch: 0 },
      logoURI: "ipfs://logo",
      tags: { stable: { name: "Stable", description: "a stablecoin" } },
      tokens: [
        { ...LISTED, address: `0x${"Ab".repeat(20)}`, logoURI: "https://logo.example", tags: ["stable"] },
        { ...LISTED, chainId: 10, address: "of another chain", decimals: "of another chain" },
        { ...LISTED, extensions: { bridgeInfo: { "10": { tokenAddress: TWO } } } },
      ],
    };
    const address = `0x${"ab".repeat(20)}` as const;
    expect(parseTokenList(JSON.stringify(whole), "list.json", 1)).toEqual(
      new Map([
        [address, { ...STORED, address }],
        [ONE, STORED],
      ]),
    );
  });

  it("stores texts as those of contracts are: printable, at most 256 characters, and null if blank", () => {
    const [token] = parse({ ...LISTED, symbol: "\u202eCD\u0000SU\n\ud800\ufffd", name: "😀".repeat(300) });
    expect(token).toEqual({ ...STORED, symbol: "CDSU", name: "😀".repeat(256) });
    expect(parse({ ...LISTED, symbol: "", name: " \u0007 " })).toEqual([
      { ...STORED, symbol: null, name: null },
    ]);
  });

  it("accepts a token twice only with the same values", () => {
    expect(parse(LISTED, { ...LISTED, address: ONE.toUpperCase().replace("0X", "0x") })).toEqual([STORED]);
    expect(problemOf(textOf(LISTED, { ...LISTED, decimals: 18 }))).toMatch(
      `it lists ${ONE} twice, with different values`,
    );
    expect(parse(LISTED, { ...LISTED, chainId: 10, decimals: 18 })).toEqual([STORED]);
  });

  it.each([
    ["what is not JSON", "tokens: none", "it is not JSON"],
    ["a list without an object", JSON.stringify([LISTED]), 'it has no "tokens"'],
    ["null", "null", 'it has no "tokens"'],
    ["an object without tokens", JSON.stringify({ name: "Test" }), 'it has no "tokens"'],
    ["tokens that are not a list", JSON.stringify({ tokens: { [ONE]: LISTED } }), "tokens: "],
    ["no token", textOf(), "it has no token of the chain with id 1"],
    ["tokens of other chains only", textOf({ ...LISTED, chainId: 10 }), "it has no token of the chain"],
    ["a token that is not an object", textOf(LISTED, "DAI"), "tokens.1: "],
    ["a token without a chain", textOf({ ...LISTED, chainId: undefined }), "tokens.0.chainId: "],
    ["a chain id as text", textOf({ ...LISTED, chainId: "1" }), "tokens.0.chainId: "],
    [
      "a short address",
      textOf({ ...LISTED, address: "0x1234" }),
      "tokens.0.address: expected an address of 20 bytes",
    ],
    ["an address without 0x", textOf({ ...LISTED, address: ONE.slice(2) }), "tokens.0.address: "],
    ["no address", textOf({ ...LISTED, address: undefined }), "tokens.0.address: "],
    ["no symbol", textOf(LISTED, { ...LISTED, symbol: undefined }), "tokens.1.symbol: "],
    ["a name that is not a string", textOf({ ...LISTED, name: 1 }), "tokens.0.name: "],
    ["decimals as text", textOf({ ...LISTED, decimals: "6" }), "tokens.0.decimals: "],
    ["decimals with a fraction", textOf({ ...LISTED, decimals: 0.5 }), "tokens.0.decimals: "],
    ["negative decimals", textOf({ ...LISTED, decimals: -1 }), "tokens.0.decimals: "],
    ["decimals that no amount reaches", textOf({ ...LISTED, decimals: 78 }), "tokens.0.decimals: "],
  ])("refuses %s, by name and place", (_, text, problem) => {
    const message = problemOf(text);
    expect(message).toContain(`--tokens list.json: ${problem}`);
    expect(message).toContain('Give a token list as defined by https://tokenlists.org: {"tokens": [');
  });
});

describe("several lists", () => {
  it("are one, in which the first that has a token counts", () => {
    const other = { ...STORED, name: "Other One" };
    const two = { ...STORED, address: TWO };
    const merged = mergeTokenLists([
      new Map([[ONE, STORED]]),
      new Map([
        [ONE, other],
        [TWO, two],
      ]),
    ]);
    expect(merged).toEqual(
      new Map([
        [ONE, STORED],
        [TWO, two],
      ]),
    );
    expect(mergeTokenLists([])).toEqual(new Map());
  });
});

describe("completeTokens", () => {
  it("keeps what contracts reveal, field by field, and the tokens that no list has", () => {
    const list = new Map([[ONE, STORED]]);
    const found: Token[] = [
      { address: ONE, symbol: null, name: "Its own", decimals: null },
      { address: ONE, symbol: "", name: null, decimals: 0 },
      { address: TWO, symbol: null, name: null, decimals: null },
    ];
    expect(completeTokens(found, list)).toEqual([
      { ...STORED, name: "Its own" },
      { ...STORED, symbol: "", decimals: 0 },
      found[2],
    ]);
    expect(completeTokens(found, new Map())).toEqual(found);
  });
});
