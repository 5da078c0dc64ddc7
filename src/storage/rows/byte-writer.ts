import { BaseError } from "../../lib/error.ts";
import { MAX_UINT64 } from "../../lib/units.ts";

/**
 * Size at which a chunk ends: large enough for the engine to read quickly, small enough to be
 * garbage-collected early.
 */
const CHUNK_BYTES = 4 * 1024 * 1024;

/** Size of the first chunk's buffer: enough for most batches of one block. */
const FIRST_BYTES = 64 * 1024;

/** Minimum free space after the buffer has grown, enough for a value of fixed size. */
const VALUE_ROOM = 64;

const MAX_UINT256 = 2n ** 256n - 1n;
const LONG_HEX = 128;

const NIBBLES = new Int16Array(256).fill(-1);
for (const [i, char] of [..."0123456789abcdef"].entries()) {
  NIBBLES[char.charCodeAt(0)] = i;
  NIBBLES[char.toUpperCase().charCodeAt(0)] = i;
}

/** Writes the engine's binary values into growing chunks. No row is split between chunks. */
export class ByteWriter {
  readonly #done: Uint8Array[] = [];
  #bytes: Buffer<ArrayBuffer> = Buffer.allocUnsafe(FIRST_BYTES);
  #view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
  #end = 0;

  /** Returns all bytes written so far. */
  chunks(): Uint8Array[] {
    return this.#end === 0 ? this.#done : [...this.#done, this.#bytes.subarray(0, this.#end)];
  }

  endRow(): void {
    if (this.#end < CHUNK_BYTES) return;
    this.#done.push(this.#bytes.subarray(0, this.#end));
    this.#use(Buffer.allocUnsafe(this.#bytes.length));
    this.#end = 0;
  }

  uint8(value: unknown): void {
    if (!isWhole(value, 255)) throw new InvalidValue(value, "a whole number from 0 to 255");
    this.#room(1);
    this.#bytes[this.#end++] = value;
  }

  uint32(value: unknown, max: number): void {
    if (!isWhole(value, max)) throw new InvalidValue(value, `a whole number from 0 to ${max}`);
    this.#room(4);
    this.#view.setUint32(this.#end, value, true);
    this.#end += 4;
  }

  /** Writes a number below 2^53 in 64 bits. */
  safeInteger(value: unknown): void {
    if (!isWhole(value, Number.MAX_SAFE_INTEGER)) {
      throw new InvalidValue(value, "a whole number from 0 to 2^53 - 1");
    }
    this.#room(8);
    this.#view.setUint32(this.#end, value >>> 0, true);
    this.#view.setUint32(this.#end + 4, Math.floor(value / 2 ** 32), true);
    this.#end += 8;
  }

  uint64(value: unknown): void {
    if (typeof value !== "bigint" || value < 0n || value > MAX_UINT64) {
      throw new InvalidValue(value, "a bigint from 0 to 2^64 - 1");
    }
    this.#room(8);
    this.#view.setBigUint64(this.#end, value, true);
    this.#end += 8;
  }

  uint256(value: unknown): void {
    if (typeof value !== "bigint" || value < 0n || value > MAX_UINT256) {
      throw new InvalidValue(value, "a bigint from 0 to 2^256 - 1");
    }
    this.#room(32);
    let rest = value;
    for (let word = 0; word < 4; word++) {
      this.#view.setBigUint64(this.#end + 8 * word, rest & MAX_UINT64, true);
      if (rest !== 0n) rest >>= 64n;
    }
    this.#end += 32;
  }

  float64(value: unknown): void {
    if (typeof value !== "number" || !Number.isFinite(value))
      throw new InvalidValue(value, "a finite number");
    this.#room(8);
    this.#view.setFloat64(this.#end, value, true);
    this.#end += 8;
  }

  string(value: unknown): void {
    if (typeof value !== "string") throw new InvalidValue(value, "text");
    const length = Buffer.byteLength(value, "utf8");
    this.#length(length);
    this.#end += this.#bytes.write(value, this.#end, length, "utf8");
  }

  /** Writes the bytes of `0x…` text, of which there must be exactly `bytes`. */
  fixedHex(value: unknown, bytes: number): void {
    if (typeof value !== "string" || value.length !== 2 + 2 * bytes) {
      throw new InvalidValue(value, `0x and ${bytes} hex bytes`);
    }
    this.#room(bytes);
    this.#hex(value, bytes);
  }

  /**
   * Writes the bytes of `0x…` text, preceded by their number. `lengths` are the allowed numbers; absent: all.
   */
  hexString(value: unknown, lengths?: readonly number[]): void {
    if (typeof value !== "string" || value.length < 2 || value.length % 2 !== 0) {
      throw new InvalidValue(value, "0x and hex bytes");
    }
    const bytes = (value.length - 2) / 2;
    if (lengths !== undefined && !lengths.includes(bytes)) {
      throw new InvalidValue(value, `0x and ${lengths.join(" or ")} hex bytes`);
    }
    this.#length(bytes);
    this.#hex(value, bytes);
  }

  /** Parses short strings digit by digit, which is faster than a call into native code. */
  #hex(value: string, bytes: number): void {
    if (value.charCodeAt(0) !== 48 || value.charCodeAt(1) !== 120)
      throw new InvalidValue(value, "0x and hex bytes");
    const written =
      bytes > LONG_HEX ? this.#bytes.write(value.slice(2), this.#end, "hex") : this.#digits(value, bytes);
    if (written !== bytes) throw new InvalidValue(value, "0x and hex bytes");
    this.#end += bytes;
  }

  #digits(value: string, bytes: number): number {
    for (let i = 0; i < bytes; i++) {
      const high = NIBBLES[value.charCodeAt(2 + 2 * i)] ?? -1;
      const low = NIBBLES[value.charCodeAt(3 + 2 * i)] ?? -1;
      if (high < 0 || low < 0) return i;
      this.#bytes[this.#end + i] = (high << 4) | low;
    }
    return bytes;
  }

  /** Writes a length as a varint: seven bits per byte, lowest first. Also makes space for that many bytes. */
  #length(length: number): void {
    this.#room(length + 5);
    let rest = length;
    while (rest >= 128) {
      this.#bytes[this.#end++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#end++] = rest;
  }

  #room(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#end + bytes + VALUE_ROOM));
    this.#bytes.copy(grown, 0, 0, this.#end);
    this.#use(grown);
  }

  #use(bytes: Buffer<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }
}

function isWhole(value: unknown, max: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max;
}

/** A value that a column cannot hold. The message names the value and says what is allowed. */
export class InvalidValue extends BaseError {
  constructor(value: unknown, allowed: string) {
    const given =
      value === undefined ? "no value" : typeof value === "string" ? JSON.stringify(value) : String(value);
    super("internal", `${given.slice(0, 100)} is not ${allowed}`);
  }
}
