import { type Hex, toBytes } from "../../lib/hex.ts";
import type { RpcBlock } from "../rpc/rpc-block.ts";
import { EMPTY, keccakHex, quantityBytes, rlp } from "./encoding.ts";

type Form = "bytes" | "quantity";

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
  ["mixHash", "bytes"],
  ["nonce", "bytes"],
];

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
const BESIDE = ["hash", "size", "totalDifficulty"];

const KNOWN = new Set([...ALWAYS, ...ADDED].map(([name]) => name).concat(BESIDE));

/** Keccak of the header's RLP; null when a field that every header has is missing. */
export function headerHash(block: RpcBlock): Hex | null {
  if (ALWAYS.some(([name]) => !block.header.has(name))) return null;
  const present = ADDED.map(([name]) => block.header.has(name));
  const added = ADDED.slice(0, present.lastIndexOf(true) + 1);
  return keccakHex(
    rlp([...ALWAYS, ...added].map(([name, form]) => encodeField(block.header.get(name), form))),
  );
}

/** Header fields that this version does not know; a hash that does not match is explained by them. */
export function unknownFields(block: RpcBlock): string[] {
  return [...block.header.keys()].filter((name) => !KNOWN.has(name));
}

/** A field that is absent although a later one is present counts as empty, as in geth's encoding. */
function encodeField(value: Hex | undefined, form: Form): Uint8Array {
  if (value === undefined) return EMPTY;
  return form === "bytes" ? toBytes(value) : quantityBytes(value);
}
