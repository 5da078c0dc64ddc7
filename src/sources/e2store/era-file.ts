import { basename } from "node:path";
import { messageOf } from "../../lib/error.ts";
import { type BlockIndex, readBlockIndex } from "./block-index.ts";
import { ByteFile } from "./byte-file.ts";
import { ENTRY_HEADER_BYTES, type Entry, EntryCursor, readEntryHeader } from "./entries.ts";
import { ENTRY_TYPES, type EntryKind } from "./entry-types.ts";
import { InvalidFile, invalidAt } from "./invalid-file.ts";
import { readFrames } from "./snappy-frames.ts";

const TOTAL_DIFFICULTY_BYTES = 32;
/** Size of a total difficulty entry, including its header. */
const DIFFICULTY_ENTRY_BYTES = ENTRY_HEADER_BYTES + TOTAL_DIFFICULTY_BYTES;
/** Order of a block's entries in era1. */
const ERA1_ORDER = ["header", "body", "receipts", "totalDifficulty"] as const;

/** Number of bytes to read for one header in era1. A header is shorter, and the next one is far away. */
const SPARSE_READ_BYTES = 1_024;

/** The entries of a block, as stored in the file. */
export interface BlockEntries {
  number: number;
  entries: ReadonlyMap<EntryKind, Entry>;
}

/** The data that a file stores for a block, decompressed but not verified. */
export interface StoredBlock {
  number: number;
  header: Uint8Array;
  body: Uint8Array;
  receipts: Uint8Array;
}

/** A header with its total difficulty, which files of blocks after the merge omit. */
export interface StoredHeader {
  number: number;
  header: Uint8Array;
  totalDifficulty: Uint8Array | null;
}

/** Entry kinds of the two forms of receipts. */
export const RECEIPT_KINDS = { full: "receipts", slim: "slimReceipts" } as const;

/** A contiguous run of entries, with one entry of each kind per block. */
interface Section {
  kinds: readonly EntryKind[];
  /** Position of the offset of the first of these kinds, among a block's offsets in the index. */
  slot: number;
}

/** An era1 or ere file, which has up to 8,192 consecutive blocks. */
export class EraFile {
  readonly index: BlockIndex;
  /** Root of the hashes and total difficulties of the blocks before the merge; null if the file has none. */
  readonly accumulator: Uint8Array | null;
  readonly #file: ByteFile;
  readonly #sections: readonly Section[];

  private constructor(
    file: ByteFile,
    index: BlockIndex,
    sections: readonly Section[],
    accumulator: Uint8Array | null,
  ) {
    this.#file = file;
    this.index = index;
    this.#sections = sections;
    this.accumulator = accumulator;
  }

  /** @throws InvalidFile, UnreadableFile */
  static async open(path: string): Promise<EraFile> {
    const file = await ByteFile.open(path);
    try {
      await new EntryCursor(file, 0, file.size).next("version");
      const index = await readBlockIndex(file);
      const sections = await sectionsOf(file, index);
      return new EraFile(file, index, sections, await readAccumulator(file, index));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get name(): string {
    return basename(this.#file.name);
  }

  get firstBlock(): number {
    return this.index.firstBlock;
  }

  get lastBlock(): number {
    return this.index.firstBlock + this.index.blocks - 1;
  }

  /** True if the file has the receipts of its blocks. */
  get hasReceipts(): boolean {
    return this.#sections.some(({ kinds }) => kinds.includes("receipts") || kinds.includes("slimReceipts"));
  }

  /** Form of the receipts in the file. Only era1 stores them with blooms. */
  get receiptForm(): "full" | "slim" {
    return this.index.format === "era1" ? "full" : "slim";
  }

  /** Yields all headers of the file, in order. */
  async *headers(): AsyncGenerator<StoredHeader> {
    const readBytes = this.index.format === "era1" ? SPARSE_READ_BYTES : undefined;
    const cursor = new EntryCursor(this.#file, 0, this.index.offset, readBytes);
    const difficulties = new EntryCursor(this.#file, 0, this.index.offset, readBytes);
    for (let i = 0; i < this.index.blocks; i++) {
      const at = this.#difficultyOffset(i);
      cursor.seek(this.#offsetOf(i, this.#slotOf("header")));
      if (at !== null) difficulties.seek(at);
      yield {
        number: this.firstBlock + i,
        header: this.#payload(await cursor.next("header"), i),
        totalDifficulty: at === null ? null : (await difficulties.next("totalDifficulty")).data,
      };
    }
  }

  /** Yields the entries of each block, in order, from block `from` to the end of the file. */
  async *blocks(from: number): AsyncGenerator<BlockEntries> {
    const start = from - this.firstBlock;
    const cursors = this.#sections.map((section) => ({
      section,
      cursor: new EntryCursor(this.#file, this.#offsetOf(start, section.slot), this.index.offset),
    }));
    for (let i = start; i < this.index.blocks; i++) {
      const entries = new Map<EntryKind, Entry>();
      for (const { section, cursor } of cursors) await this.#readSection(section, cursor, i, entries);
      yield { number: this.firstBlock + i, entries };
    }
    for (const { section, cursor } of cursors) this.#requireAdjacent(section, cursor.offset);
  }

  /** @throws InvalidFile if an entry is missing or damaged */
  decompress({ number, entries }: BlockEntries): StoredBlock {
    const payload = (kind: EntryKind) => {
      const entry = entries.get(kind);
      if (entry === undefined) throw this.invalid(number, `the file has no ${kind}`);
      return this.#payload(entry, number - this.firstBlock);
    };
    const proof = entries.get("proof");
    if (proof !== undefined) this.#payload(proof, number - this.firstBlock);
    return {
      number,
      header: payload("header"),
      body: payload("body"),
      receipts: payload(RECEIPT_KINDS[this.receiptForm]),
    };
  }

  async header(number: number): Promise<Uint8Array> {
    const i = number - this.firstBlock;
    const cursor = new EntryCursor(this.#file, this.#offsetOf(i, this.#slotOf("header")), this.index.offset);
    return this.#payload(await cursor.next("header"), i);
  }

  /** Returns an error about one block of the file. */
  invalid(number: number, problem: string): InvalidFile {
    const offset = this.#offsetOf(number - this.firstBlock, this.#slotOf("header"));
    return new InvalidFile(this.#file.name, `block ${number} (offset ${offset})`, problem);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #readSection(
    section: Section,
    cursor: EntryCursor,
    i: number,
    entries: Map<EntryKind, Entry>,
  ): Promise<void> {
    const indexed = this.#offsetOf(i, section.slot);
    if (cursor.offset !== indexed) {
      const block = this.firstBlock + i;
      const problem = `an entry of block ${block} begins here, but according to the index it begins at ${indexed}`;
      throw invalidAt(this.#file.name, cursor.offset, problem);
    }
    for (const kind of section.kinds) entries.set(kind, await cursor.next(kind));
  }

  #payload(entry: Entry, i: number): Buffer {
    try {
      return readFrames(entry.data);
    } catch (cause) {
      const place = `offset ${entry.offset} (${entry.kind} of block ${this.firstBlock + i})`;
      const problem = `the compressed data ${messageOf(cause)}`;
      throw new InvalidFile(this.#file.name, place, problem, cause);
    }
  }

  /**
   * Checks that a section ends where another section, the accumulator or the index begins, with nothing in
   * between.
   */
  #requireAdjacent(section: Section, end: number): void {
    const accumulator = this.accumulator === null ? 0 : ENTRY_HEADER_BYTES + this.accumulator.length;
    const starts = this.#sections.map(({ slot }) => this.#offsetOf(0, slot));
    if ([...starts, this.index.offset - accumulator].includes(end)) return;
    throw invalidAt(this.#file.name, end, `unexpected data after the last ${section.kinds.at(-1)} entry`);
  }

  #slotOf(kind: EntryKind): number {
    return this.#sections.find(({ kinds }) => kinds[0] === kind)?.slot ?? 0;
  }

  #offsetOf(i: number, slot: number): number {
    const offset = this.index.entries[i]?.[slot];
    if (offset === undefined) {
      throw new InvalidFile(this.#file.name, "index", `block ${this.firstBlock + i} is not in the file`);
    }
    return offset;
  }

  /**
   * Returns the offset of a block's total difficulty; null if the file has none. In era1, it is the last
   * entry of a block.
   */
  #difficultyOffset(i: number): number | null {
    if (this.index.format === "era1") {
      const accumulator = ENTRY_HEADER_BYTES + (this.accumulator?.length ?? 0);
      const end = i + 1 < this.index.blocks ? this.#offsetOf(i + 1, 0) : this.index.offset - accumulator;
      return end - DIFFICULTY_ENTRY_BYTES;
    }
    const section = this.#sections.find(({ kinds }) => kinds[0] === "totalDifficulty");
    return section === undefined ? null : this.#offsetOf(i, section.slot);
  }
}

/**
 * Returns the sections of a file. In an ere file, the entries of the first block show in which order the
 * index lists the kinds.
 */
async function sectionsOf(file: ByteFile, { format, entries, offset }: BlockIndex): Promise<Section[]> {
  const start = Math.min(...(entries[0] ?? []));
  if (start !== ENTRY_HEADER_BYTES) {
    throw invalidAt(
      file.name,
      ENTRY_HEADER_BYTES,
      `unexpected data before the first block, which begins at ${start}`,
    );
  }
  if (format === "era1") return [{ kinds: ERA1_ORDER, slot: 0 }];
  const sections: Section[] = [];
  for (const [slot, at] of (entries[0] ?? []).entries()) {
    const { kind } = await readEntryHeader(file, at);
    if (sections.some(({ kinds }) => kinds.includes(kind))) {
      throw invalidAt(file.name, offset, `the index lists ${kind} entries twice`);
    }
    sections.push({ kinds: [kind], slot });
  }
  for (const kind of ["header", "body"] as const) {
    if (!sections.some(({ kinds }) => kinds.includes(kind))) {
      throw invalidAt(file.name, offset, `the index lists no ${kind} entries`);
    }
  }
  return sections;
}

const ACCUMULATOR_BYTES = 32;

/** Reads the accumulator, which is the entry before the index. Returns null if an ere file has none. */
async function readAccumulator(file: ByteFile, { offset, format }: BlockIndex): Promise<Uint8Array | null> {
  const at = offset - ENTRY_HEADER_BYTES - ACCUMULATOR_BYTES;
  const header = at < ENTRY_HEADER_BYTES ? null : await file.read(at, ENTRY_HEADER_BYTES);
  const isThere =
    header?.readUInt16LE(0) === ENTRY_TYPES.accumulator && header.readUInt32LE(2) === ACCUMULATOR_BYTES;
  if (isThere) return (await new EntryCursor(file, at, offset).next("accumulator")).data;
  if (format === "era1") throw invalidAt(file.name, offset, "there is no accumulator before the index");
  return null;
}
