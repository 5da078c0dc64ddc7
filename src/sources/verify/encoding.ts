import { keccak256 } from "../../lib/hash/keccak.ts";
import { fromBytes, type Hex } from "../../lib/hex.ts";

/** RLP encodes byte strings, given as bytes or as hex text, and nested lists of them. */
export type RlpItem = Uint8Array | Hex | RlpItem[];

export const EMPTY = new Uint8Array(0);

/** Prefixes of strings and lists (Yellow Paper, appendix B). */
const STRING = 0x80;
const LIST = 0xc0;
/**
 * Maximum length of content whose length is part of the prefix. For longer content, the length follows the
 * prefix.
 */
const MAX_SHORT = 55;

/**
 * Encodes an item. It is measured first and then written into one buffer, because encoding is a large part of
 * verification. The usual way, which joins the parts at each level, copies every byte several times.
 *
 * @param type type of an EIP-2718 envelope, whose byte comes first; 0 has no byte
 */
export function rlp(item: RlpItem, type = 0): Uint8Array {
  const contents: number[] = [];
  const length = measure(item, contents);
  const writer = new RlpWriter(length + (type === 0 ? 0 : 1), contents);
  if (type !== 0) writer.byte(type);
  writer.item(item);
  return writer.output;
}

class RlpWriter {
  readonly output: Buffer;
  /** Content size of each list, outer lists first. */
  readonly #contents: readonly number[];
  #list = 0;
  #at = 0;

  constructor(length: number, contents: readonly number[]) {
    this.output = Buffer.allocUnsafe(length);
    this.#contents = contents;
  }

  byte(value: number): void {
    this.output[this.#at++] = value;
  }

  item(part: RlpItem): void {
    if (Array.isArray(part)) {
      this.#length(this.#contents[this.#list++] ?? 0, LIST);
      for (const child of part) this.item(child);
      return;
    }
    const length = lengthOf(part);
    if (!isOwnEncoding(part)) this.#length(length, STRING);
    if (typeof part === "string") writeHex(this.output, part, this.#at);
    else this.output.set(part, this.#at);
    this.#at += length;
  }

  #length(length: number, prefix: number): void {
    if (length <= MAX_SHORT) {
      this.byte(prefix + length);
      return;
    }
    const bytes = lengthBytes(length);
    this.byte(prefix + MAX_SHORT + bytes);
    this.#at = this.output.writeUIntBE(length, this.#at, bytes);
  }
}

/** Encodes a list whose items are already encoded. */
export function rlpOfEncoded(items: readonly Uint8Array[]): Uint8Array {
  const content = items.reduce((sum, { length }) => sum + length, 0);
  const prefix = prefixBytes(content);
  const output = Buffer.allocUnsafe(prefix + content);
  if (prefix === 1) output[0] = LIST + content;
  else {
    output[0] = LIST + MAX_SHORT + prefix - 1;
    output.writeUIntBE(content, 1, prefix - 1);
  }
  let at = prefix;
  for (const item of items) {
    output.set(item, at);
    at += item.length;
  }
  return output;
}

/** Returns the encoded size. Appends the content size of each list to `contents`, outer lists first. */
function measure(item: RlpItem, contents: number[]): number {
  if (!Array.isArray(item)) {
    const length = lengthOf(item);
    return isOwnEncoding(item) ? 1 : prefixBytes(length) + length;
  }
  const position = contents.push(0) - 1;
  let content = 0;
  for (const child of item) content += measure(child, contents);
  contents[position] = content;
  return prefixBytes(content) + content;
}

/** Returns the number of bytes in a byte string. */
function lengthOf(part: Uint8Array | Hex): number {
  return typeof part === "string" ? part.length / 2 - 1 : part.length;
}

/** Returns true for a single byte below the prefixes, which is encoded without a prefix. */
function isOwnEncoding(part: Uint8Array | Hex): boolean {
  if (typeof part === "string") return part.length === 4 && digitAt(part, 2) < STRING >> 4;
  return part.length === 1 && (part[0] ?? 0) < STRING;
}

/** Maximum length of hex text that is decoded here. Node.js takes a while to begin, but then is faster. */
const MAX_HEX_LENGTH = 130;

function writeHex(output: Buffer, hex: Hex, start: number): void {
  if (hex.length > MAX_HEX_LENGTH) {
    output.write(hex.slice(2), start, "hex");
    return;
  }
  for (let i = 2, at = start; i < hex.length; i += 2, at++) {
    output[at] = (digitAt(hex, i) << 4) | digitAt(hex, i + 1);
  }
}

/** The values of hex digits in lower and upper case, by character code. */
const DIGITS = new Uint8Array(128);
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  DIGITS[digit.charCodeAt(0)] = value;
  DIGITS[digit.toUpperCase().charCodeAt(0)] = value;
}

function digitAt(hex: Hex, i: number): number {
  return DIGITS[hex.charCodeAt(i)] ?? 0;
}

function prefixBytes(length: number): number {
  return length <= MAX_SHORT ? 1 : 1 + lengthBytes(length);
}

function lengthBytes(length: number): number {
  if (length < 0x100) return 1;
  if (length < 0x10000) return 2;
  return length < 0x1000000 ? 3 : 4;
}

export function keccakHex(bytes: Uint8Array): Hex {
  return fromBytes(keccak256(bytes));
}

/** Returns the bytes of a quantity, big-endian and without leading zeros. Zero and null are empty. */
export function quantityBytes(quantity: Hex | null): Uint8Array {
  if (quantity === null) return EMPTY;
  let start = 2;
  while (start < quantity.length && quantity.charCodeAt(start) === 0x30) start++;
  if (start === quantity.length) return EMPTY;
  const digits = quantity.slice(start);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex");
}

/** Returns an EIP-2718 envelope: the byte of the type, then the payload. Type 0 has no byte. */
export function envelope(type: number, payload: Uint8Array): Uint8Array {
  if (type === 0) return payload;
  const bytes = new Uint8Array(payload.length + 1);
  bytes[0] = type;
  bytes.set(payload, 1);
  return bytes;
}
