import type { ByteFile } from "./byte-file.ts";
import { type EntryKind, kindOf } from "./entry-types.ts";
import { invalidAt } from "./invalid-file.ts";

/** Size of an entry's header: type (2 bytes), length (4 bytes) and two zero bytes. */
export const ENTRY_HEADER_BYTES = 8;

/**
 * Maximum size of an entry. A block takes at most 10 MiB (EIP-7934), and its receipts take a few tens of MiB
 * at most. Before EIP-7934, the gas limit kept both far smaller.
 */
const MAX_ENTRY_BYTES = 64 * 2 ** 20;

/** Number of bytes to read at a time: enough for many small entries, or for part of a large one. */
const READ_BYTES = 256 * 2 ** 10;

export interface Entry {
  kind: EntryKind;
  /** Position of the entry's header in the file. */
  offset: number;
  data: Uint8Array;
}

interface EntryHeader {
  kind: EntryKind;
  length: number;
}

/** Reads the kind and length of the entry at an offset of a file. */
export async function readEntryHeader(file: ByteFile, offset: number): Promise<EntryHeader> {
  return parseEntryHeader(file.name, offset, await file.read(offset, ENTRY_HEADER_BYTES));
}

/** Reads the entries of a file one after another. */
export class EntryCursor {
  readonly #file: ByteFile;
  readonly #end: number;
  readonly #readBytes: number;
  #offset: number;
  #buffer: Buffer = Buffer.alloc(0);
  #bufferStart = 0;

  /**
   * @param end offset beyond which no entry may reach
   * @param readBytes number of bytes to read at a time; small if the entries are far apart
   */
  constructor(file: ByteFile, offset: number, end: number, readBytes = READ_BYTES) {
    this.#file = file;
    this.#offset = offset;
    this.#end = end;
    this.#readBytes = readBytes;
  }

  /** Offset of the next entry. */
  get offset(): number {
    return this.#offset;
  }

  seek(offset: number): void {
    this.#offset = offset;
  }

  /** @throws InvalidFile if the next entry is malformed or not of the expected kind */
  async next(expected: EntryKind): Promise<Entry> {
    const offset = this.#offset;
    const { kind, length } = parseEntryHeader(
      this.#file.name,
      offset,
      await this.#bytes(offset, ENTRY_HEADER_BYTES),
    );
    if (kind !== expected) throw this.#invalid(`the entry has the kind ${kind}, expected ${expected}`);
    const data = await this.#bytes(offset + ENTRY_HEADER_BYTES, length);
    this.#offset += ENTRY_HEADER_BYTES + length;
    return { kind, offset, data };
  }

  async #bytes(offset: number, length: number): Promise<Buffer> {
    if (offset + length > this.#end) throw this.#invalid(`the entry extends beyond offset ${this.#end}`);
    const start = offset - this.#bufferStart;
    if (start < 0 || start + length > this.#buffer.length) {
      const wanted = Math.max(length, Math.min(this.#readBytes, this.#end - offset));
      this.#buffer = await this.#file.read(offset, wanted);
      this.#bufferStart = offset;
      return this.#buffer.subarray(0, length);
    }
    return this.#buffer.subarray(start, start + length);
  }

  #invalid(problem: string): Error {
    return invalidAt(this.#file.name, this.#offset, problem);
  }
}

function parseEntryHeader(file: string, offset: number, bytes: Buffer): EntryHeader {
  const type = bytes.readUInt16LE(0);
  const length = bytes.readUInt32LE(2);
  const kind = kindOf(type);
  if (kind === null)
    throw invalidAt(file, offset, `unknown entry type 0x${type.toString(16).padStart(4, "0")}`);
  if (bytes.readUInt16LE(6) !== 0)
    throw invalidAt(file, offset, "the reserved bytes of the entry are not zero");
  if (length > MAX_ENTRY_BYTES) {
    throw invalidAt(
      file,
      offset,
      `the entry has ${length} bytes, more than the maximum of ${MAX_ENTRY_BYTES}`,
    );
  }
  return { kind, length };
}
