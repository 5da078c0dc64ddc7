import { keccak256 } from "../../lib/hash/keccak.ts";
import { fromBytes, type Hex } from "../../lib/hex.ts";
import { EMPTY, type RlpItem, rlp } from "./encoding.ts";

interface Entry {
  /** Nibbles of the key. No key in a list is a prefix of another. */
  path: Uint8Array;
  value: Uint8Array;
}

/**
 * Computes the root of the Merkle-Patricia trie of a list, keyed by the RLP of each index. Headers commit to
 * transactions, receipts and withdrawals this way (Yellow Paper, appendix D and section 4.4.3).
 */
export function orderedRoot(values: readonly Uint8Array[]): Hex {
  if (values.length === 0) return fromBytes(keccak256(rlp(EMPTY)));
  const entries = values.map((value, index) => ({ path: nibblesOf(indexKey(index)), value }));
  return fromBytes(keccak256(rlp(node(entries, 0))));
}

function node(entries: Entry[], depth: number): RlpItem[] {
  const [first] = entries;
  if (first === undefined) return [];
  if (entries.length === 1) return [compactPath(first.path.subarray(depth), true), first.value];
  const shared = sharedDepth(entries, depth);
  if (shared > depth) {
    return [compactPath(first.path.subarray(depth, shared), false), reference(node(entries, shared))];
  }
  return branch(entries, depth);
}

function branch(entries: Entry[], depth: number): RlpItem[] {
  const children: Entry[][] = Array.from({ length: 16 }, () => []);
  for (const entry of entries) children[entry.path[depth] ?? 0]?.push(entry);
  const slots: RlpItem[] = children.map((child) =>
    child.length === 0 ? EMPTY : reference(node(child, depth + 1)),
  );
  return [...slots, EMPTY];
}

/**
 * Returns what the parent of a node contains: the node itself if it is shorter than a hash, or else its hash.
 */
function reference(item: RlpItem[]): RlpItem {
  const encoded = rlp(item);
  return encoded.length < 32 ? item : keccak256(encoded);
}

function sharedDepth(entries: Entry[], depth: number): number {
  let shared = depth;
  const path = entries[0]?.path ?? EMPTY;
  while (shared < path.length && entries.every((entry) => entry.path[shared] === path[shared])) shared++;
  return shared;
}

/** Encodes a path with the hex-prefix encoding (Yellow Paper, appendix C). */
function compactPath(nibbles: Uint8Array, isLeaf: boolean): Uint8Array {
  const odd = nibbles.length % 2;
  const bytes = new Uint8Array(1 + (nibbles.length - odd) / 2);
  bytes[0] = (isLeaf ? 0x20 : 0) + (odd === 1 ? 0x10 + (nibbles[0] ?? 0) : 0);
  for (let i = odd; i < nibbles.length; i += 2) {
    bytes[1 + (i - odd) / 2] = (nibbles[i] ?? 0) * 16 + (nibbles[i + 1] ?? 0);
  }
  return bytes;
}

function indexKey(index: number): Uint8Array {
  if (index === 0) return rlp(EMPTY);
  const digits = index.toString(16);
  return rlp(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex"));
}

function nibblesOf(bytes: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(bytes.length * 2);
  bytes.forEach((byte, i) => {
    nibbles[2 * i] = byte >> 4;
    nibbles[2 * i + 1] = byte & 15;
  });
  return nibbles;
}
