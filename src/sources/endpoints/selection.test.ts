import { describe, expect, it } from "vitest";
import { bestOf, isAvailable, isUsable, type Standing } from "./selection.ts";

const NOW = 1_000;
const GOOD: Standing = {
  isChecked: true,
  isExcluded: false,
  backoffUntil: 0,
  retryAt: 0,
  newest: null,
  load: 1,
};

/** Returns the name of the chosen endpoint. */
function chosen(endpoints: Record<string, Partial<Standing>>, block?: number): string | undefined {
  const candidates = Object.entries(endpoints).map(([name, standing]) => ({ name, ...GOOD, ...standing }));
  return bestOf(candidates, NOW, block)?.name;
}

describe("bestOf", () => {
  it.each<[string, Record<string, Partial<Standing>>, string | undefined]>([
    ["the least loaded", { a: { load: 2 }, b: { load: 1 } }, "b"],
    ["the first of equals", { a: {}, b: {} }, "a"],
    ["none that backs off", { a: { backoffUntil: 1_001 }, b: { load: 9 } }, "b"],
    ["none that asked for a pause", { a: { retryAt: 1_001 }, b: { load: 9 } }, "b"],
    ["one whose backoff has ended", { a: { backoffUntil: 1_000 }, b: { load: 9 } }, "a"],
    ["the one whose backoff ends first", { a: { backoffUntil: 3_000 }, b: { retryAt: 2_000, load: 9 } }, "b"],
    ["none that is excluded", { a: { isExcluded: true }, b: { load: 9 } }, "b"],
    ["one that is not checked", { a: { isChecked: false }, b: { load: 9 } }, "a"],
    ["nothing when all are excluded", { a: { isExcluded: true } }, undefined],
  ])("chooses %s", (_, endpoints, expected) => {
    expect(chosen(endpoints)).toBe(expected);
  });

  it("prefers an endpoint that has the block, or may have it", () => {
    expect(chosen({ behind: { newest: 4 }, ahead: { newest: 5, load: 9 } }, 5)).toBe("ahead");
    expect(chosen({ behind: { newest: 4 }, unknown: { load: 9 } }, 5)).toBe("unknown");
    expect(chosen({ behind: { newest: 4 }, ahead: { newest: 5, load: 9 } })).toBe("behind");
    expect(chosen({ behind: { newest: 4 }, resting: { newest: 5, backoffUntil: 2_000 } }, 5)).toBe("behind");
  });
});

describe("isUsable and isAvailable", () => {
  it.each<[Partial<Standing>, boolean, boolean]>([
    [{}, true, true],
    [{ backoffUntil: NOW, retryAt: NOW }, true, true],
    [{ isChecked: false }, true, false],
    [{ isExcluded: true }, false, false],
    [{ backoffUntil: NOW + 1 }, false, false],
    [{ retryAt: NOW + 1 }, false, false],
  ])("%j: %s and %s", (change, usable, available) => {
    const standing = { ...GOOD, ...change };
    expect([isUsable(standing, NOW), isAvailable(standing, NOW)]).toEqual([usable, available]);
  });
});
