import { type Hex, toQuantity } from "../../../lib/hex.ts";
import { keccakHex, rlp } from "../../verify/encoding.ts";
import type { Column, RowBatch } from "../cells/row-batch.ts";
import type { HeaderField, TableFormat } from "../formats/table-format.ts";
import type { TableHeader } from "./table-block.ts";

/** Header fields that hold bytes, with their lengths; null for any length. */
const BYTES: readonly [HeaderField, number | null][] = [
  ["parentHash", 32],
  ["miner", 20],
  ["stateRoot", 32],
  ["transactionsRoot", 32],
  ["receiptsRoot", 32],
  ["logsBloom", 256],
  ["extraData", null],
  ["mixHash", 32],
  ["nonce", 8],
  ["withdrawalsRoot", 32],
];

const QUANTITIES: readonly HeaderField[] = ["difficulty", "gasLimit", "gasUsed", "baseFeePerGas"];

/** Reads the header in a row of a file of blocks. */
export function readHeader(batch: RowBatch, row: number, { blocks, origin }: TableFormat): TableHeader {
  const column = (field: HeaderField): Column => batch.field(blocks[field]);
  const fields = new Map<string, Hex>();
  fields.set("number", toQuantity(column("number").integer(row)));
  const timestamp = column("timestamp").integerOrNull(row);
  if (timestamp !== null) fields.set("timestamp", toQuantity(timestamp));
  for (const [field, length] of BYTES) {
    const value = bytesOrNull(column(field), row, length ?? undefined);
    if (value !== null) fields.set(field, value);
  }
  for (const field of QUANTITIES) {
    const value = column(field).quantityOrNull(row);
    if (value !== null) fields.set(field, value);
  }
  const uncles = column("sha3Uncles");
  const unclesHash = origin === "cryo" ? cryoUncles(uncles, row) : bytesOrNull(uncles, row, 32);
  if (unclesHash !== null) fields.set("sha3Uncles", unclesHash);
  return {
    number: column("number").integer(row),
    hash: column("hash").bytes(row, 32),
    fields,
    size: column("size").quantityOrNull(row),
    transactionCount: column("transactionCount").integerOrNull(row),
    chainId: column("chainId").integerOrNull(row),
  };
}

/**
 * Reads bytes; returns null if there are none. Text files have no value where bytes are empty, which happens
 * only for extra data.
 */
function bytesOrNull(column: Column, row: number, length: number | undefined): Hex | null {
  if (!column.exists || column.isAbsent(row)) return null;
  return column.bytes(row, length);
}

/** The hash of an empty list of uncles. */
const NO_UNCLES = keccakHex(rlp([]));
const WORD_DIGITS = 66;

/**
 * Returns the hash of the list of uncles. cryo writes the uncles' own hashes into this column, so it is empty
 * if there are none. A single uncle's hash looks like the hash of a list, but then the header's hash does not
 * match. Returns null if there are several uncles.
 */
function cryoUncles(column: Column, row: number): Hex | null {
  if (!column.exists) return null;
  const value = column.isAbsent(row) ? "0x" : column.bytes(row);
  if (value === "0x") return NO_UNCLES;
  return value.length === WORD_DIGITS ? value : null;
}
