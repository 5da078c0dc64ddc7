import type { Hex } from "../../lib/hex.ts";
import { VAULT_EVENTS } from "../../schema/events/vault-events.ts";
import type { RowOf } from "../../schema/tables.ts";
import { hashOf, hexOf } from "./market.ts";

/** A listed factory of Balancer V2, and its Vault. */
export const VAULT_FACTORY: Hex = "0xa5bf2ddf098bb0ef6d120c98217dd6b141c74ee0";
const VAULT: Hex = "0xba12222222228d8ba445958a75a0704d566bf2c8";
const UNIT = 10n ** 18n;

export type VaultLog = Omit<RowOf<"logs">, "record_index">;

interface VaultPool {
  pool: Hex;
  tokens: readonly Hex[];
}

interface Place {
  number: number;
  /** Unix seconds. */
  at: number;
}

/** Makes the log of a pool's registration. */
export function registration(pool: Hex, place: Place): VaultLog {
  return vaultLog(pool, place, "registered", [0n]);
}

/**
 * Makes a join, a swap, a report of an asset manager, and seldom a swap of an unknown token or a log that
 * cannot be read.
 *
 * @param below a random integer below a limit
 */
export function randomVaultLog({ pool, tokens }: VaultPool, place: Place, below: (limit: number) => number) {
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

/** Returns the words of a PoolBalanceChanged in which every token receives `delta` and pays `fee`. */
function joinOf(tokens: readonly Hex[], delta: bigint, fee: bigint): bigint[] {
  const [count, size] = [BigInt(tokens.length), 32n * BigInt(tokens.length + 1)];
  const lists = [tokens.map((token) => BigInt(token)), tokens.map(() => delta), tokens.map(() => fee)];
  return [96n, 96n + size, 96n + 2n * size, ...lists.flatMap((list) => [count, ...list])];
}

function vaultLog(
  pool: Hex,
  { number, at }: Place,
  name: keyof typeof VAULT_EVENTS,
  words: readonly bigint[],
  topics: readonly Hex[] = [],
): VaultLog {
  const [second = null, third = null] = topics.map((one): Hex => `0x${"0".repeat(24)}${one.slice(2)}`);
  const data = words.map((word) => BigInt.asUintN(256, word).toString(16).padStart(64, "0"));
  return {
    ...{ block_number: number, timestamp: at, address: VAULT, block_hash: hashOf(number) },
    ...{ data: `0x${data.join("")}`, topic_0: VAULT_EVENTS[name], log_index: 0 },
    ...{ topic_1: `${pool}${"2".padStart(24, "0")}`, topic_2: second, topic_3: third },
    ...{ transaction_hash: hexOf(7, 32), transaction_index: 0 },
  };
}
