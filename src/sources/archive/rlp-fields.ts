import { RLP } from "@ethereumjs/rlp";
import { BaseError } from "../../lib/error.ts";
import { fromBytes, type Hex } from "../../lib/hex.ts";
import type { RlpItem } from "../verify/encoding.ts";

/**
 * Maximum depth of nested lists. Blocks and receipts need five levels: receipts, receipt, logs, log, topics.
 */
const MAX_DEPTH = 8;

/** Decodes an RLP list. @throws MalformedRlp */
export function decodeRlp(bytes: Uint8Array, what: string): RlpFields {
  if (isDeeper(bytes, MAX_DEPTH)) throw new MalformedRlp(`${what} has lists nested deeper than ${MAX_DEPTH}`);
  let item: RlpItem;
  try {
    item = RLP.decode(bytes) as RlpItem;
  } catch (cause) {
    throw new MalformedRlp(`${what} is not valid RLP`, cause);
  }
  return new RlpFields(item, what);
}

/**
 * Checks whether lists are nested deeper than a limit, because the decoder would copy the remaining bytes at
 * each level. Leaves invalid lengths to the decoder.
 */
function isDeeper(bytes: Uint8Array, limit: number): boolean {
  const ends: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    while (at >= (ends.at(-1) ?? Number.POSITIVE_INFINITY)) ends.pop();
    const { isList, start, end } = itemAt(bytes, at);
    if (isList && ends.push(end) > limit) return true;
    at = isList ? start : end;
  }
  return false;
}

/** Finds the content of the item that begins at a position. */
function itemAt(bytes: Uint8Array, at: number): { isList: boolean; start: number; end: number } {
  const prefix = bytes[at] ?? 0;
  if (prefix < STRING) return { isList: false, start: at, end: at + 1 };
  const isList = prefix >= LIST;
  const short = prefix - (isList ? LIST : STRING);
  const lengthBytes = Math.max(0, short - MAX_SHORT);
  const start = at + 1 + lengthBytes;
  const length = bytes.subarray(at + 1, start).reduce((sum, byte) => sum * 256 + byte, 0);
  return { isList, start, end: start + (lengthBytes > 0 ? length : short) };
}

/** Prefixes of strings and lists. A length above MAX_SHORT takes extra bytes after the prefix. */
const STRING = 0x80;
const LIST = 0xc0;
const MAX_SHORT = 55;

/** Reads the items of a list by position. Errors name the list and the position. */
export class RlpFields {
  readonly items: readonly RlpItem[];
  readonly #what: string;

  /** @throws MalformedRlp if the item is not a list */
  constructor(item: RlpItem | undefined, what: string) {
    if (!Array.isArray(item)) throw new MalformedRlp(`${what} is not a list`);
    this.items = item;
    this.#what = what;
  }

  /** @throws MalformedRlp if the number of items is not one of these */
  requireLength(...lengths: readonly number[]): void {
    if (lengths.includes(this.items.length)) return;
    throw new MalformedRlp(`${this.#what} has ${this.items.length} items, expected ${lengths.join(" or ")}`);
  }

  /** @param length required length in bytes; if absent, any length is accepted */
  raw(i: number, length?: number): Uint8Array {
    const item = this.items[i];
    if (!(item instanceof Uint8Array))
      throw new MalformedRlp(`${this.#what}: item ${i} is not a byte string`);
    if (length !== undefined && item.length !== length) {
      throw new MalformedRlp(`${this.#what}: item ${i} has ${item.length} bytes, expected ${length}`);
    }
    return item;
  }

  bytes(i: number, length?: number): Hex {
    return fromBytes(this.raw(i, length));
  }

  /** Reads an address. Returns null if it is empty, as in a transaction that creates a contract. */
  addressOrNull(i: number): Hex | null {
    return this.raw(i).length === 0 ? null : this.bytes(i, ADDRESS_BYTES);
  }

  /** Reads a number of up to 256 bits, and returns it in the format that nodes use. */
  quantity(i: number): Hex {
    const bytes = this.raw(i);
    if (bytes.length > WORD_BYTES) throw new MalformedRlp(`${this.#what}: item ${i} is above 256 bits`);
    return quantityOf(bytes);
  }

  fields(i: number, what: string): RlpFields {
    return new RlpFields(this.items[i], `${this.#what}: ${what}`);
  }

  /** Reads each item of a nested list with `read`. */
  map<T>(i: number, what: string, read: (fields: RlpFields) => T): T[] {
    return this.fields(i, what).items.map((item, at) =>
      read(new RlpFields(item, `${this.#what}: ${what} ${at}`)),
    );
  }
}

export const ADDRESS_BYTES = 20;
export const WORD_BYTES = 32;

export function quantityOf(bytes: Uint8Array): Hex {
  const digits = fromBytes(bytes).slice(2).replace(/^0+/, "");
  return digits === "" ? "0x0" : `0x${digits}`;
}

/** The message says what is malformed. The reader of the file adds the file and the block. */
export class MalformedRlp extends BaseError {
  constructor(problem: string, cause?: unknown) {
    super("verification", problem, { cause });
  }
}
