import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import type { Log, Transaction } from "../../schema/block.ts";
import { hookFlags } from "../../schema/hooks.ts";
import type { Erc20Transfer, Swap } from "../../schema/swap.ts";
import { addressWord } from "../abi/abi.ts";
import { keccak } from "../abi/keccak.ts";
import { MANAGER, POOL, SWAP, USDC } from "../support/v4-logs.ts";
import { CLAIMS_MOVED, swapOfSwapper } from "./swapper-amounts.ts";

const ANN: Hex = `0x${"a".repeat(40)}`;
const ROUTER: Hex = `0x${"e".repeat(40)}`;
/** A hook. Its address has bits 2 and 3 set, which permit both return deltas. */
const HOOK: Hex = `0x${"b".repeat(36)}00cc`;
const TOKEN: Hex = `0x${"7".repeat(40)}`;
const UNKNOWN = { amount0: 1n, amount1: -1n, amountsUnknown: "hook_may_change_amounts" };

function swapOf(hooks: Hex | null = HOOK): Swap {
  const pool = { ...POOL, token0: TOKEN, tokens: [TOKEN, USDC], hooks, hookFlags: hooks && hookFlags(hooks) };
  const tokens = { token0: TOKEN, token1: USDC };
  return { kind: "swap", logIndex: 4, pool, ...tokens, amount0: 1000n, amount1: -500n, amountsUnknown: null };
}

const moved = (token: Hex, from: Hex, to: Hex, value: bigint): Erc20Transfer => ({
  ...{ kind: "erc20", logIndex: 0, token, from, to, value },
});
const word = (address: Hex): Hex => `0x${addressWord(address)}`;
const nobody: Hex = `0x${"0".repeat(40)}`;

/** Returns the log of a claim of 50 USDC that the caller minted or burned. */
const claim = (caller: Hex, from: Hex, to: Hex): Log => ({
  ...{ address: MANAGER, logIndex: 0, topics: [CLAIMS_MOVED, word(from), word(to), word(USDC)] },
  data: `0x${addressWord(caller)}${50n.toString(16).padStart(64, "0")}`,
});

/**
 * The transfer of the 1000 that the swapper pays according to the event, which also says that the swapper
 * receives 500.
 */
const paid = moved(TOKEN, ANN, MANAGER, 1000n);
const got = (value: bigint) => moved(USDC, MANAGER, ANN, value);

function amountsAfter(transfers: Erc20Transfer[], logs: Log[] = [], swap = swapOf(), log = SWAP) {
  const transaction = { logs: [log, ...logs] } as unknown as Transaction;
  const { amount0, amount1, amountsUnknown } = swapOfSwapper(swap, log, { transaction, transfers });
  return { amount0, amount1, amountsUnknown };
}

const known = (amount0: bigint, amount1: bigint) => ({ amount0, amount1, amountsUnknown: null });

describe("amounts of a swap whose hook may change them", () => {
  it("are those that the swapper paid and got, after the hook's fee in tokens or in claims", () => {
    const fee = moved(USDC, MANAGER, HOOK, 50n);
    expect(amountsAfter([paid, fee, got(450n)])).toEqual(known(1000n, -450n));
    expect(amountsAfter([paid, got(450n)], [claim(HOOK, nobody, ROUTER)])).toEqual(known(1000n, -450n));
    expect(amountsAfter([paid, got(550n)], [claim(HOOK, HOOK, nobody)])).toEqual(known(1000n, -550n));
    expect(amountsAfter([paid, moved(USDC, HOOK, MANAGER, 50n), got(550n)])).toEqual(known(1000n, -550n));
    const before = moved(TOKEN, MANAGER, HOOK, 30n);
    const more = moved(TOKEN, ANN, MANAGER, 1030n);
    expect(amountsAfter([more, before, got(500n)])).toEqual(known(1030n, -500n));
    expect(amountsAfter([paid, got(500n)], [claim(ANN, ANN, ROUTER)])).toEqual(known(1000n, -500n));
  });

  it.each<[string, Erc20Transfer[], Log[]]>([
    ["a leg moved without a transfer, as the native coin does", [got(500n)], []],
    ["no transfer is left for a leg", [paid], []],
    ["the fee went to a third party", [paid, moved(USDC, MANAGER, ROUTER, 50n), got(450n)], []],
    [
      "the fee went to a third party, and the tokens of the swapper to the hook",
      [paid, moved(USDC, MANAGER, HOOK, 490n), moved(USDC, MANAGER, ROUTER, 10n)],
      [],
    ],
    ["the PoolManager's books do not balance", [paid, got(450n)], []],
    ["the swapper was paid in claims", [paid, got(450n)], [claim(ROUTER, nobody, ANN)]],
    ["a transfer goes against the swap", [paid, moved(USDC, ANN, MANAGER, 500n)], []],
    ["a transfer is empty", [paid, got(0n)], [claim(HOOK, nobody, HOOK)]],
    ["another swap is in the transaction", [paid, got(500n)], [{ ...SWAP, logIndex: 9 }]],
    ["a claim is malformed", [paid, got(450n)], [{ ...claim(HOOK, nobody, HOOK), data: "0x" }]],
  ])("are unknown if %s", (_, transfers, logs) => {
    expect(amountsAfter(transfers, logs)).toEqual(UNKNOWN);
  });

  it("ignore claims and swaps of other contracts, and claims on other tokens", () => {
    const foreign = { ...SWAP, address: ANN };
    const other = claim(ANN, nobody, ANN);
    const logs = [foreign, { ...other, address: ANN }];
    expect(amountsAfter([paid, got(500n)], logs)).toEqual(known(1000n, -500n));
    const ofAnn = { ...other, topics: [...other.topics.slice(0, 3), word(ANN)] };
    expect(amountsAfter([paid, got(500n)], [ofAnn])).toEqual(known(1000n, -500n));
  });

  it("are those of the event without such a hook, and in the hook's own swaps", () => {
    const event = known(1000n, -500n);
    for (const hooks of [null, nobody, `0x${"b".repeat(36)}3ff3` as const])
      expect(amountsAfter([], [], swapOf(hooks))).toEqual(event);
    const own = { ...SWAP, topics: [...SWAP.topics.slice(0, 2), word(HOOK)] };
    expect(amountsAfter([], [], swapOf(), own)).toEqual(event);
    for (const flag of ["0004", "0008"]) {
      const pool = swapOf(`0x${"b".repeat(36)}${flag}`);
      expect(amountsAfter([], [], pool)).toEqual(UNKNOWN);
    }
  });

  it("are those of single transfers if the hook fills the swap, so that the event has none", () => {
    const filled = { ...swapOf(), amount0: 0n, amount1: 0n };
    const amounts = (transfers: Erc20Transfer[], logs: Log[] = [], swap: Swap = filled) =>
      amountsAfter(transfers, logs, swap);
    const fills = [moved(TOKEN, MANAGER, HOOK, 1000n), moved(USDC, HOOK, MANAGER, 500n)];
    expect(amounts([paid, ...fills, got(500n)])).toEqual(known(1000n, -500n));
    const sold = [moved(USDC, ANN, MANAGER, 550n), moved(USDC, MANAGER, HOOK, 500n)];
    const bought = [moved(TOKEN, HOOK, MANAGER, 1000n), moved(TOKEN, MANAGER, ANN, 1000n)];
    expect(amounts([...sold, ...bought], [claim(HOOK, nobody, HOOK)])).toEqual(known(-1000n, 550n));
    // Another contract holds the hook's tokens as claims, or one of the tokens is the native coin.
    expect(amounts([paid, got(450n)], [claim(ROUTER, nobody, ROUTER)])).toEqual(UNKNOWN);
    expect(amounts([paid])).toEqual(UNKNOWN);
    expect(amounts([got(500n)])).toEqual(UNKNOWN);
    const empty = known(0n, 0n);
    expect(amounts([])).toEqual(empty);
    expect(amounts([paid, moved(USDC, ANN, MANAGER, 500n)])).toEqual(empty);
    expect(amounts([paid, ...fills, got(500n)], [{ ...SWAP, logIndex: 9 }])).toEqual(empty);
    const passed = moved(TOKEN, HOOK, ROUTER, 1000n);
    expect(amounts([paid, ...fills, passed, got(500n)])).toEqual(empty);
    const afterOnly = { ...swapOf(`0x${"b".repeat(36)}0004`), amount0: 0n, amount1: 0n };
    expect(amounts([paid, got(500n)], [], afterOnly)).toEqual(empty);
  });

  it("have the topic of the PoolManager's claims", () => {
    const text = "Transfer(address,address,address,uint256,uint256)";
    expect(keccak(`0x${Buffer.from(text).toString("hex")}`)).toBe(CLAIMS_MOVED);
  });
});
