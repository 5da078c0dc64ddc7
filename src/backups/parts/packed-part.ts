import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { BaseError } from "../../lib/error.ts";
import type { PartFile, PartFiles } from "./part-files.ts";

/**
 * A part is stored as one file, because object stores charge for each request. The file begins with a line of
 * JSON that lists the part's files. Their contents follow in that order.
 */
const header = z.strictObject({
  files: z.array(z.tuple([z.string(), z.int().min(0)])),
});

/** Maximum length of the first line: enough to list 40,000 files. Real parts have a few hundred files. */
const MAX_HEADER_BYTES = 4 * 1024 ** 2;

const READ_BYTES = 1024 ** 2;
const NEWLINE = 10;

/** Returns the size of the packed part. */
export function packedBytes(part: PartFiles): number {
  return headerOf(part).length + part.bytes;
}

/** Packs a part. @throws ChangedPart */
export async function* packPart(part: PartFiles): AsyncGenerator<Uint8Array> {
  yield headerOf(part);
  for (const { path, bytes } of part.files) {
    let read = 0;
    for await (const chunk of createReadStream(join(part.folder, path), { highWaterMark: READ_BYTES })) {
      read += chunk.length;
      yield chunk;
    }
    if (read !== bytes) throw new ChangedPart(join(part.folder, path));
  }
}

function headerOf({ files }: PartFiles): Buffer {
  return Buffer.from(`${JSON.stringify({ files: files.map(({ path, bytes }) => [path, bytes]) })}\n`);
}

/**
 * Writes the files of a packed part into a folder.
 *
 * @throws InvalidPart
 */
export async function unpackPart(chunks: AsyncIterable<Uint8Array>, folder: string): Promise<void> {
  const reader = new PackedReader(chunks);
  try {
    for (const file of filesIn(await reader.line())) await writeFileOf(reader, folder, file);
    if ((await reader.next(1)) !== null) throw new InvalidPart();
  } finally {
    await reader.close();
  }
}

async function writeFileOf(reader: PackedReader, folder: string, { path, bytes }: PartFile): Promise<void> {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true });
  const handle = await open(target, "wx");
  try {
    for (let left = bytes; left > 0; ) {
      const piece = await reader.next(left);
      if (piece === null) throw new InvalidPart();
      await handle.writeFile(piece);
      left -= piece.length;
    }
  } finally {
    await handle.close();
  }
}

/**
 * Matches the path of a file of a part, or of one of its projections. Any other path could lead out of the
 * folder.
 */
const FILE_PATH = /^[\w%-][\w%.-]*(\/[\w%-][\w%.-]*)?$/;

function filesIn(line: string): PartFile[] {
  try {
    const { files } = header.parse(JSON.parse(line));
    const listed = files.map(([path, bytes]) => ({ path, bytes }));
    if (listed.every(({ path }) => FILE_PATH.test(path))) return listed;
  } catch {
    // The list is damaged.
  }
  throw new InvalidPart();
}

/** Reads a stream in pieces of a limited size. */
class PackedReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Returns up to `most` bytes; null at the end. */
  async next(most: number): Promise<Uint8Array | null> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done === true) return null;
      this.#rest = value;
    }
    const piece = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(piece.length);
    return piece;
  }

  async line(): Promise<string> {
    const pieces: Uint8Array[] = [];
    for (let length = 0; length <= MAX_HEADER_BYTES; ) {
      const piece = await this.next(READ_BYTES);
      if (piece === null) break;
      const end = piece.indexOf(NEWLINE);
      pieces.push(end === -1 ? piece : piece.subarray(0, end));
      length += piece.length;
      if (end === -1) continue;
      this.#rest = Buffer.concat([piece.subarray(end + 1), this.#rest]);
      return Buffer.concat(pieces).toString();
    }
    throw new InvalidPart();
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}

/** The content is not a valid packed part. */
export class InvalidPart extends BaseError {
  constructor() {
    super("verification", "A file of the backup is damaged: it does not hold a part of a table.");
  }
}

class ChangedPart extends BaseError {
  constructor(path: string) {
    super("internal", `${path} changed while it was being copied, but parts of tables never change.`);
  }
}
