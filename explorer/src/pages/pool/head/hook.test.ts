import { expect, it } from "vitest";
import { amountsText, hookPermissions, mayChangeAmounts } from "./hook.ts";

const namesOf = (flags: number) => hookPermissions(flags)?.map(({ name }) => name) ?? [];

it("names the permissions in the lowest 14 bits of a hook's address", () => {
  expect(namesOf(0)).toEqual([]);
  expect(namesOf(1 << 13)).toEqual(["before initialize"]);
  expect(namesOf(0xc0)).toEqual(["before swap", "after swap"]);
  expect(namesOf(0x88)).toEqual(["before swap", "before swap returns delta"]);
  expect(namesOf(1)).toEqual(["after remove liquidity returns delta"]);
  expect(namesOf(0x3fff)).toHaveLength(14);
});

it("says that a hook may change amounts exactly if it has one of the two permissions", () => {
  for (let flags = 0; flags <= 0x3fff; flags++) {
    if (hookPermissions(flags) === null) continue;
    const isAllowed = namesOf(flags).some((name) => name.endsWith("swap returns delta"));
    expect(mayChangeAmounts(flags)).toBe(isAllowed);
  }
});

it("does not know the permissions of Ekubo's extensions and Balancer's hooks, but knows that they change amounts", () => {
  expect(hookPermissions(4)).toBe(null);
  expect(mayChangeAmounts(4)).toBe(true);
});

it("says where amounts come from, which are never known in PancakeSwap Infinity", () => {
  for (const protocol of ["uniswap_v4", "ekubo", "balancer_v3"])
    expect(amountsText(protocol)).toMatch(
      /come from the transfers .* unknown if the transfers do not show them/,
    );
  for (const kind of ["cl", "bin"])
    expect(amountsText(`pancakeswap_infinity_${kind}`)).toMatch(/The amounts of trades are unknown\.$/);
});
