import { keccak256 } from "../../lib/hash/keccak.ts";
import { toBytes } from "../../lib/hex.ts";
import type { RpcLog } from "../wire/rpc-block.ts";

const BLOOM_BYTES = 256;

/**
 * Computes the Bloom filter of the addresses and topics of logs. Each sets three of 2048 bits (Yellow Paper,
 * 4.4.1).
 */
export function bloomOf(logs: readonly RpcLog[]): Uint8Array {
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const log of logs) {
    addTo(bloom, toBytes(log.address));
    for (const topic of log.topics) addTo(bloom, toBytes(topic));
  }
  return bloom;
}

/** Computes the bloom of a block from the blooms of its receipts. */
export function unionOf(blooms: readonly Uint8Array[]): Uint8Array {
  const union = new Uint8Array(BLOOM_BYTES);
  for (const bloom of blooms) {
    for (let i = 0; i < BLOOM_BYTES; i++) union[i] = (union[i] ?? 0) | (bloom[i] ?? 0);
  }
  return union;
}

function addTo(bloom: Uint8Array, entry: Uint8Array): void {
  const hash = Buffer.from(keccak256(entry));
  for (const offset of [0, 2, 4]) {
    const bit = hash.readUInt16BE(offset) & 0x7ff;
    const place = BLOOM_BYTES - 1 - (bit >> 3);
    bloom[place] = (bloom[place] ?? 0) | (1 << (bit & 7));
  }
}
