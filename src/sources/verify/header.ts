import { type Hex, toBytes } from "../../lib/hex.ts";
import type { RpcBlock } from "../wire/rpc-block.ts";
import { EMPTY, keccakHex, quantityBytes, rlp } from "./encoding.ts";

/** Format of a field. A number means bytes of that length; some nodes omit their leading zeros. */
type Form = "bytes" | "quantity" | number;

/** Fields that every header has, in the order in which they are hashed. */
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

/**
 * Fields that are encoded as zeros if they are absent. Some nodes omit them where they are always zero:
 * difficulty and nonce since the merge, and all three on some chains without proof of work.
 */
const ZERO_IF_ABSENT = new Set(["difficulty", "mixHash", "nonce"]);

/** Forks appended these fields: EIP-1559, 4895, 4844 (two), 4788, 7685. */
const ADDED: readonly [string, Form][] = [
  ["baseFeePerGas", "quantity"],
  ["withdrawalsRoot", "bytes"],
  ["blobGasUsed", "quantity"],
  ["excessBlobGas", "quantity"],
  ["parentBeaconBlockRoot", "bytes"],
  ["requestsHash", "bytes"],
];

/**
 * Fields that nodes return with a block but that are not part of its header. The last four repeat parts of
 * hashed fields: three on Arbitrum, one on BNB Smart Chain.
 */
const NOT_HASHED = [
  ...["hash", "size", "totalDifficulty", "author"],
  ...["l1BlockNumber", "sendCount", "sendRoot", "milliTimestamp"],
];

const KNOWN = new Set([...ALWAYS, ...ADDED].map(([name]) => name).concat(NOT_HASHED));

/**
 * Returns the keccak hash of the header's RLP; null if a field that every header has is missing, unless the
 * field is in `ZERO_IF_ABSENT`.
 */
export function headerHash(block: RpcBlock): Hex | null {
  return hashUpTo(block, addedFields(block));
}

/**
 * Returns true if the block's hash is the hash of its header. Some nodes add fields of later forks to older
 * blocks, with empty values, so trailing fields that the hash does not cover are allowed. The base fee must
 * be covered, because it counts as verified wherever it is present.
 */
export function hashMatches(block: RpcBlock): boolean {
  const min = block.header.has("baseFeePerGas") ? 1 : 0;
  for (let count = addedFields(block); count >= min; count--) {
    if (hashUpTo(block, count) === block.hash) return true;
  }
  return false;
}

/** Returns the number of added fields, including absent ones before the last present one. */
function addedFields(block: RpcBlock): number {
  return ADDED.map(([name]) => block.header.has(name)).lastIndexOf(true) + 1;
}

function hashUpTo(block: RpcBlock, added: number): Hex | null {
  if (ALWAYS.some(([name]) => !block.header.has(name) && !ZERO_IF_ABSENT.has(name))) return null;
  const fields = [...ALWAYS, ...ADDED.slice(0, added)];
  return keccakHex(rlp(fields.map(([name, form]) => encodeField(block.header.get(name), form))));
}

/** Returns the header fields that this version does not know. They explain a hash that does not match. */
export function unknownFields(block: RpcBlock): string[] {
  return [...block.header.keys()].filter((name) => !KNOWN.has(name));
}

/** Encodes a field. If it is absent although a later one is present, it is encoded as empty, as in geth. */
function encodeField(value: Hex | undefined, form: Form): Uint8Array {
  if (typeof form === "number") return toBytes(`0x${(value ?? "0x").slice(2).padStart(2 * form, "0")}`);
  if (value === undefined) return EMPTY;
  return form === "bytes" ? toBytes(value) : quantityBytes(value);
}

/** Number of fields in the oldest headers. */
export const MIN_HEADER_FIELDS = ALWAYS.length;

/** Returns all header fields in the order of the RLP. Quantities have no leading zeros. */
export function headerFieldNames(): { name: string; isQuantity: boolean }[] {
  return [...ALWAYS, ...ADDED].map(([name, form]) => ({ name, isQuantity: form === "quantity" }));
}
