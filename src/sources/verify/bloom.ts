import { keccak256 } from "../../lib/hash/keccak.ts";
import { type Hex, toBytes } from "../../lib/hex.ts";
import type { RpcLog } from "../wire/rpc-block.ts";

const BLOOM_BYTES = 256;

/** The bloom of no logs, which most receipts of many blocks have. */
const EMPTY_BLOOM = new Uint8Array(BLOOM_BYTES);

/** The three bits that each address or topic sets. */
type Bits = readonly [number, number, number];

/** Maximum number of cached addresses and topics, about 10 MB. Most of them occur in many logs. */
const MAX_KNOWN = 65_536;

const known = new Map<Hex, Bits>();

/**
 * Computes the Bloom filter of the addresses and topics of logs. Each address and each topic sets three of
 * the 2048 bits (Yellow Paper, 4.4.1).
 */
export function bloomOf(logs: readonly RpcLog[]): Uint8Array {
  if (logs.length === 0) return EMPTY_BLOOM;
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (const log of logs) {
    addTo(bloom, log.address);
    for (const topic of log.topics) addTo(bloom, topic);
  }
  return bloom;
}

/** Computes the bloom of a block from the blooms of its receipts. */
export function unionOf(blooms: readonly Uint8Array[]): Uint8Array {
  const union = new Uint8Array(BLOOM_BYTES);
  for (const bloom of blooms) {
    if (bloom === EMPTY_BLOOM) continue;
    for (let i = 0; i < BLOOM_BYTES; i++) union[i] = (union[i] ?? 0) | (bloom[i] ?? 0);
  }
  return union;
}

function addTo(bloom: Uint8Array, entry: Hex): void {
  for (const bit of bitsOf(entry)) {
    const place = BLOOM_BYTES - 1 - (bit >> 3);
    bloom[place] = (bloom[place] ?? 0) | (1 << (bit & 7));
  }
}

function bitsOf(entry: Hex): Bits {
  const before = known.get(entry);
  if (before !== undefined) return before;
  const hash = Buffer.from(keccak256(toBytes(entry)));
  const bit = (offset: number) => hash.readUInt16BE(offset) & 0x7ff;
  const bits: Bits = [bit(0), bit(2), bit(4)];
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(entry, bits);
  return bits;
}
