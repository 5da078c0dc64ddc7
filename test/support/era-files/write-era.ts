import { createHash } from "node:crypto";
import { ENTRY_TYPES, type EntryKind } from "../../../src/sources/e2store/entry-types.ts";
import type { EncodedBlock } from "./encoded-block.ts";
import { writeFrames } from "./write-frames.ts";

interface WriteOptions {
  /** Total difficulty of the block before the first one. */
  difficultyBefore?: bigint;
  /** Content of the proof entry that is added for each block. */
  proof?: Uint8Array;
  /** Length of the total-difficulty entries in an ere file, in bytes. */
  difficultyBytes?: number;
}

/** Writes an era1 file, which groups its entries by block. */
export function writeEra1(
  blocks: readonly EncodedBlock[],
  { difficultyBefore = 0n }: WriteOptions = {},
): Buffer {
  const file = new EntryWriter();
  const totals = totalDifficulties(blocks, difficultyBefore);
  const offsets = blocks.map((block, i) => {
    const at = file.add("header", writeFrames(block.header));
    file.add("body", writeFrames(block.body));
    file.add("receipts", writeFrames(block.fullReceipts));
    file.add("totalDifficulty", littleEndian(totals[i]));
    return [at];
  });
  file.add("accumulator", accumulatorOf(blocks, totals));
  file.addIndex("blockIndex", blocks[0]?.number, offsets);
  return file.bytes();
}

/**
 * Writes an ere file, which groups its entries by kind. Writes total difficulties only if a block is from
 * before the merge.
 */
export function writeEre(blocks: readonly EncodedBlock[], options: WriteOptions = {}): Buffer {
  const file = new EntryWriter();
  const isBeforeMerge = blocks.some(({ difficulty }) => difficulty > 0n);
  const totals = totalDifficulties(blocks, options.difficultyBefore ?? 0n);
  const sections = [
    blocks.map((block) => file.add("header", writeFrames(block.header))),
    blocks.map((block) => file.add("body", writeFrames(block.body))),
    blocks.map((block) => file.add("slimReceipts", writeFrames(block.slimReceipts))),
  ];
  const { proof } = options;
  if (proof !== undefined) sections.push(blocks.map(() => file.add("proof", writeFrames(proof))));
  if (isBeforeMerge) {
    sections.push(
      totals.map((total) =>
        file.add("totalDifficulty", littleEndian(total).subarray(0, options.difficultyBytes)),
      ),
    );
    const before = blocks.filter(({ difficulty }) => difficulty > 0n);
    file.add("accumulator", accumulatorOf(before, totals));
  }
  const offsets = blocks.map((_, i) => sections.map((section) => section[i] ?? 0));
  file.addIndex("dynamicIndex", blocks[0]?.number, offsets);
  return file.bytes();
}

class EntryWriter {
  readonly #parts: Buffer[] = [];
  #size = 0;

  constructor() {
    this.add("version", Buffer.alloc(0));
  }

  /** @returns the entry's offset */
  add(kind: EntryKind, data: Uint8Array): number {
    const offset = this.#size;
    const header = Buffer.alloc(8);
    header.writeUInt16LE(ENTRY_TYPES[kind], 0);
    header.writeUInt32LE(data.length, 2);
    this.#parts.push(header, Buffer.from(data));
    this.#size += header.length + data.length;
    return offset;
  }

  addIndex(
    kind: "blockIndex" | "dynamicIndex",
    first: number | undefined,
    offsets: readonly number[][],
  ): void {
    const start = this.#size;
    const relative = offsets.flat().map((offset) => BigInt(offset - start));
    const components = kind === "dynamicIndex" ? [BigInt(offsets[0]?.length ?? 0)] : [];
    const numbers = [BigInt(first ?? 0), ...relative, ...components, BigInt(offsets.length)];
    const data = Buffer.alloc(8 * numbers.length);
    for (const [i, number] of numbers.entries()) data.writeBigInt64LE(number, 8 * i);
    this.add(kind, data);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

function totalDifficulties(blocks: readonly EncodedBlock[], before: bigint): bigint[] {
  let total = before;
  return blocks.map(({ difficulty }) => {
    total += difficulty;
    return total;
  });
}

function littleEndian(number: bigint | undefined): Buffer {
  return Buffer.from((number ?? 0n).toString(16).padStart(64, "0"), "hex").reverse();
}

/**
 * Computes hash_tree_root(List[(block hash, total difficulty), 8192]) by its definition, over all 8,192
 * leaves.
 */
export function accumulatorOf(blocks: readonly EncodedBlock[], totals: readonly bigint[]): Buffer {
  let level = Array.from({ length: 8_192 }, (_, i) => {
    const block = blocks[i];
    return block === undefined ? Buffer.alloc(32) : sha256(block.hash, littleEndian(totals[i]));
  });
  while (level.length > 1) {
    level = Array.from({ length: level.length / 2 }, (_, i) =>
      sha256(level[2 * i] ?? Buffer.alloc(0), level[2 * i + 1] ?? Buffer.alloc(0)),
    );
  }
  return sha256(level[0] ?? Buffer.alloc(0), littleEndian(BigInt(blocks.length)));
}

function sha256(...parts: Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}
