import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { BaseError } from "../../lib/error.ts";
import type { ApiLimits } from "../admission/limits.ts";

type BufferLimits = Pick<ApiLimits, "answerMemoryBytes" | "answerBytes">;

/** Bytes of one write or read of the file: every call waits for a thread. */
const CHUNK_BYTES = 1024 * 1024;

let totalBytes = 0;

/**
 * Bytes that the answers of this process hold in memory, including answers that their clients read slowly.
 */
export function bufferedBytes(): number {
  return totalBytes;
}

/**
 * Collects an answer before its first byte is sent, in bounded memory; the rest goes into a temporary file.
 * An answer's headers report its outcome (status, truncation, time), so the outcome must be known before they
 * are sent.
 *
 * @throws AnswerTooLarge, and what `pieces` throws
 */
export async function bufferAnswer(
  pieces: AsyncIterable<Uint8Array>,
  limits: BufferLimits,
): Promise<BufferedAnswer> {
  const answer = new BufferedAnswer(limits.answerMemoryBytes);
  try {
    for await (const piece of pieces) {
      if (answer.bytes + piece.length > limits.answerBytes) throw new AnswerTooLarge(limits.answerBytes);
      await answer.add(piece);
    }
    await answer.complete();
  } catch (error) {
    await answer.discard();
    throw error;
  }
  return answer;
}

/** An answer whose start is in memory and whose rest is in a file. */
export class BufferedAnswer extends Readable {
  /** Limit of all answers together. */
  readonly #memoryBytes: number;
  #buffered: Uint8Array[] = [];
  #bufferedBytes = 0;
  #file: FileHandle | undefined;
  /** The current write to the file; the next pieces are collected in the meantime. */
  #writing: Promise<void> = Promise.resolve();
  #unwritten: Uint8Array[] = [];
  #unwrittenBytes = 0;
  #fileBytesRead = 0;
  #bytes = 0;

  constructor(memoryBytes: number) {
    super({ highWaterMark: CHUNK_BYTES });
    this.#memoryBytes = memoryBytes;
  }

  /** Bytes added so far. */
  get bytes(): number {
    return this.#bytes;
  }

  async add(piece: Uint8Array): Promise<void> {
    this.#bytes += piece.length;
    if (this.#hasRoom(piece.length)) {
      this.#buffered.push(piece);
      this.#bufferedBytes += piece.length;
      totalBytes += piece.length;
      return;
    }
    this.#unwritten.push(piece);
    this.#unwrittenBytes += piece.length;
    if (this.#unwrittenBytes >= Math.min(CHUNK_BYTES, this.#memoryBytes)) await this.#write();
  }

  async complete(): Promise<void> {
    if (this.#unwrittenBytes > 0) await this.#write();
    await this.#writing;
    if (this.#buffered.length > 1 && this.#bufferedBytes <= CHUNK_BYTES)
      this.#buffered = [Buffer.concat(this.#buffered)];
  }

  discard(): Promise<void> {
    return new Promise((resolve) => void this.once("close", resolve).destroy());
  }

  /** An answer may take half of the free memory, which leaves room for the next one. */
  #hasRoom(bytes: number): boolean {
    if (this.#file !== undefined || this.#unwrittenBytes > 0) return false;
    const others = totalBytes - this.#bufferedBytes;
    return this.#bufferedBytes + bytes <= (this.#memoryBytes - others) / 2;
  }

  async #write(): Promise<void> {
    const [first = EMPTY, ...more] = this.#unwritten;
    const chunk = more.length === 0 ? first : Buffer.concat(this.#unwritten);
    this.#unwritten = [];
    this.#unwrittenBytes = 0;
    this.#file ??= await openNamelessFile();
    await this.#writing;
    this.#writing = this.#file.appendFile(chunk);
    // The next write or complete() awaits it; until then it must not be an unhandled rejection.
    this.#writing.catch(() => {});
  }

  override _read(): void {
    const piece = this.#buffered.shift();
    if (piece !== undefined) {
      this.#release(piece.length);
      this.push(piece);
    } else if (this.#file === undefined) {
      this.push(null);
    } else {
      this.#readFile(this.#file).catch((error) => this.destroy(error));
    }
  }

  async #readFile(file: FileHandle): Promise<void> {
    const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    const { bytesRead } = await file.read(chunk, 0, chunk.length, this.#fileBytesRead);
    this.#fileBytesRead += bytesRead;
    this.push(bytesRead === 0 ? null : chunk.subarray(0, bytesRead));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#buffered = [];
    this.#release(this.#bufferedBytes);
    // The handle closes after pending reads and writes.
    const closed = this.#file?.close() ?? Promise.resolve();
    closed.then(() => done(error), done);
  }

  #release(bytes: number): void {
    this.#bufferedBytes -= bytes;
    totalBytes -= bytes;
  }
}

const EMPTY = new Uint8Array();

/** Opens a temporary file and unlinks it: the system deletes it on close, however the process ends. */
async function openNamelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "quarry-answer-"));
  try {
    return await open(join(folder, "answer"), "wx+", 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

class AnswerTooLarge extends BaseError {
  constructor(maxBytes: number) {
    super(
      "too-large",
      `The answer is larger than ${Math.round(maxBytes / 2 ** 20)} MiB. Request fewer columns, or set a lower LIMIT or size.`,
    );
  }
}
