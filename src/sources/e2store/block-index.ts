import type { ByteFile } from "./byte-file.ts";
import { ENTRY_HEADER_BYTES, readEntryHeader } from "./entries.ts";
import type { EntryKind } from "./entry-types.ts";
import { InvalidFile, invalidAt } from "./invalid-file.ts";

/** Maximum number of blocks in a file: the size of an era. */
export const ERA_BLOCKS = 8_192;

/**
 * Maximum number of entries that an ere file may list for each block: header, body, receipts, total
 * difficulty, proof.
 */
const MAX_COMPONENTS = 5;
const NUMBER_BYTES = 8;

/** The last entry of a file, which says where the entries of each block are. */
export interface BlockIndex {
  format: "era1" | "ere";
  firstBlock: number;
  blocks: number;
  /** Offset of the index itself. */
  offset: number;
  /**
   * Offsets of each block's entries. In era1, only the first of a block's four entries is listed; in ere, one
   * entry of each kind.
   */
  entries: number[][];
}

/** @throws InvalidFile */
export async function readBlockIndex(file: ByteFile): Promise<BlockIndex> {
  if (file.size < 2 * ENTRY_HEADER_BYTES + 3 * NUMBER_BYTES) {
    throw invalidAt(file.name, file.size, "the file is too short to hold blocks");
  }
  const trailer = await file.read(file.size - 2 * NUMBER_BYTES, 2 * NUMBER_BYTES);
  const blocks = Number(trailer.readBigUInt64LE(NUMBER_BYTES));
  const components = Number(trailer.readBigUInt64LE(0));
  if (blocks >= 1 && blocks <= ERA_BLOCKS) {
    if (await isIndex(file, sizeOf(blocks, 1, 2), "blockIndex"))
      return parse(file, { blocks, components: 1 }, "era1");
    const isEre = components >= 2 && components <= MAX_COMPONENTS;
    if (isEre && (await isIndex(file, sizeOf(blocks, components, 3), "dynamicIndex"))) {
      return parse(file, { blocks, components }, "ere");
    }
  }
  throw new InvalidFile(file.name, "end of the file", "the block index of an era1 or ere file is missing");
}

/** @param others how many numbers the index has besides the offsets */
function sizeOf(blocks: number, components: number, others: number): number {
  return NUMBER_BYTES * (blocks * components + others);
}

async function isIndex(file: ByteFile, size: number, kind: EntryKind): Promise<boolean> {
  const offset = file.size - size - ENTRY_HEADER_BYTES;
  if (offset < ENTRY_HEADER_BYTES) return false;
  const found = await readEntryHeader(file, offset).catch(absentIfInvalid);
  return found?.kind === kind && found.length === size;
}

/**
 * Returns null if the error says that the bytes are not the header of an entry: in that case, there is no
 * index. Throws other errors.
 */
function absentIfInvalid(error: unknown): null {
  if (error instanceof InvalidFile) return null;
  throw error;
}

async function parse(
  file: ByteFile,
  { blocks, components }: { blocks: number; components: number },
  format: BlockIndex["format"],
): Promise<BlockIndex> {
  const size = sizeOf(blocks, components, format === "era1" ? 2 : 3);
  const offset = file.size - size - ENTRY_HEADER_BYTES;
  const content = await file.read(offset + ENTRY_HEADER_BYTES, size);
  const firstBlock = Number(content.readBigUInt64LE(0));
  if (!Number.isSafeInteger(firstBlock))
    throw invalidAt(file.name, offset, "the first block number is too large");
  const entries = Array.from({ length: blocks }, (_, block) =>
    Array.from({ length: components }, (__, slot) => {
      const relative = content.readBigInt64LE(NUMBER_BYTES * (1 + block * components + slot));
      const entry = offset + Number(relative);
      if (entry >= ENTRY_HEADER_BYTES && entry < offset) return entry;
      throw invalidAt(
        file.name,
        offset,
        `the index entry of block ${firstBlock + block} points outside the file`,
      );
    }),
  );
  return { format, firstBlock, blocks, offset, entries };
}
