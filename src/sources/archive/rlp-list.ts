import { BaseError } from "../../lib/error.ts";
import { type Hex, toQuantity } from "../../lib/hex.ts";
import { MAX_UINT64 } from "../../lib/units.ts";

export const ADDRESS_BYTES = 20;
export const WORD_BYTES = 32;

/**
 * Prefixes of strings and lists (Yellow Paper, appendix B). If the content is longer than MAX_SHORT bytes,
 * its length follows the prefix.
 */
const STRING = 0x80;
const LIST = 0xc0;
const MAX_SHORT = 55;
/** Maximum number of bytes that encode the length of an item. A longer item would not fit into memory. */
const MAX_LENGTH_BYTES = 4;
/**
 * Maximum number of items in a list. A log takes at least 375 gas, so a transaction needs 393 million gas for
 * more. A list of 128 MiB could have a hundred million items, and the array of their places would be larger
 * than the engine allows, which ends the whole process.
 */
const MAX_ITEMS = 2 ** 20;
/** Maximum size of a number that `readUIntBE` can read, in bytes. */
const MAX_SMALL_BYTES = 6;

/**
 * A list in RLP. Finds where its items begin and end, but reads an item only when it is requested: blocks
 * have tens of thousands of items, and most of the bytes are only hashed. Errors name the list and the item.
 */
export class RlpList {
  readonly #bytes: Buffer;
  /** For each item, three positions: where it begins, where its content begins, and where it ends. */
  readonly #places: number[] = [];
  readonly #start: number;
  readonly #end: number;
  readonly #name: string;
  readonly #parent: RlpList | null;

  /** @throws MalformedRlp if the bytes are not exactly one list, or if the list has too many items */
  static decode(bytes: Uint8Array, name: string): RlpList {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new RlpList(buffer, 0, buffer.length, name, null);
  }

  private constructor(bytes: Buffer, start: number, end: number, name: string, parent: RlpList | null) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#name = name;
    this.#parent = parent;
    if ((bytes[start] ?? 0) < LIST || start === end) throw this.malformed("is not a list");
    const own: number[] = [];
    if (this.#readPlace(start, end, own) !== end) throw this.malformed("is not a single list");
    const places = this.#places;
    for (let at = own[1] ?? end; at < end; ) {
      at = this.#readPlace(at, end, places);
      if (this.length > MAX_ITEMS) throw this.malformed(`has more than ${MAX_ITEMS} items`);
    }
  }

  get length(): number {
    return this.#places.length / 3;
  }

  /** The encoded list. */
  get encoding(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  /** @throws MalformedRlp if the number of items is outside these bounds */
  requireLength(min: number, max = min): void {
    if (this.length >= min && this.length <= max) return;
    const expected = min === max ? `${min}` : `${min} to ${max}`;
    throw this.malformed(`has ${this.length} items, expected ${expected}`);
  }

  isList(i: number): boolean {
    return (this.#bytes[this.#at(i, 0)] ?? 0) >= LIST;
  }

  /** Returns the encodings of items `first` to `last`, concatenated. */
  encodings(first: number, last = first): Uint8Array {
    return this.#bytes.subarray(this.#at(first, 0), this.#at(last, 2));
  }

  /** @param length required length in bytes; if absent, any length is accepted */
  bytes(i: number, length?: number): Uint8Array {
    return this.#bytes.subarray(this.#content(i, length), this.#at(i, 2));
  }

  hex(i: number, length?: number): Hex {
    return `0x${this.#bytes.toString("hex", this.#content(i, length), this.#at(i, 2))}`;
  }

  /** Reads an address. Returns null if it is empty, as in a transaction that creates a contract. */
  addressOrNull(i: number): Hex | null {
    return this.#content(i) === this.#at(i, 2) ? null : this.hex(i, ADDRESS_BYTES);
  }

  /** Reads a number of up to 256 bits, and returns it as a hex quantity, as nodes do. */
  quantity(i: number): Hex {
    return toQuantity(this.bigint(i));
  }

  bigint(i: number): bigint {
    const start = this.#content(i);
    const length = this.#at(i, 2) - start;
    if (length <= MAX_SMALL_BYTES) return BigInt(length === 0 ? 0 : this.#bytes.readUIntBE(start, length));
    if (length > WORD_BYTES) throw this.malformed(`: item ${i} is longer than 256 bits`);
    return BigInt(`0x${this.#bytes.toString("hex", start, start + length)}`);
  }

  /** Reads a number that is below 2^53, so a JavaScript number holds it exactly. */
  integer(i: number): number {
    const value = Number(this.bigint(i));
    if (!Number.isSafeInteger(value)) throw this.malformed(`: item ${i} is 2^53 or more`);
    return value;
  }

  /** Reads a number of at most 64 bits. */
  uint64(i: number): bigint {
    const value = this.bigint(i);
    if (value > MAX_UINT64) throw this.malformed(`: item ${i} is 2^64 or more`);
    return value;
  }

  list(i: number, name: string): RlpList {
    return new RlpList(this.#bytes, this.#at(i, 0), this.#at(i, 2), name, this);
  }

  /** Calls `read` with the position of each item in the list, and returns the results. */
  map<T>(read: (i: number) => T): T[] {
    const results: T[] = [];
    for (let i = 0; i < this.length; i++) results.push(read(i));
    return results;
  }

  malformed(problem: string): MalformedRlp {
    const names: string[] = [];
    for (let list: RlpList | null = this; list !== null; list = list.#parent) names.unshift(list.#name);
    return new MalformedRlp(`${names.join(": ")}${problem.startsWith(":") ? "" : " "}${problem}`);
  }

  /** Returns where the content of a byte string begins. */
  #content(i: number, length?: number): number {
    const start = this.#at(i, 1);
    if (this.isList(i)) throw this.malformed(`: item ${i} is not a byte string`);
    const found = this.#at(i, 2) - start;
    if (length !== undefined && found !== length)
      throw this.malformed(`: item ${i} has ${found} bytes, expected ${length}`);
    return start;
  }

  #at(i: number, part: 0 | 1 | 2): number {
    const place = this.#places[3 * i + part];
    if (place === undefined) throw this.malformed(`has no item ${i}`);
    return place;
  }

  /** Adds the three positions of the item that begins at `start` to `places`. Returns where the item ends. */
  #readPlace(start: number, limit: number, places: number[]): number {
    const prefix = this.#bytes[start] ?? 0;
    const short = prefix - (prefix >= LIST ? LIST : STRING);
    if (short > MAX_SHORT) return this.#readLong(start, short - MAX_SHORT, limit, places);
    const content = prefix < STRING ? start : start + 1;
    const end = prefix < STRING ? start + 1 : content + short;
    if (end > limit) throw this.#tooLong();
    if (prefix === STRING + 1 && (this.#bytes[content] ?? 0) < STRING) throw this.#notCanonical();
    places.push(start, content, end);
    return end;
  }

  /** @param size number of bytes that encode the length, after the prefix */
  #readLong(start: number, size: number, limit: number, places: number[]): number {
    const content = start + 1 + size;
    if (size > MAX_LENGTH_BYTES || content > limit) throw this.#tooLong();
    const length = this.#bytes.readUIntBE(start + 1, size);
    if (length <= MAX_SHORT || this.#bytes[start + 1] === 0) throw this.#notCanonical();
    const end = content + length;
    if (end > limit) throw this.#tooLong();
    places.push(start, content, end);
    return end;
  }

  #tooLong(): MalformedRlp {
    return this.malformed("is not valid RLP: an item is longer than its list");
  }

  /**
   * Returns an error about an item with a longer encoding than necessary. Each value has only one valid
   * encoding.
   */
  #notCanonical(): MalformedRlp {
    return this.malformed("is not valid RLP: the length of an item is not in its shortest form");
  }
}

/** The message names the list and the problem. Callers add the file and the block. */
export class MalformedRlp extends BaseError {
  constructor(problem: string) {
    super("verification", problem);
  }
}
