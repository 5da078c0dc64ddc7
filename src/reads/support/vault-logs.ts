import type { Hex } from "../../lib/hex.ts";
import { BIN_EVENTS } from "../../schema/events/bin-events.ts";
import { EKUBO_EVENTS, EKUBO_ID_WORDS } from "../../schema/events/ekubo-events.ts";
import { VAULT_EVENTS, VAULT_V3_EVENTS } from "../../schema/events/vault-events.ts";
import type { RowOf } from "../../schema/tables.ts";
import { hashOf, hexOf } from "./market.ts";

/** A family whose pools are in a Vault. */
export type VaultFamily = "balancer-v2" | "balancer-v3" | "ekubo" | "pancake-infinity-bin";

/** A factory of each family that the chain of these tests lists. */
export const VAULT_FACTORIES: Record<VaultFamily, Hex> = {
  "balancer-v2": "0xa5bf2ddf098bb0ef6d120c98217dd6b141c74ee0",
  "balancer-v3": "0x201efd508c8dfe9de1a13c2452863a78cb2a86cc",
  ekubo: "0x00000000000014aa86c5d3c41765bb24e11bd701",
  "pancake-infinity-bin": "0xc697d2898e0d09264376196696c51d7abbbaa4a9",
};
const VAULT: Hex = "0xba12222222228d8ba445958a75a0704d566bf2c8";
const VAULT_V3: Hex = "0xba1333333333a1ba1108e8412f11850a5c319ba9";
const FEE_CONTROLLER: Hex = "0x212f884252792ebaaa811fb0678444b21c7c2879";
const UNIT = 10n ** 18n;

export function isVaultFamily(family: string): family is VaultFamily {
  return family in VAULT_FACTORIES;
}

export type VaultLog = Omit<RowOf<"logs">, "record_index">;

interface VaultPool {
  pool: Hex;
  family: VaultFamily;
  tokens: readonly Hex[];
}

interface Place {
  number: number;
  /** Unix seconds. */
  at: number;
}

/** Returns the log of a pool's registration. */
export function registration({ pool, family }: Omit<VaultPool, "tokens">, place: Place): VaultLog {
  if (family === "ekubo") return logOfEkubo(pool, place, "initialized", [1n, 2n, 3n, 4n, 5n]);
  if (family === "pancake-infinity-bin") return logOfBin(pool, place, "initialized", [0n, 1n, 2n, 3n]);
  if (family === "balancer-v3") return logOfV3(pool, place, "feeSet", [5n * 10n ** 17n, 0n]);
  return vaultLog(pool, place, "registered", [0n]);
}

/**
 * Returns a log that changes a pool's balances. Now and then, the log names an unknown token or cannot be
 * read.
 *
 * @param below returns a random integer below a limit
 */
export function randomVaultLog(one: VaultPool, place: Place, below: (limit: number) => number): VaultLog {
  if (one.family === "ekubo") return randomLogOfEkubo(one, place, below);
  if (one.family === "pancake-infinity-bin") return randomLogOfBin(one, place, below);
  return one.family === "balancer-v3" ? randomLogOfV3(one, place, below) : randomLogOfV2(one, place, below);
}

/**
 * Returns a log of a changed position, a swap, or collected or accumulated fees. Now and then, it is an event
 * of version 2, or its length is wrong.
 */
function randomLogOfEkubo({ pool }: VaultPool, place: Place, below: (limit: number) => number): VaultLog {
  const [some, more] = [BigInt(below(1e9)), BigInt(below(1e9))];
  const kind = below(60);
  if (kind === 0) return logOfEkubo(pool, place, "positionUpdatedV2", [7n, 1n, 1n, 2n, some, more, 3n]);
  if (kind === 1) return logOfEkubo(pool, place, "feesAccumulated", [some]);
  if (kind < 10) return logOfEkubo(pool, place, "feesCollected", [7n, 1n, some, more]);
  if (kind < 15) return logOfEkubo(pool, place, "feesAccumulated", [some, more]);
  if (kind < 40) return swapOfEkubo(pool, place, [some, -more]);
  return logOfEkubo(pool, place, "positionUpdated", [7n, 1n, some, packed(UNIT + some, UNIT - more), 3n]);
}

function packed(first: bigint, second: bigint): bigint {
  return (BigInt.asUintN(128, first) << 128n) | BigInt.asUintN(128, second);
}

/** Returns a log with the pool's id at its place among the words. */
function logOfEkubo(
  pool: Hex,
  place: Place,
  name: keyof typeof EKUBO_EVENTS,
  words: readonly bigint[],
): VaultLog {
  const at = EKUBO_ID_WORDS[name];
  const all = [...words.slice(0, at), BigInt(pool), ...words.slice(at)];
  return {
    ...logOf(place, all, []),
    ...{ address: VAULT_FACTORIES.ekubo, topic_0: EKUBO_EVENTS[name], topic_1: null },
  };
}

/** Returns a log without topics: locker, pool, both changes and the state. */
function swapOfEkubo(pool: Hex, place: Place, [first, second]: [bigint, bigint]): VaultLog {
  const changes = packed(first, second).toString(16).padStart(64, "0");
  const data: Hex = `0x${"7".repeat(40)}${pool.slice(2)}${changes}${"1".repeat(64)}`;
  return {
    ...logOf(place, [], []),
    ...{ address: VAULT_FACTORIES.ekubo, topic_0: null, topic_1: null, data },
  };
}

/**
 * Returns a log of a deposit, a withdrawal, a swap or a donation. Now and then, its lists or its fees are
 * impossible, or its length is wrong.
 */
function randomLogOfBin({ pool }: VaultPool, place: Place, below: (limit: number) => number): VaultLog {
  const [some, more] = [BigInt(below(1e9)), BigInt(below(1e9))];
  const kind = below(60);
  const fees = [BigInt(5000 + below(5000)), BigInt(below(5000))];
  const amounts = Array.from({ length: 1 + below(4) }, () => packed(more, UNIT + some));
  if (kind === 0) return logOfBin(pool, place, "swap", [-some, more, 1n, ...fees.toReversed()]);
  if (kind === 1) return logOfBin(pool, place, "minted", [64n, ...binLists(5n, amounts).slice(1)]);
  if (kind === 2) return logOfBin(pool, place, "donated", [-some, -more]);
  if (kind < 30)
    return logOfBin(pool, place, "swap", [...(some % 2n ? [-some, more] : [some, -more]), 1n, ...fees]);
  if (kind < 33) return logOfBin(pool, place, "donated", [-some, -more, 1n]);
  if (kind < 43) return logOfBin(pool, place, "burned", binLists(3n, [packed(more, some)]));
  return logOfBin(pool, place, "minted", binLists(5n, amounts));
}

/** Returns the words of two lists of the same length, bins and amounts, after `head` words. */
function binLists(head: bigint, amounts: readonly bigint[]): bigint[] {
  const count = BigInt(amounts.length);
  const fees = head === 5n ? [8n, 3n] : [];
  const offsets = [32n * head, 0n, 32n * (head + 1n + count), ...fees];
  return [...offsets, count, ...amounts.map((_, i) => BigInt(i)), count, ...amounts];
}

function logOfBin(pool: Hex, place: Place, name: keyof typeof BIN_EVENTS, words: readonly bigint[]) {
  return {
    ...logOf(place, words, []),
    ...{ address: VAULT_FACTORIES["pancake-infinity-bin"], topic_0: BIN_EVENTS[name], topic_1: pool },
  };
}

/** Returns a log of a deposit, a withdrawal, a swap or a payment of fees. */
function randomLogOfV3({ pool, tokens }: VaultPool, place: Place, below: (limit: number) => number) {
  const [some, more] = [BigInt(below(1e9)), BigInt(below(1e9))];
  const [token = pool, other = pool] = [tokens[below(tokens.length)], tokens[below(tokens.length)]];
  const kind = below(60);
  const [deposit, withdrawal] = [UNIT + some, more].map((amount) => tokens.map(() => amount));
  if (kind === 0) return logOfV3(pool, place, "added", [1n, 2n]);
  if (kind === 1) return logOfV3(pool, place, "removed", liquidityOf([1n, 2n, 3n, 4n]));
  if (kind === 2) return logOfV3(pool, place, "swap", [some, more, 1n, 1n], [hexOf(0xee), token]);
  if (kind < 10) return logOfV3(pool, place, "swapFeeCollected", [some], [token]);
  if (kind < 15) return logOfV3(pool, place, "yieldFeeCollected", [some], [token]);
  if (kind < 35) return logOfV3(pool, place, "swap", [some, more, 1n, 1n], [token, other]);
  if (kind < 40) return logOfV3(pool, place, "removed", liquidityOf(withdrawal ?? []), [token, token]);
  return logOfV3(pool, place, "added", liquidityOf(deposit ?? []), [token, token]);
}

/** Returns the words of a LiquidityAdded. */
function liquidityOf(amounts: readonly bigint[]): bigint[] {
  const [count, fees] = [BigInt(amounts.length), amounts.map((_, i) => BigInt(i))];
  return [UNIT, 96n, 96n + 32n * (count + 1n), count, ...amounts, count, ...fees];
}

function logOfV3(
  pool: Hex,
  place: Place,
  name: keyof typeof VAULT_V3_EVENTS,
  words: readonly bigint[],
  topics: readonly Hex[] = [],
): VaultLog {
  const isOfController = name.startsWith("fee") || name.endsWith("Collected");
  return {
    ...logOf(place, words, topics),
    ...{ address: isOfController ? FEE_CONTROLLER : VAULT_V3, topic_0: VAULT_V3_EVENTS[name] },
    topic_1: `0x${"0".repeat(24)}${pool.slice(2)}`,
  };
}

/** Returns a log of a join, a swap or a report of an asset manager. */
function randomLogOfV2({ pool, tokens }: VaultPool, place: Place, below: (limit: number) => number) {
  const [some, more] = [BigInt(below(1e9)), BigInt(below(1e9))];
  const [token = pool, other = pool] = [
    tokens[below(tokens.length)],
    [...tokens, pool][below(tokens.length + 1)],
  ];
  const kind = below(60);
  if (kind === 0) return vaultLog(pool, place, "changed", [1n, 2n]);
  if (kind === 1) return vaultLog(pool, place, "swap", [some, more], [hexOf(0xee), token]);
  if (kind < 12) return vaultLog(pool, place, "managed", [-some, more], [hexOf(1), token]);
  if (kind < 35) return vaultLog(pool, place, "swap", [some, more], [token, other]);
  return vaultLog(pool, place, "changed", joinOf(tokens, UNIT + some, more));
}

/** Returns the words of a PoolBalanceChanged with `delta` and `fee` for every token. */
function joinOf(tokens: readonly Hex[], delta: bigint, fee: bigint): bigint[] {
  const [count, size] = [BigInt(tokens.length), 32n * BigInt(tokens.length + 1)];
  const lists = [tokens.map((token) => BigInt(token)), tokens.map(() => delta), tokens.map(() => fee)];
  return [96n, 96n + size, 96n + 2n * size, ...lists.flatMap((list) => [count, ...list])];
}

function vaultLog(
  pool: Hex,
  place: Place,
  name: keyof typeof VAULT_EVENTS,
  words: readonly bigint[],
  topics: readonly Hex[] = [],
): VaultLog {
  return {
    ...logOf(place, words, topics),
    ...{ address: VAULT, topic_0: VAULT_EVENTS[name], topic_1: `${pool}${"2".padStart(24, "0")}` },
  };
}

function logOf({ number, at }: Place, words: readonly bigint[], topics: readonly Hex[]) {
  const [second = null, third = null] = topics.map((one): Hex => `0x${"0".repeat(24)}${one.slice(2)}`);
  const data = words.map((word) => BigInt.asUintN(256, word).toString(16).padStart(64, "0"));
  return {
    ...{ block_number: number, timestamp: at, block_hash: hashOf(number) },
    ...{ data: `0x${data.join("")}` as const, log_index: 0, topic_2: second, topic_3: third },
    ...{ transaction_hash: hexOf(7, 32), transaction_index: 0 },
  };
}
