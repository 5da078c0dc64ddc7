import { encodeAbiParameters, parseAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { bundlePath, MAINNET } from "../../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../../test/support/nodes/recording.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import type { Hex } from "../../../lib/hex.ts";
import { VAULT_EVENTS, vaultPoolOf } from "../../../schema/events/vault-events.ts";
import { poolAmounts, vaultChangesOf, withVaultLog } from "./vault-balances.ts";
import { UNREADABLE } from "./vault-change.ts";

const VAULT: Hex = "0xba12222222228d8ba445958a75a0704d566bf2c8";
const POOL: Hex = `0x${"ab".repeat(20)}`;
const [A, B, C] = ["0a", "0b", "0c"].map((byte): Hex => `0x${byte.repeat(20)}`) as [Hex, Hex, Hex];
const topic = (address: Hex): Hex => `0x${"0".repeat(24)}${address.slice(2)}`;

function logOf(name: keyof typeof VAULT_EVENTS, data: Hex, topics: [Hex | null, Hex | null] = [null, null]) {
  return { topic_0: VAULT_EVENTS[name], topic_2: topics[0], topic_3: topics[1], data };
}

const pair = (first: bigint, second: bigint) =>
  encodeAbiParameters(parseAbiParameters("int256, int256"), [first, second]);

function changed(tokens: Hex[], deltas: bigint[], fees: bigint[]): Hex {
  return encodeAbiParameters(parseAbiParameters("address[], int256[], uint256[]"), [tokens, deltas, fees]);
}

describe("the changes that the Vault's events report", () => {
  it("are the provider's amounts minus the protocol fees in a join or exit", () => {
    const log = logOf("changed", changed([A, B, C], [10n, -7n, 0n], [3n, 2n, 1n]));
    expect(vaultChangesOf(log)).toEqual([
      { token: A, change: 7n },
      { token: B, change: -9n },
      { token: C, change: -1n },
    ]);
    expect(vaultChangesOf(logOf("changed", changed([], [], [])))).toEqual([]);
  });

  it("are both amounts of a swap, and the sum of what an asset manager reports", () => {
    expect(vaultChangesOf(logOf("swap", pair(5n, 4n), [topic(A), topic(B)]))).toEqual([
      { token: A, change: 5n },
      { token: B, change: -4n },
    ]);
    const managed = (cash: bigint, held: bigint) =>
      vaultChangesOf(logOf("managed", pair(cash, held), [topic(C), topic(A)]));
    expect(managed(-8n, 8n)).toEqual([{ token: A, change: 0n }]);
    expect(managed(0n, -3n)).toEqual([{ token: A, change: -3n }]);
  });

  it("make the balances unknown if they cannot be read", () => {
    const whole = changed([A, B], [1n, 2n], [0n, 0n]);
    const broken = [whole.slice(0, -64), `${whole}${"0".repeat(192)}`, "0x"] as Hex[];
    for (const data of broken) expect(vaultChangesOf(logOf("changed", data))).toEqual([UNREADABLE]);
    expect(vaultChangesOf(logOf("swap", "0x01", [topic(A), topic(B)]))).toEqual([UNREADABLE]);
    expect(vaultChangesOf(logOf("managed", pair(1n, 1n)))).toEqual([UNREADABLE]);
    const after = withVaultLog({ emitters: [VAULT], byToken: new Map() }, logOf("changed", "0x"));
    expect(poolAmounts({ pool: POOL, family: "balancer-v2", tokens: [A, B] }, after.byToken)).toBeUndefined();
  });

  it("are those of real swaps, in the pools that their logs name", () => {
    const blocks = [MAINNET, bundlePath("eth-natives"), bundlePath("eth-covalent")].flatMap((bundle) =>
      recordedBlocks(bundle),
    );
    const logs = blocks.flatMap(({ transactions }) => transactions.flatMap(({ logs }) => logs));
    const swaps = logs.filter(({ address, topics }) => address === VAULT && topics[0] === VAULT_EVENTS.swap);
    expect(swaps.length).toBeGreaterThan(0);
    for (const { topics, data } of swaps) {
      const [topic_0 = null, topic_1 = null, topic_2 = null, topic_3 = null] = topics;
      const changes = vaultChangesOf({ topic_0, topic_2, topic_3, data });
      expect(changes.map(({ token }) => topic(token))).toEqual([topic_2, topic_3]);
      expect(changes.map(({ change }) => change > 0n)).toEqual([true, false]);
      expect(topic_1?.startsWith(vaultPoolOf({ topic_0, topic_1, data }) ?? "none")).toBe(true);
    }
    expect(ethereum.deployments.some(({ vault }) => vault === VAULT)).toBe(true);
  });
});

describe("the amounts of a pool", () => {
  const amounts = (held: [Hex, bigint][], tokens: (Hex | null)[] = [A, B]) =>
    poolAmounts({ pool: POOL, family: "balancer-v2", tokens }, new Map(held));

  it("are zero for tokens without a change, and do not include the pool's own shares", () => {
    expect(amounts([])).toEqual([0n, 0n]);
    const shares: [Hex, bigint] = [POOL, 2n ** 111n];
    expect(amounts([[A, 5n], shares])).toEqual([5n, 0n]);
  });

  it("are unknown if the pool holds another token, and below zero", () => {
    expect(amounts([[C, 1n]])).toBeUndefined();
    expect(amounts([[C, 0n]])).toEqual([0n, 0n]);
    expect(amounts([[A, -1n]])).toBeUndefined();
    expect(amounts([[A, 1n]], [A, null])).toEqual([1n, null]);
  });
});
