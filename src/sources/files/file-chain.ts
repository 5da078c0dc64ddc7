import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { BlockRef } from "../../schema/block.ts";
import type { ArchivedHeader } from "../archive/archived-header.ts";
import { checkHeaders, type HeaderChain, headerOf } from "../archive/check-headers.ts";
import { EraFile } from "../e2store/era-file.ts";
import { InvalidFile } from "../e2store/invalid-file.ts";
import { NoReceipts, requireName } from "./file-name.ts";
import type { FilePlace } from "./file-place.ts";
import { NoFiles } from "./local-files.ts";

/** An open file whose headers are one chain, which continues that of the file before. */
interface CheckedFile {
  file: EraFile;
  place: FilePlace;
  headers: HeaderChain;
}

/** Files of consecutive blocks, in order. */
export class FileChain {
  readonly #places: readonly FilePlace[];
  readonly #lastBlock: number;
  /** The last block of each file that was checked, by its number. */
  readonly #ends = new Map<number, BlockRef>();

  private constructor(places: readonly FilePlace[], lastBlock: number) {
    this.#places = places;
    this.#lastBlock = lastBlock;
  }

  /**
   * Sorts the files and reads the end of the last one.
   *
   * @throws NoFiles, TwoFiles
   */
  static async of(places: readonly FilePlace[], signal: AbortSignal): Promise<FileChain> {
    const sorted = places.toSorted((a, b) => a.firstBlock - b.firstBlock);
    const last = sorted.at(-1);
    if (last === undefined) throw new NoFiles("", "there is no file");
    sorted.forEach((place, i) => {
      const next = sorted[i + 1];
      if (next?.firstBlock === place.firstBlock) throw new TwoFiles(place, next);
    });
    const file = await openPlace(last, signal);
    try {
      return new FileChain(sorted, file.lastBlock);
    } finally {
      await file.close();
    }
  }

  get firstBlock(): number {
    return this.#places[0]?.firstBlock ?? 0;
  }

  get lastBlock(): number {
    return this.#lastBlock;
  }

  /** The header of a block; null if it is in no file. */
  async header(number: number, signal: AbortSignal): Promise<ArchivedHeader | null> {
    const place = this.#placeOf(number);
    if (place === undefined) return null;
    const file = await openPlace(place, signal);
    try {
      if (number > file.lastBlock) return null;
      return headerOf(file, number, await file.header(number));
    } finally {
      await file.close();
    }
  }

  /**
   * The files with the blocks of a range, in order, open while the consumer uses them. The next one is fetched
   * meanwhile, so at most two downloaded files are on the disk.
   *
   * @throws InvalidFile, GapBetweenFiles, NoReceipts
   */
  async *files(from: number, to: number, signal: AbortSignal): AsyncGenerator<CheckedFile> {
    const first = this.#places.findLastIndex(({ firstBlock }) => firstBlock <= from);
    let expected = from;
    for (let i = first; i < this.#places.length && expected <= to; i++) {
      const place = this.#places[i];
      if (place === undefined) throw new GapBetweenFiles(from, "the files given");
      const checked = await this.#open(place, signal);
      const ahead = this.#fetchAhead(checked.file.lastBlock < to ? this.#places[i + 1] : undefined, signal);
      try {
        this.#requireFollows(checked, expected);
        yield checked;
      } finally {
        await checked.file.close();
        await ahead;
      }
      expected = checked.file.lastBlock + 1;
      await place.release();
    }
  }

  /** An error is thrown where the file is opened. */
  async #fetchAhead(place: FilePlace | undefined, signal: AbortSignal): Promise<void> {
    await place?.path(signal).catch(() => {});
  }

  async #open(place: FilePlace, signal: AbortSignal): Promise<CheckedFile> {
    const file = await openPlace(place, signal);
    try {
      if (!file.hasReceipts) throw new NoReceipts(file.name);
      const headers = await checkHeaders(file);
      requireName(file, headers);
      return { file, place, headers };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  #requireFollows({ file, headers }: CheckedFile, expected: number): void {
    if (file.firstBlock > expected || file.lastBlock < expected)
      throw new GapBetweenFiles(expected, file.name);
    const before = this.#ends.get(file.firstBlock - 1);
    if (before !== undefined && before.hash !== headers.first.parentHash) {
      throw new InvalidFile(
        file.name,
        `block ${file.firstBlock}`,
        notChild(headers.first.parentHash, before),
      );
    }
    this.#ends.set(headers.last.number, headers.last);
  }

  #placeOf(number: number): FilePlace | undefined {
    return this.#places.findLast(({ firstBlock }) => firstBlock <= number);
  }
}

/** The order of the files depends on their first blocks, which names may say. */
async function openPlace(place: FilePlace, signal: AbortSignal): Promise<EraFile> {
  const file = await EraFile.open(await place.path(signal));
  if (file.firstBlock === place.firstBlock) return file;
  await file.close();
  const problem = `the file begins with block ${file.firstBlock}, not ${place.firstBlock}`;
  throw new InvalidFile(place.name, "name", problem);
}

function notChild(parentHash: Hex, { number, hash }: BlockRef): string {
  return `its parent hash ${parentHash} is not the hash of block ${number} in the file before, ${hash}`;
}

class TwoFiles extends BaseError {
  constructor(one: FilePlace, other: FilePlace) {
    super(
      "bad-config",
      `--files: ${one.name} and ${other.name} both begin with block ${one.firstBlock}. Give only one of them`,
    );
  }
}

class GapBetweenFiles extends BaseError {
  constructor(missing: number, file: string) {
    super("bad-config", `--files: block ${missing} is missing: no file before ${file} has it. Add its file`);
  }
}
