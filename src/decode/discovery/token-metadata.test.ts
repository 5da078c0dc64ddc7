import * as fc from "fast-check";
import { decodeFunctionResult, encodeAbiParameters, parseAbi, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import { MAINNET, readBundleJson } from "../../../test/support/nodes/bundles.ts";
import type { Hex } from "../../lib/hex.ts";
import { readTokens, tokenCalls } from "./token-metadata.ts";

const TOKEN: Hex = "0x9f8f72aa9304c8b593d555f12ef6589cc3a579a2";
const string = (text: string): Hex => encodeAbiParameters([{ type: "string" }], [text]);
const bytes = (hex: Hex): Hex => encodeAbiParameters([{ type: "bytes" }], [hex]);
const word = (hex: string): Hex => `0x${hex.padStart(64, "0")}`;

function symbolOf(result: Hex | null): string | null | undefined {
  return readTokens([TOKEN], [result, null, null])[0]?.symbol;
}

function decimalsOf(result: Hex | null): number | null | undefined {
  return readTokens([TOKEN], [null, null, result])[0]?.decimals;
}

describe("readTokens", () => {
  it("reads symbol, name and decimals of each token", () => {
    const results = [string("USDC"), string("USD Coin"), word("6"), null, string("Half a token"), null];
    expect(
      tokenCalls([
        { address: TOKEN, block: { number: 7 } },
        { address: "0x01", block: { number: 8 } },
      ]),
    ).toEqual([
      { to: TOKEN, data: "0x95d89b41", block: { number: 7 } },
      { to: TOKEN, data: "0x06fdde03", block: { number: 7 } },
      { to: TOKEN, data: "0x313ce567", block: { number: 7 } },
      { to: "0x01", data: "0x95d89b41", block: { number: 8 } },
      { to: "0x01", data: "0x06fdde03", block: { number: 8 } },
      { to: "0x01", data: "0x313ce567", block: { number: 8 } },
    ]);
    expect(readTokens([TOKEN, "0x01"], results)).toEqual([
      { address: TOKEN, symbol: "USDC", name: "USD Coin", decimals: 6 },
      { address: "0x01", symbol: null, name: "Half a token", decimals: null },
    ]);
  });

  it.each<[string, Hex | null, string | null]>([
    ["bytes32 (MKR)", stringToHex("MKR", { size: 32 }), "MKR"],
    ["bytes32 of full length", `0x${"41".repeat(32)}`, "A".repeat(32)],
    ["bytes32 of zeros", word("0"), null],
    ["text in other scripts and signs", string("币安人生🚀é"), "币安人生🚀é"],
    ["an empty string", string(""), null],
    ["an empty string of 64 bytes", `0x${word("20").slice(2)}${word("0").slice(2)}`, null],
    ["only spaces", string("   "), null],
    ["NULs and control characters", string("A\u0000B\u001b[31mC\nD\u007fE"), "AB[31mCDE"],
    ["marks that change the text's direction", string("\u202eCDSU\u2066"), "CDSU"],
    ["invalid UTF-8", bytes("0x41ff42c328"), "AB("],
    ["text as long as a book", string("🚀".repeat(5_000)), "🚀".repeat(256)],
    ["no result", null, null],
    ["no bytes", "0x", null],
    ["half a word", "0x4d4b52", null],
    ["a length beyond the data", `0x${word("20").slice(2)}${word("ff").slice(2)}${"41".repeat(32)}`, null],
    ["an offset beyond the data", `0x${word("ffff").slice(2)}${word("1").slice(2)}${"41".repeat(32)}`, null],
    ["an offset of 256 bits", `0x${"ff".repeat(32)}${word("1").slice(2)}${"41".repeat(32)}`, null],
    ["a length of 256 bits", `0x${word("20").slice(2)}${"ff".repeat(32)}${"41".repeat(32)}`, null],
    ["a string without padding", `0x${word("20").slice(2)}${word("3").slice(2)}4d4b52`, "MKR"],
    ["more than one string", `${string("MKR")}${"00".repeat(64)}`, "MKR"],
  ])("reads %s", (_, result, symbol) => {
    expect(symbolOf(result)).toBe(symbol);
  });

  it.each<[string, Hex | null, number | null]>([
    ["none", word("0"), 0],
    ["eighteen", word("12"), 18],
    ["the most that are useful", word("4d"), 77],
    ["more", word("4e"), null],
    ["more than a byte", word("112"), null],
    ["256 bits", `0x${"ff".repeat(32)}`, null],
    ["a word and more", `${word("12")}00`, 18],
    ["no result", null, null],
    ["no bytes", "0x", null],
    ["a byte", "0x12", null],
  ])("reads %s as decimals", (_, result, decimals) => {
    expect(decimalsOf(result)).toBe(decimals);
  });

  it("never throws, and never returns unprintable or too long text", () => {
    const hex = fc.uint8Array({ maxLength: 200 }).map((b): Hex => `0x${Buffer.from(b).toString("hex")}`);
    const shaped = fc
      .tuple(fc.integer({ min: 0, max: 96 }), fc.integer({ min: 0, max: 300 }), hex)
      .map(
        ([offset, length, tail]): Hex =>
          `0x${word(offset.toString(16)).slice(2)}${word(length.toString(16)).slice(2)}${tail.slice(2)}`,
      );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(hex, shaped, fc.string().map(string), fc.constant(null)), { maxLength: 4 }),
        (results) => {
          for (const { symbol, name, decimals } of readTokens([TOKEN], results)) {
            for (const text of [symbol, name]) {
              expect([...(text ?? "")].length).toBeLessThanOrEqual(256);
              expect(text ?? "").not.toMatch(/[\p{Cc}\ufffd]/u);
            }
            expect(decimals === null || (decimals >= 0 && decimals <= 77)).toBe(true);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("reads every recorded token as an independent decoder does", () => {
    const calls = readBundleJson<Record<string, Record<string, Hex>>>(MAINNET, "calls.json");
    const tokens = Object.keys(calls).filter((address) => calls[address]?.["0x313ce567"]) as Hex[];
    const results = tokenCalls(tokens.map((address) => ({ address, block: { number: 1 } }))).map(
      ({ to, data }) => calls[to]?.[data] ?? null,
    );
    const abi = parseAbi([
      "function symbol() view returns (string)",
      "function name() view returns (string)",
      "function decimals() view returns (uint8)",
    ]);
    const read = (functionName: "symbol" | "name" | "decimals", data: Hex) =>
      decodeFunctionResult({ abi, functionName, data });
    expect(tokens.length).toBeGreaterThan(40);
    expect(readTokens(tokens, results)).toEqual(
      tokens.map((address) => ({
        address,
        symbol: read("symbol", calls[address]?.["0x95d89b41"] ?? "0x"),
        name: read("name", calls[address]?.["0x06fdde03"] ?? "0x"),
        decimals: read("decimals", calls[address]?.["0x313ce567"] ?? "0x"),
      })),
    );
  });
});
