import { encodeAbiParameters, parseAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import type { Hex } from "../../../lib/hex.ts";
import { VAULT_V3_EVENTS, vaultPoolOf } from "../../../schema/events/vault-events.ts";
import { poolAmounts, type VaultBalances, vaultChangesOf, withVaultLog } from "./vault-balances.ts";
import { UNREADABLE } from "./vault-change.ts";

const VAULT: Hex = `0x${"ba".repeat(20)}`;
const POOL: Hex = `0x${"ab".repeat(20)}`;
const [A, B, C] = ["0a", "0b", "0c"].map((byte): Hex => `0x${byte.repeat(20)}`) as [Hex, Hex, Hex];
const topic = (address: Hex): Hex => `0x${"0".repeat(24)}${address.slice(2)}`;

type Topics = [Hex | null, Hex | null];

function logOf(name: keyof typeof VAULT_V3_EVENTS, data: Hex, topics: Topics = [null, null]) {
  return { topic_0: VAULT_V3_EVENTS[name], topic_2: topics[0], topic_3: topics[1], data };
}

const words = (...values: bigint[]) =>
  encodeAbiParameters(
    values.map(() => ({ type: "uint256" })),
    values,
  );

function liquidity(amounts: bigint[], fees = amounts.map(() => 99n)): Hex {
  return encodeAbiParameters(parseAbiParameters("uint256, uint256[], uint256[]"), [7n, amounts, fees]);
}

/** Returns the balances of a pool with two tokens after some logs. */
function balancesAfter(...logs: ReturnType<typeof logOf>[]) {
  const empty: VaultBalances = { emitters: [VAULT], byToken: new Map() };
  return poolAmounts(
    { pool: POOL, family: "balancer-v3", tokens: [A, B] },
    logs.reduce((known, log) => withVaultLog(known, log), empty).byToken,
  );
}

describe("the changes that the events of Balancer V3's Vault and fee controller report", () => {
  const added = logOf("added", liquidity([100n, 50n]), [topic(C), topic(C)]);

  it("are the amounts that are added and removed, in the order of the pool's tokens", () => {
    expect(balancesAfter(added)).toEqual([100n, 50n]);
    expect(balancesAfter(added, logOf("removed", liquidity([40n, 0n])))).toEqual([60n, 50n]);
  });

  it("are both amounts of a swap: its fees stay in the Vault until they are collected", () => {
    const swap = logOf("swap", words(30n, 20n, 10n ** 16n, 3n), [topic(A), topic(B)]);
    expect(balancesAfter(added, swap)).toEqual([130n, 30n]);
    const collected = [
      logOf("swapFeeCollected", words(2n), [topic(A), null]),
      logOf("yieldFeeCollected", words(5n), [topic(B), null]),
    ];
    expect(balancesAfter(added, swap, ...collected)).toEqual([128n, 25n]);
  });

  it("are none at a registration", () => {
    expect(vaultChangesOf(logOf("registered", "0x1234"))).toEqual([]);
    expect(vaultChangesOf(logOf("feeSet", words(5n, 0n)))).toEqual([]);
  });

  it("are unknown if a log cannot be read, or if the pool has another number of tokens", () => {
    const broken = [
      logOf("added", liquidity([1n, 2n], [])),
      logOf("added", liquidity([1n], [1n])),
      logOf("removed", liquidity(Array.from({ length: 9 }, () => 1n))),
      logOf("removed", "0x"),
      logOf("swap", words(1n, 2n), [topic(A), topic(B)]),
      logOf("swap", words(1n, 2n, 3n, 4n), [topic(A), null]),
      logOf("swapFeeCollected", words(1n)),
    ];
    for (const log of broken) expect(vaultChangesOf(log)).toEqual([UNREADABLE]);
    expect(balancesAfter(added, logOf("added", liquidity([1n, 2n, 3n])))).toBeUndefined();
    const foreign = logOf("swap", words(1n, 2n, 3n, 4n), [topic(C), topic(A)]);
    expect(balancesAfter(added, foreign)).toBeUndefined();
    expect(balancesAfter(logOf("removed", liquidity([1n, 0n])))).toBeUndefined();
  });

  it("are those of the pool in the first argument", () => {
    for (const topic_0 of Object.values(VAULT_V3_EVENTS))
      expect(vaultPoolOf({ topic_0, topic_1: topic(POOL), data: "0x" })).toBe(POOL);
  });
});
