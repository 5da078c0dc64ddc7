import { expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { changingHookFlags, hookFlags, mayChangeAmounts } from "../../schema/hooks.ts";

const HOOK: Hex = `0x${"b".repeat(36)}0080`;
const ZERO: Hex = `0x${"0".repeat(40)}`;

it("reads a hook's permissions from its address only in Uniswap V4", () => {
  expect([hookFlags(HOOK), changingHookFlags(HOOK), changingHookFlags(ZERO)]).toEqual([0x80, 0x04, 0]);
  const verdicts = [0x80, 0x08, 0x04, 0, null].map((flags) => mayChangeAmounts({ hookFlags: flags }));
  expect(verdicts).toEqual([false, true, true, false, false]);
});
