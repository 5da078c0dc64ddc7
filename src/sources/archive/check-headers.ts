import { createHash } from "node:crypto";
import { type Hex, toBytes } from "../../lib/hex.ts";
import type { BlockRef } from "../../schema/block.ts";
import { ERA_BLOCKS } from "../e2store/block-index.ts";
import type { EraFile } from "../e2store/era-file.ts";
import { verifyLink } from "../verify/verify-block.ts";
import { type ArchivedHeader, decodeHeader } from "./archived-header.ts";
import { namingBlock } from "./naming-block.ts";
import { WORD_BYTES } from "./rlp-list.ts";

/** First and last block of a chain of headers. */
export interface HeaderChain {
  first: BlockRef & { parentHash: Hex };
  last: BlockRef;
}

/**
 * Proves that the headers of a file form one chain, and that the file's total difficulties and accumulator
 * match them. Returns the first and the last block. If the last block's hash is then confirmed, all headers
 * of the file are proven.
 *
 * @throws InvalidFile
 */
export async function checkHeaders(file: EraFile): Promise<HeaderChain> {
  const difficulties = new TotalDifficulties(file);
  let first: ArchivedHeader | undefined;
  let last: ArchivedHeader | undefined;
  for await (const { number, header, totalDifficulty } of file.headers()) {
    const decoded = headerOf(file, number, header);
    if (last !== undefined) requireLink(file, last, decoded);
    if (totalDifficulty !== null) difficulties.add(decoded, totalDifficulty);
    first ??= decoded;
    last = decoded;
  }
  if (first === undefined || last === undefined)
    throw file.invalid(file.firstBlock, "the file has no blocks");
  difficulties.requireAccumulator(last.number);
  return { first: refOf(first), last: refOf(last) };
}

/** Checks the total difficulties of a file and the accumulator over them. */
class TotalDifficulties {
  readonly #file: EraFile;
  readonly #leaves: Buffer[] = [];
  #total: bigint | null = null;

  constructor(file: EraFile) {
    this.#file = file;
  }

  add({ number, hash, difficulty }: ArchivedHeader, stored: Uint8Array): void {
    if (stored.length !== WORD_BYTES) {
      const problem = `its total difficulty has ${stored.length} bytes, expected ${WORD_BYTES}`;
      throw this.#file.invalid(number, problem);
    }
    const total = littleEndian(stored);
    if (this.#total !== null && total !== this.#total + difficulty) {
      throw this.#file.invalid(number, "its total difficulty is not the sum of the difficulties");
    }
    this.#total = total;
    // In the file that contains the merge, the accumulator covers only the blocks before the merge.
    if (difficulty > 0n || this.#file.index.format === "era1")
      this.#leaves.push(sha256(toBytes(hash), stored));
  }

  requireAccumulator(lastBlock: number): void {
    const { accumulator } = this.#file;
    if (accumulator === null || accumulatorOf(this.#leaves).equals(accumulator)) return;
    throw this.#file.invalid(
      lastBlock,
      "the accumulator does not match the headers and their total difficulties",
    );
  }
}

function refOf({ number, hash, parentHash }: ArchivedHeader): HeaderChain["first"] {
  return { number, hash, parentHash };
}

export function headerOf(file: EraFile, number: number, encoded: Uint8Array): ArchivedHeader {
  const header = namingBlock(file, number, () => decodeHeader(encoded));
  if (header.number !== number) throw file.invalid(number, `its header belongs to block ${header.number}`);
  return header;
}

function requireLink(file: EraFile, parent: ArchivedHeader, child: ArchivedHeader): void {
  const problem = verifyLink(parent, child);
  if (problem !== null) throw file.invalid(child.number, problem.message);
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
}

/**
 * Returns the SSZ root of the list of block hashes and total difficulties before the merge. The list has at
 * most 8,192 items. Its Merkle tree is padded with zeros, and the tree's root is hashed with the length of
 * the list.
 *
 * @param leaves for each block, the hash of its block hash and total difficulty
 */
function accumulatorOf(leaves: readonly Buffer[]): Buffer {
  let level = leaves;
  let zero: Buffer = Buffer.alloc(32);
  for (let width = ERA_BLOCKS; width > 1; width /= 2) {
    const below = level;
    const padding = zero;
    level = Array.from({ length: Math.ceil(below.length / 2) }, (_, i) =>
      sha256(below[2 * i] ?? padding, below[2 * i + 1] ?? padding),
    );
    zero = sha256(padding, padding);
  }
  const length = Buffer.alloc(32);
  length.writeUInt32LE(leaves.length);
  return sha256(level[0] ?? zero, length);
}

function sha256(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash("sha256").update(left).update(right).digest();
}
