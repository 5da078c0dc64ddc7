import { describe, expect, it } from "vitest";
import { balancesOf } from "./pool-value.ts";

const STATE = { reserves: undefined, amounts: undefined, held: [undefined, undefined] } as const;

describe("balancesOf", () => {
  it("knows that a pool which holds its tokens and never got any has none", () => {
    expect(balancesOf({ family: "uniswap-v3", createdBlock: 7 }, STATE, true)).toEqual([0n, 0n]);
  });

  it("does not know the balances of a pool whose tokens are elsewhere", () => {
    const held = [{ value: 5n }, { value: 6n }] as never;
    expect(balancesOf({ family: "ekubo", createdBlock: 7 }, { ...STATE, held }, true)).toEqual([null, null]);
  });
});
