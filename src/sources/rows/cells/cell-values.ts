import { fromBytes, type Hex, isHex, toQuantity } from "../../../lib/hex.ts";

/**
 * These functions convert the cells that file readers return: bytes are a Uint8Array or hex text; numbers are
 * a number, a bigint, decimal text, big-endian bytes or hex text; times may also be a Date. Each function
 * returns null for any other value.
 */

/** Reads bytes, as lower-case hex text. */
export function bytesOf(cell: unknown): Hex | null {
  if (cell instanceof Uint8Array) return fromBytes(cell);
  return typeof cell === "string" && isHex(cell) ? (cell.toLowerCase() as Hex) : null;
}

const DECIMAL = /^\d{1,78}$/;
/** One more than the largest number of 256 bits. */
const LIMIT = 2n ** 256n;

/**
 * Reads an unsigned integer of at most 256 bits, exactly. Doubles are accepted only if they are integers
 * below 2^53.
 */
export function quantityOf(cell: unknown): Hex | null {
  if (typeof cell === "number") return Number.isSafeInteger(cell) && cell >= 0 ? toQuantity(cell) : null;
  if (typeof cell === "bigint") return cell >= 0n && cell < LIMIT ? toQuantity(cell) : null;
  if (cell instanceof Uint8Array) return cell.length > 32 ? null : trimmed(fromBytes(cell));
  if (typeof cell !== "string") return null;
  if (DECIMAL.test(cell)) return quantityOf(BigInt(cell));
  return isHex(cell) && cell.length <= 66 && cell.length > 2 ? trimmed(cell.toLowerCase() as Hex) : null;
}

/** Reads an unsigned integer below 2^53. A Date becomes unix seconds. */
export function integerOf(cell: unknown): number | null {
  if (typeof cell === "number") return Number.isSafeInteger(cell) && cell >= 0 ? cell : null;
  if (cell instanceof Date) return integerOf(Math.floor(cell.getTime() / 1000));
  const quantity = quantityOf(cell);
  return quantity === null ? null : integerOf(Number(quantity));
}

const FLAGS = new Map<unknown, 0 | 1>([
  [true, 1],
  [false, 0],
  ["true", 1],
  ["false", 0],
]);

/** Reads a flag: a boolean, the text `true` or `false`, or the number 0 or 1. */
export function flagOf(cell: unknown): 0 | 1 | null {
  const known = FLAGS.get(typeof cell === "string" ? cell.toLowerCase() : cell);
  if (known !== undefined) return known;
  const number = integerOf(cell);
  return number === 0 || number === 1 ? number : null;
}

/** Returns true if a cell has no value. An empty cell of a text file has none. */
export function isAbsent(cell: unknown): boolean {
  return cell === null || cell === undefined || cell === "";
}

function trimmed(hex: Hex): Hex {
  const digits = hex.slice(2).replace(/^0+/, "");
  return digits === "" ? "0x0" : `0x${digits}`;
}
