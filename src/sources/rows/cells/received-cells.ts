import type { Hex } from "../../../lib/hex.ts";
import type { Cells } from "./cells.ts";
import { type SentBytes, type SentCells, type SentLists, sentCells, sliceOf, startOf } from "./sent-cells.ts";

export function receivedCells(sent: SentCells): Cells {
  switch (sent.kind) {
    case "values":
      return sent.values as unknown[];
    case "numbers":
      return new NumberCells(sent.numbers);
    case "bytes":
      return new BytesCells(sent);
    case "lists":
      return new ListCells(sent);
  }
}

/** Returns the cells of some consecutive rows in the form in which they are sent. */
export function sentSlice(cells: Cells, start: number, end: number): SentCells {
  if (cells instanceof NumberCells) return sliceOf({ kind: "numbers", numbers: cells.numbers }, start, end);
  if (cells instanceof BytesCells || cells instanceof ListCells) return sliceOf(cells.sent, start, end);
  return sentCells(Array.from({ length: end - start }, (_, i) => cells.at(start + i)));
}

class NumberCells implements Cells {
  readonly numbers: Float64Array;

  constructor(numbers: Float64Array) {
    this.numbers = numbers;
  }

  get length(): number {
    return this.numbers.length;
  }

  at(row: number): number | null {
    const number = this.numbers[row];
    return number === undefined || Number.isNaN(number) ? null : number;
  }
}

/**
 * Maximum number of values whose hex text is kept, so that equal values of a block are the same text. A batch
 * of a file has more, and its texts would take too much memory.
 */
const MAX_KEPT = 65_536;

/**
 * Bytes or text, as they were received. A value becomes an object only when it is read: millions of small
 * objects would take several times the memory of their bytes.
 */
class BytesCells implements Cells {
  readonly sent: SentBytes;
  readonly #buffer: Buffer;
  /** The hex text of values that have been read, by number. */
  readonly #kept: (Hex | null)[] | null;
  #newest = 0;
  #newestValue: Uint8Array | string | null = null;

  constructor(sent: SentBytes) {
    const { buffer, byteOffset, byteLength } = sent.bytes;
    this.sent = sent;
    this.#buffer = Buffer.from(buffer, byteOffset, byteLength);
    this.#kept = sent.ends.length <= MAX_KEPT ? [null] : null;
  }

  get length(): number {
    return this.sent.rows.length;
  }

  /** Returns the same object as the previous call if the row has the same value, also from a dictionary. */
  at(row: number): Uint8Array | string | null {
    const number = this.sent.rows[row] ?? 0;
    if (number !== this.#newest) {
      this.#newest = number;
      this.#newestValue = this.#valueOf(number);
    }
    return this.#newestValue;
  }

  hexAt(row: number): Hex | null {
    const number = this.sent.rows[row] ?? 0;
    if (this.#kept === null) return this.#hexOf(number);
    const kept = this.#kept[number];
    if (kept !== undefined) return kept;
    const hex = this.#hexOf(number);
    this.#kept[number] = hex;
    return hex;
  }

  /**
   * No valid text has characters outside ASCII, so it does not matter that these are read wrongly. This is
   * several times as fast as decoding UTF-8.
   */
  #valueOf(number: number): Uint8Array | string | null {
    const { isText, ends } = this.sent;
    if (number === 0) return null;
    const [start, end] = [startOf(ends, number), ends[number - 1]];
    return isText ? this.#buffer.toString("latin1", start, end) : this.sent.bytes.subarray(start, end);
  }

  #hexOf(number: number): Hex | null {
    const { isText, ends } = this.sent;
    if (number === 0) return null;
    const start = startOf(ends, number);
    const end = ends[number - 1] ?? 0;
    if (!isText) return `0x${this.#buffer.toString("hex", start, end)}`;
    return isLowerHex(this.#buffer, start, end) ? (this.#buffer.toString("latin1", start, end) as Hex) : null;
  }
}

/** 1 for the characters 0 to 9 and a to f. */
const DIGITS = new Uint8Array(256);
for (const digit of "0123456789abcdef") DIGITS[digit.charCodeAt(0)] = 1;
const ZERO = "0".charCodeAt(0);
const X = "x".charCodeAt(0);

/** Returns whether a part of some bytes is the text of bytes, such as `0x1f`, in lower case. */
function isLowerHex(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < 2 || (end - start) % 2 !== 0) return false;
  if (bytes[start] !== ZERO || bytes[start + 1] !== X) return false;
  for (let at = start + 2; at < end; at++) if (DIGITS[bytes[at] ?? 0] === 0) return false;
  return true;
}

/** Lists of bytes or text. */
class ListCells implements Cells {
  readonly sent: SentLists;
  readonly #items: BytesCells;

  constructor(sent: SentLists) {
    this.sent = sent;
    this.#items = new BytesCells(sent.items);
  }

  get length(): number {
    return this.sent.ends.length;
  }

  at(row: number): unknown[] {
    const { ends } = this.sent;
    const list: unknown[] = [];
    const end = ends[row] ?? 0;
    for (let i = row === 0 ? 0 : (ends[row - 1] ?? 0); i < end; i++) list.push(this.#items.at(i));
    return list;
  }

  hexListAt(row: number, max: number): Hex[] | null {
    const { ends, items } = this.sent;
    if (!items.isText) return null;
    const start = row === 0 ? 0 : (ends[row - 1] ?? 0);
    const end = ends[row] ?? 0;
    if (end - start > max) return null;
    const list: Hex[] = [];
    for (let i = start; i < end; i++) {
      const hex = this.#items.hexAt(i);
      if (hex === null) return null;
      list.push(hex);
    }
    return list;
  }
}
