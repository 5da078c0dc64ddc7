import { describe, expect, it } from "vitest";
import { likeChoices, translatePattern } from "./regular-expression.ts";

const choices = (pattern: string, isStored = true) => translatePattern(pattern, isStored).work.choices;

const gap = "_".repeat(20);
const CHAIN = [..."07e5c3a18f6d4b29"].map((char) => `.*${char}`).join("");

/**
 * The times of these patterns were measured on random hex, on words of zeros and addresses, and on strings of
 * two letters. The patterns with few choices take at most as long as their steps suggest; most patterns with
 * many choices take 5 to 40 times as long.
 */
describe("the choices of a pattern", () => {
  it.each([
    ["0xa9059cbb.*", 0],
    ["0x(00){12}[0-9a-f]{40}.*", 0],
    ["0x([0-9a-f]{64})*", 1],
    ["0x([0-9a-f]{64}){3,}", 1],
    ["[A-Z0-9.]{1,20}(-LP)?", 1],
    [".*[A-Z]{3,20}.*", 2],
    [".*a9059cbb.*|.*095ea7b3.*", 0],
    [`${CHAIN}.*`, 0],
    [".*(a9059cbb|095ea7b3)0{24}[0-9a-f]{40}.*", 2],
    [".*0{24}[0-9a-f]{40}.*", 0],
    [".*[0-9a-f]{64}.*", 2],
    [".*.{200}[0-9]", 2],
    [".*[0-7].{4}[g-w].*", 7],
    [".*a9059cbb.{200}g.*", 0],
    [".*[a-z0-9-]{2,30}\\.(com|io|xyz).*", 3],
  ])("is small if the matcher's states recur: %s", (pattern, expected) => {
    expect(choices(pattern)).toBe(expected);
  });

  it.each([
    [".*[0-7].{14}[g-w].*", 17],
    [".*[0-7].{700}[g-w].*", 703],
    [".*3.{50}g.*", 51],
    [".*(0|1)[0-9a-f]{40}g.*", 42],
    [".*(a.{20}b|1.{20}2).*", 42],
    [".*(ab|ba|aa).{30}g.*", 32],
    [".*(0|1|2|3)(0|1|2|3).{30}g.*", 33],
    [".*0000.{30}g.*", 31],
    [".*0{8}.{30}g.*", 31],
    [".*0(.{40})*g", 41],
    [`(.*[0-7].{8}g|${CHAIN}g).*`, 13],
    [".*[0-7].?.?.?.?.?.?.?.?.?.?.?.?.?.?g.*", 16],
    [".*(0?1?2?3?4?5?){4}", 25],
    ["[0-7]*[0-7].{20}g", 21],
    [".{0,400}[0-7].{20}g", 21],
    [".*ab.*[0-7]a.{20}g", 22],
  ])("is large if almost every byte can lead to a new state: %s", (pattern, expected) => {
    expect(choices(pattern)).toBe(expected);
  });

  it("is large after given characters if functions compute the text, in which they may be frequent", () => {
    const pattern = ".*a9059cbb.{200}g.*";
    expect([choices(pattern, true), choices(pattern, false)]).toEqual([0, 201]);
  });

  it.each([
    ["%a9059cbb%", 0],
    [`%${gap}a%`, 0],
    [`%a9059cbb${gap}%`, 0],
    [`ab${gap}%`, 0],
    [`%a${gap}b%`, 21],
    // An escaped % is a literal character, after which the next part starts at some places only.
    [`%\\%${gap}g%`, 21],
  ])("counts the gaps of LIKE in the same way: %s", (pattern, expected) => {
    expect(likeChoices(pattern, true)).toBe(expected);
  });
});
