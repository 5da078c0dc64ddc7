import { expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { hookFlagsOf, mayChangeAmounts } from "../../schema/hooks.ts";

const HOOK: Hex = `0x${"b".repeat(36)}0080`;
const ZERO: Hex = `0x${"0".repeat(40)}`;

it("reads a hook's permissions from its address only in Uniswap V4", () => {
  expect(hookFlagsOf({ family: "uniswap-v4", hooks: HOOK })).toBe(0x80);
  for (const family of ["balancer-v3", "ekubo"] as const) {
    expect(hookFlagsOf({ family, hooks: HOOK })).toBe(0x04);
    expect([HOOK, ZERO, null].map((hooks) => mayChangeAmounts({ family, hooks }))).toEqual([
      true,
      false,
      false,
    ]);
    expect(hookFlagsOf({ family, hooks: ZERO })).toBe(0);
  }
  expect(hookFlagsOf({ family: "uniswap-v3", hooks: null })).toBeNull();
});
