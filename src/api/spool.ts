import { createReadStream } from "node:fs";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { BaseError } from "../lib/error.ts";

interface SpoolLimits {
  /** Up to here the bytes stay in memory, above they are in a temporary file. */
  memoryBytes: number;
  maxBytes: number;
}

/**
 * Collects an answer before its first byte is sent, in bounded memory. An answer's headers tell how it went
 * (status, truncation, time), so it must have gone before they are sent.
 *
 * @throws AnswerTooLarge, and what `pieces` throws
 */
export async function spool(pieces: AsyncIterable<Uint8Array>, limits: SpoolLimits): Promise<Readable> {
  const kept: Uint8Array[] = [];
  let file: TemporaryFile | undefined;
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > limits.maxBytes) throw new AnswerTooLarge(limits.maxBytes);
      if (file === undefined && bytes <= limits.memoryBytes) {
        kept.push(piece);
        continue;
      }
      file ??= await TemporaryFile.create();
      await file.append(kept.splice(0), piece);
    }
  } catch (error) {
    await file?.remove();
    throw error;
  }
  return file === undefined ? Readable.from([Buffer.concat(kept)], { objectMode: false }) : file.read();
}

class TemporaryFile {
  readonly #folder: string;
  readonly #handle: FileHandle;

  constructor(folder: string, handle: FileHandle) {
    this.#folder = folder;
    this.#handle = handle;
  }

  static async create(): Promise<TemporaryFile> {
    const folder = await mkdtemp(join(tmpdir(), "quarry-answer-"));
    return new TemporaryFile(folder, await open(join(folder, "answer"), "wx", 0o600));
  }

  async append(before: Uint8Array[], piece: Uint8Array): Promise<void> {
    await this.#handle.appendFile(Buffer.concat([...before, piece]));
  }

  /** The whole file; it is gone when the stream is closed, read or not. */
  async read(): Promise<Readable> {
    await this.#handle.close();
    const stream = createReadStream(join(this.#folder, "answer"));
    stream.once("close", () => void rm(this.#folder, { recursive: true, force: true }));
    return stream;
  }

  async remove(): Promise<void> {
    await this.#handle.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

class AnswerTooLarge extends BaseError {
  constructor(maxBytes: number) {
    super(
      "too-large",
      `The answer is larger than ${Math.round(maxBytes / 2 ** 20)} MiB. Select fewer columns or set a lower LIMIT.`,
    );
  }
}
