import { type Hex, toBytes } from "../../lib/hex.ts";
import type { RpcBlock } from "../wire/rpc-block.ts";
import { EMPTY, keccakHex, quantityBytes, rlp } from "./encoding.ts";

/** A number: bytes of that length, with the zeros in front that some nodes leave out. */
type Form = "bytes" | "quantity" | number;

/** Header fields in the order in which the hash takes them. */
const ALWAYS: readonly [string, Form][] = [
  ["parentHash", "bytes"],
  ["sha3Uncles", "bytes"],
  ["miner", "bytes"],
  ["stateRoot", "bytes"],
  ["transactionsRoot", "bytes"],
  ["receiptsRoot", "bytes"],
  ["logsBloom", "bytes"],
  ["difficulty", "quantity"],
  ["number", "quantity"],
  ["gasLimit", "quantity"],
  ["gasUsed", "quantity"],
  ["timestamp", "quantity"],
  ["extraData", "bytes"],
  ["mixHash", 32],
  ["nonce", 8],
];

/** Zero since the merge and on chains without proof of work, where some nodes leave them out. */
const ZERO_IF_ABSENT = new Set(["difficulty", "mixHash", "nonce"]);

/** Fields that forks added, each at the end: EIP-1559, 4895, 4844 (two), 4788, 7685. */
const ADDED: readonly [string, Form][] = [
  ["baseFeePerGas", "quantity"],
  ["withdrawalsRoot", "bytes"],
  ["blobGasUsed", "quantity"],
  ["excessBlobGas", "quantity"],
  ["parentBeaconBlockRoot", "bytes"],
  ["requestsHash", "bytes"],
];

/** What nodes give with a block that is not part of its header. */
const BESIDE = ["hash", "size", "totalDifficulty", "author"];

const KNOWN = new Set([...ALWAYS, ...ADDED].map(([name]) => name).concat(BESIDE));

/** Keccak of the header's RLP; null when a field that every header has is missing. */
export function headerHash(block: RpcBlock): Hex | null {
  return hashUpTo(block, addedFields(block));
}

/**
 * True when the block's hash is that of its header. Some nodes show fields of later forks, with empty values, in
 * blocks before them: fields at the end that the hash does not take are no contradiction. The base fee is not
 * among them, since what a block says of it is taken for proven.
 */
export function hashMatches(block: RpcBlock): boolean {
  const least = block.header.has("baseFeePerGas") ? 1 : 0;
  for (let count = addedFields(block); count >= least; count--) {
    if (hashUpTo(block, count) === block.hash) return true;
  }
  return false;
}

/** How many of the added fields there are, absent ones before the last one included. */
function addedFields(block: RpcBlock): number {
  return ADDED.map(([name]) => block.header.has(name)).lastIndexOf(true) + 1;
}

function hashUpTo(block: RpcBlock, added: number): Hex | null {
  if (ALWAYS.some(([name]) => !block.header.has(name) && !ZERO_IF_ABSENT.has(name))) return null;
  const fields = [...ALWAYS, ...ADDED.slice(0, added)];
  return keccakHex(rlp(fields.map(([name, form]) => encodeField(block.header.get(name), form))));
}

/** Header fields that this version does not know; a hash that does not match is explained by them. */
export function unknownFields(block: RpcBlock): string[] {
  return [...block.header.keys()].filter((name) => !KNOWN.has(name));
}

/** A field that is absent although a later one is present counts as empty, as in geth's encoding. */
function encodeField(value: Hex | undefined, form: Form): Uint8Array {
  if (typeof form === "number") return toBytes(`0x${(value ?? "0x").slice(2).padStart(2 * form, "0")}`);
  if (value === undefined) return EMPTY;
  return form === "bytes" ? toBytes(value) : quantityBytes(value);
}
