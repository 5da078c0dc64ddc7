import { describe, expect, it } from "vitest";
import type { Hex } from "../../../lib/hex.ts";
import { EKUBO_EVENTS } from "../../../schema/events/ekubo-events.ts";
import { vaultPoolOf } from "../../../schema/events/vault-events.ts";
import { poolAmounts, type VaultBalances, withVaultLog } from "./vault-balances.ts";

const CORE: Hex = `0x${"e0".repeat(20)}`;
const POOL: Hex = `0x${"ab".repeat(32)}`;
const ID = BigInt(POOL);
const [A, B] = ["0a", "0b"].map((byte): Hex => `0x${byte.repeat(20)}`) as [Hex, Hex];

const digits = (value: bigint, bytes: number) =>
  BigInt.asUintN(8 * bytes, value)
    .toString(16)
    .padStart(2 * bytes, "0");
const words = (...values: bigint[]): Hex => `0x${values.map((value) => digits(value, 32)).join("")}`;
const packed = (first: bigint, second: bigint) => BigInt(`0x${digits(first, 16)}${digits(second, 16)}`);

function logOf(name: keyof typeof EKUBO_EVENTS, data: Hex) {
  return { topic_0: EKUBO_EVENTS[name], topic_1: null, topic_2: null, topic_3: null, data };
}

function swap(first: bigint, second: bigint, rest = digits(9n, 32)) {
  const data: Hex = `0x${digits(7n, 20)}${POOL.slice(2)}${digits(first, 16)}${digits(second, 16)}${rest}`;
  return { topic_0: null, topic_1: null, topic_2: null, topic_3: null, data };
}

function balancesAfter(...logs: ReturnType<typeof swap | typeof logOf>[]) {
  let known: VaultBalances = { emitters: [CORE], byToken: new Map() };
  for (const log of logs) known = withVaultLog(known, log);
  return poolAmounts({ pool: POOL, family: "ekubo", tokens: [A, B] }, known.byToken);
}

describe("the changes that the logs of Ekubo's Core report", () => {
  const deposit = logOf("positionUpdated", words(1n, ID, 2n, 3n, packed(100n, 50n), 4n));

  it("are those of positions and swaps", () => {
    expect(balancesAfter(deposit)).toEqual([100n, 50n]);
    expect(balancesAfter(deposit, swap(30n, -20n))).toEqual([130n, 30n]);
    const withdrawal = logOf("positionUpdated", words(1n, ID, 2n, -3n, packed(-40n, -10n), 4n));
    expect(balancesAfter(deposit, swap(-30n, 20n), withdrawal)).toEqual([30n, 60n]);
  });

  it("are the fees that positions collect and extensions add", () => {
    const collected = logOf("feesCollected", words(1n, ID, 2n, 5n, 6n));
    const added = logOf("feesAccumulated", words(ID, 1n, 2n));
    expect(balancesAfter(deposit, collected)).toEqual([95n, 44n]);
    expect(balancesAfter(deposit, collected, added)).toEqual([96n, 46n]);
    expect(balancesAfter(logOf("initialized", words(ID, 1n, 2n, 3n, 4n, 5n)))).toEqual([0n, 0n]);
  });

  it("are unknown with the positions of version 2, and if a log cannot be read", () => {
    const old = logOf("positionUpdatedV2", words(1n, ID, 2n, 3n, 4n, 5n, -40n, -10n));
    for (const log of [old, logOf("feesCollected", words(1n, ID)), logOf("feesAccumulated", words(ID, 1n))])
      expect(balancesAfter(deposit, log)).toBeUndefined();
    expect(balancesAfter(swap(-1n, 1n))).toBeUndefined();
  });

  it("are those of the pool in the data", () => {
    expect(vaultPoolOf(swap(1n, 2n))).toBe(POOL);
    expect(vaultPoolOf(deposit)).toBe(POOL);
    expect(vaultPoolOf(logOf("feesAccumulated", words(ID, 1n, 2n)))).toBe(POOL);
    expect(vaultPoolOf(swap(1n, 2n, ""))).toBeNull();
    expect(vaultPoolOf(logOf("feesCollected", words(1n)))).toBeNull();
    expect(vaultPoolOf({ ...deposit, topic_0: `0x${"1".repeat(64)}` })).toBeNull();
  });
});
