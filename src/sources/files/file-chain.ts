import { withAbort } from "../../lib/async/abort.ts";
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

/** An open file whose headers form one chain, which continues the chain of the previous file. */
interface CheckedFile {
  file: EraFile;
  place: FilePlace;
  headers: HeaderChain;
}

/** Files of consecutive blocks, in order. */
export class FileChain {
  readonly #places: readonly FilePlace[];
  readonly #lastBlock: number;
  /** The last block of each file that was checked. */
  readonly #ends = new Map<FilePlace, BlockRef>();

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

  /** Returns the header of a block; null if no file has it. */
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
   * Yields the files with the blocks of a range, in order. Each file is open while the consumer uses it. The
   * next file is fetched in the meantime, so at most two downloaded files are on disk.
   *
   * @throws InvalidFile, GapBetweenFiles, OverlappingFiles, NoReceipts
   */
  async *files(from: number, to: number, signal: AbortSignal): AsyncGenerator<CheckedFile> {
    const first = this.#places.findLastIndex(({ firstBlock }) => firstBlock <= from);
    let expected = from;
    for (let i = first; i < this.#places.length && expected <= to; i++) {
      const place = this.#places[i];
      if (place === undefined) throw new GapBetweenFiles(from, "the files given");
      const checked = await this.#open(place, signal);
      const ahead = fetchAhead(checked.file.lastBlock < to ? this.#places[i + 1] : undefined, signal);
      try {
        requireBegin(checked.file, expected, i === first);
        this.#requireFollows(checked, this.#places[i - 1]);
        yield checked;
        await ahead.done;
      } finally {
        ahead.stop();
        await checked.file.close();
        await ahead.done;
      }
      expected = checked.file.lastBlock + 1;
      await place.release();
    }
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

  /**
   * Checks that a file continues the previous one. A file that an earlier pass checked must still be the
   * same, because the proof of that pass holds only for that file.
   */
  #requireFollows({ file, place, headers }: CheckedFile, placeBefore: FilePlace | undefined): void {
    const before = placeBefore && this.#ends.get(placeBefore);
    if (before !== undefined && before.number >= file.firstBlock) throw new OverlappingFiles(file);
    if (before?.number === file.firstBlock - 1 && before.hash !== headers.first.parentHash) {
      const problem = notChild(headers.first.parentHash, before);
      throw new InvalidFile(file.name, `block ${file.firstBlock}`, problem);
    }
    const known = this.#ends.get(place);
    if (known !== undefined && (known.number !== headers.last.number || known.hash !== headers.last.hash))
      throw new InvalidFile(file.name, `block ${known.number}`, REPLACED);
    this.#ends.set(place, headers.last);
  }

  #placeOf(number: number): FilePlace | undefined {
    return this.#places.findLast(({ firstBlock }) => firstBlock <= number);
  }
}

/**
 * Opens a file and checks that it begins with the expected block. The order of the files depends on that
 * block, which may come from the file's name.
 */
async function openPlace(place: FilePlace, signal: AbortSignal): Promise<EraFile> {
  const file = await EraFile.open(await place.path(signal));
  if (file.firstBlock === place.firstBlock) return file;
  await file.close();
  const problem = `the file begins with block ${file.firstBlock}, not ${place.firstBlock}`;
  throw new InvalidFile(place.name, "name", problem);
}

interface Ahead {
  /**
   * Resolves when the file has arrived or cannot be fetched. In the latter case, opening the file throws the
   * error.
   */
  done: Promise<unknown>;
  stop(): void;
}

function fetchAhead(place: FilePlace | undefined, signal: AbortSignal): Ahead {
  const own = new AbortController();
  const done = withAbort([signal, own.signal], async (controller) => place?.path(controller.signal));
  return { done: done.catch(() => {}), stop: () => own.abort() };
}

/**
 * Checks that a file has the expected block. Only the first file of a pass may begin before that block, so no
 * block is read twice.
 */
function requireBegin(file: EraFile, expected: number, isFirst: boolean): void {
  if (file.firstBlock < expected && !isFirst) throw new OverlappingFiles(file);
  if (file.firstBlock > expected || file.lastBlock < expected) throw new GapBetweenFiles(expected, file.name);
}

export const REPLACED = "the file was replaced while it was in use";

function notChild(parentHash: Hex, { number, hash }: BlockRef): string {
  return `its parent hash ${parentHash} is not the hash of block ${number} in the previous file, ${hash}`;
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
    super(
      "bad-config",
      `--files: block ${missing} is missing: no file before ${file} has it. Add the file that does`,
    );
  }
}

class OverlappingFiles extends BaseError {
  constructor({ name, firstBlock }: EraFile) {
    super(
      "bad-config",
      `--files: ${name} begins with block ${firstBlock}, which the previous file also has. Give each block only once`,
    );
  }
}
