import type { Hex } from "../../lib/hex.ts";
import type { Column, ColumnKind } from "../../schema/column.ts";
import type { Columns, Table } from "../../schema/table.ts";

type Read = (from: ByteReader) => unknown;

const READERS: Record<ColumnKind, Read> = {
  address: (from) => from.fixedHex(20),
  pool_id: (from) => from.hexString(),
  hash: (from) => from.fixedHex(32),
  bytes: (from) => from.hexString(),
  text: (from) => from.text(),
  label: (from) => from.text(),
  integer: (from) => from.safeInteger(),
  uint64: (from) => from.uint64(),
  small: (from) => from.uint8(),
  wei: (from) => from.uint256(),
  amount: (from) => from.uint256(),
  double: (from) => from.float64(),
  time: (from) => from.uint32(),
};

/**
 * Decodes the output of `encodeRows`, and RowBinary answers of the engine in which the table's columns are
 * selected in their declared order.
 */
export function decodeRows(
  { columns }: Pick<Table, "columns">,
  rowBinary: Buffer,
): Record<string, unknown>[] {
  const readers = readersOf(columns);
  const from = new ByteReader(rowBinary);
  const rows: Record<string, unknown>[] = [];
  while (!from.isAtEnd) {
    const row: Record<string, unknown> = {};
    for (const [name, read] of readers) row[name] = read(from);
    rows.push(row);
  }
  return rows;
}

function readersOf(columns: Columns): [string, Read][] {
  return Object.entries(columns).map(([name, { kind, nullable }]: [string, Column]) => {
    const read = READERS[kind];
    return [name, nullable ? (from) => (from.uint8() === 1 ? null : read(from)) : read];
  });
}

/** Reads the engine's binary values, one after another. */
class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  uint8(): number {
    return this.#bytes.readUInt8(this.#skip(1));
  }

  uint32(): number {
    return this.#bytes.readUInt32LE(this.#skip(4));
  }

  /** Reads a number below 2^53 from 64 bits. */
  safeInteger(): number {
    const at = this.#skip(8);
    return this.#bytes.readUInt32LE(at) + this.#bytes.readUInt32LE(at + 4) * 2 ** 32;
  }

  uint64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#skip(8));
  }

  uint256(): bigint {
    let value = 0n;
    const at = this.#skip(32);
    for (let word = 24; word >= 0; word -= 8) value = (value << 64n) | this.#bytes.readBigUInt64LE(at + word);
    return value;
  }

  float64(): number {
    return this.#bytes.readDoubleLE(this.#skip(8));
  }

  fixedHex(bytes: number): Hex {
    const at = this.#skip(bytes);
    return `0x${this.#bytes.toString("hex", at, at + bytes)}`;
  }

  hexString(): Hex {
    return this.fixedHex(this.#length());
  }

  text(): string {
    const length = this.#length();
    const at = this.#skip(length);
    return this.#bytes.toString("utf8", at, at + length);
  }

  #length(): number {
    const { length, start } = textAt(this.#bytes, this.#at);
    this.#at = start;
    return length;
  }

  #skip(bytes: number): number {
    const at = this.#at;
    this.#at += bytes;
    return at;
  }
}

/**
 * Returns the length of the string at a position, and where its bytes start. The length comes first, as a
 * varint: seven bits per byte, lowest first; the highest bit is set if another byte follows.
 */
export function textAt(bytes: Buffer, at: number): { length: number; start: number } {
  let length = 0;
  let start = at;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes.readUInt8(start++);
    length += (byte & 127) * factor;
    if (byte < 128) return { length, start };
  }
}
