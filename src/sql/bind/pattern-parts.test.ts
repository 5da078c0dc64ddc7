import { describe, expect, it } from "vitest";
import { likeChoices, translatePattern } from "./regular-expression.ts";

const choices = (pattern: string, isStored = true) => translatePattern(pattern, isStored).work.choices;

/**
 * Measured on 4,224 bytes of random hex: the patterns with few choices take at most 10 ns per byte, or 1,250
 * with 8,400 steps. Most of the others take 400 to 15,000 ns; the rest are fast only for such texts.
 */
describe("the choices of a pattern", () => {
  it.each([
    ["0xa9059cbb.*", 0],
    ["0x(00){12}[0-9a-f]{40}.*", 0],
    [".*a9059cbb.*|.*095ea7b3.*", 0],
    [".*1.*2.*3.*4.*5.*6.*7.*8.*9.*0.*a.*b.*c.*", 0],
    [".*(a9059cbb|095ea7b3)0{24}[0-9a-f]{40}.*", 1],
    [".*[0-9a-f]{64}.*", 1],
    [".*.{200}[0-9]", 1],
    [".*[0-7].{8}[g-w].*", 10],
    [".*ab.{700}g.*", 0],
    [".*abc[0-7].{700}g.*", 0],
  ])("is small if the matcher's states recur: %s", (pattern, expected) => {
    expect(choices(pattern)).toBe(expected);
  });

  it.each([
    [".*[0-7].{14}[g-w].*", 16],
    [".*[0-7].{700}[g-w].*", 702],
    [".*3.{50}g.*", 50],
    [".*(0|1)[0-9a-f]{40}g.*", 41],
    [".*(a.{20}b|1.{20}2).*", 41],
    [".*[0-7].?.?.?.?.?.?.?.?.?.?.?.?.?.?g.*", 15],
    [".*(0?1?2?3?4?5?){4}", 24],
    ["[0-7]*[0-7].{20}g", 22],
    [".{0,400}[0-7].{20}g", 421],
    [".*ab.*[0-7]a.{20}g", 21],
  ])("is large if almost every byte can lead to a new state: %s", (pattern, expected) => {
    expect(choices(pattern)).toBe(expected);
  });

  it("is large after given characters if functions compute the text, in which they may be frequent", () => {
    expect([choices(".*ab.{700}g.*", true), choices(".*ab.{700}g.*", false)]).toEqual([0, 700]);
  });

  it("counts the gaps of LIKE in the same way", () => {
    const gap = "_".repeat(20);
    expect(
      ["%a9059cbb%", `%${gap}a%`, `%ab${gap}%`, `ab${gap}%`].map((text) => likeChoices(text, true)),
    ).toEqual([0, 0, 0, 0]);
    expect([likeChoices(`%a${gap}b%`, true), likeChoices(`%ab${gap}%`, false)]).toEqual([20, 20]);
  });
});
