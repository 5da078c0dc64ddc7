import { describe, expect, it } from "vitest";
import { didYouMean, editDistance } from "./suggestion.ts";

describe("editDistance", () => {
  it.each([
    ["", "", 0],
    ["abc", "", 3],
    ["sum", "sun", 1],
    ["amuont", "amount", 1],
    ["kitten", "sitting", 3],
  ])("from %s to %s is %i", (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance);
    expect(editDistance(to, from)).toBe(distance);
  });
});

describe("didYouMean", () => {
  it("suggests the nearest name, one with this start, the only one with this last word, or none", () => {
    expect(didYouMean("Adress", ["topic_0", "address"])).toBe(`; did you mean "address"?`);
    expect(didYouMean("price_token", ["side", "price_token_usd_tick_1"])).toBe(
      `; did you mean "price_token_usd_tick_1"?`,
    );
    expect(didYouMean("number", ["side", "block_number"])).toBe(`; did you mean "block_number"?`);
    expect(didYouMean("hash", ["block_hash", "parent_hash"])).toBe("");
    expect(didYouMean("colour", ["side", "address"])).toBe("");
  });
});
