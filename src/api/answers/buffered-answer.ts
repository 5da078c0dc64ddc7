import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { BaseError } from "../../lib/error.ts";
import type { ApiLimits } from "../admission/limits.ts";

type SpoolLimits = Pick<ApiLimits, "answerMemoryBytes" | "answerBytes">;

/** What is written to the file, and read from it, at once: every call waits for a thread and a turn. */
const CHUNK_BYTES = 1024 * 1024;

let heldBytes = 0;

/** What the answers of this process hold in memory, those included that their clients take slowly. */
export function heldAnswerBytes(): number {
  return heldBytes;
}

/**
 * Collects an answer before its first byte is sent, in bounded memory; what does not fit waits in a temporary file. An
 * answer's headers tell how it went (status, truncation, time), so it must have gone before they are sent.
 *
 * @throws AnswerTooLarge, and what `pieces` throws
 */
export async function spool(pieces: AsyncIterable<Uint8Array>, limits: SpoolLimits): Promise<SpooledAnswer> {
  const answer = new SpooledAnswer(limits.answerMemoryBytes);
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

/** An answer's beginning in memory, and the rest in a file. */
export class SpooledAnswer extends Readable {
  /** Of all answers together. */
  readonly #memoryBytes: number;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #file: FileHandle | undefined;
  /** What is on its way to the file; the next pieces come meanwhile. */
  #writing: Promise<void> = Promise.resolve();
  #unwritten: Uint8Array[] = [];
  #unwrittenBytes = 0;
  #fileBytesRead = 0;
  #bytes = 0;

  constructor(memoryBytes: number) {
    super({ highWaterMark: CHUNK_BYTES });
    this.#memoryBytes = memoryBytes;
  }

  /** All that were added. */
  get bytes(): number {
    return this.#bytes;
  }

  async add(piece: Uint8Array): Promise<void> {
    this.#bytes += piece.length;
    if (this.#hasRoom(piece.length)) {
      this.#held.push(piece);
      this.#heldBytes += piece.length;
      heldBytes += piece.length;
      return;
    }
    this.#unwritten.push(piece);
    this.#unwrittenBytes += piece.length;
    if (this.#unwrittenBytes >= Math.min(CHUNK_BYTES, this.#memoryBytes)) await this.#write();
  }

  async complete(): Promise<void> {
    if (this.#unwrittenBytes > 0) await this.#write();
    await this.#writing;
    if (this.#held.length > 1 && this.#heldBytes <= CHUNK_BYTES) this.#held = [Buffer.concat(this.#held)];
  }

  discard(): Promise<void> {
    return new Promise((resolve) => void this.once("close", resolve).destroy());
  }

  /** Half of what the others leave: so there is room for the next one, however large this one is. */
  #hasRoom(bytes: number): boolean {
    if (this.#file !== undefined || this.#unwrittenBytes > 0) return false;
    const others = heldBytes - this.#heldBytes;
    return this.#heldBytes + bytes <= (this.#memoryBytes - others) / 2;
  }

  async #write(): Promise<void> {
    const [first = EMPTY, ...more] = this.#unwritten;
    const chunk = more.length === 0 ? first : Buffer.concat(this.#unwritten);
    this.#unwritten = [];
    this.#unwrittenBytes = 0;
    this.#file ??= await openNamelessFile();
    await this.#writing;
    this.#writing = this.#file.appendFile(chunk);
    // It is awaited with the next chunk, or at the end; until then it is no unhandled failure.
    this.#writing.catch(() => {});
  }

  override _read(): void {
    const piece = this.#held.shift();
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
    this.#held = [];
    this.#release(this.#heldBytes);
    // A handle closes when what it works on is done.
    const closed = this.#file?.close() ?? Promise.resolve();
    closed.then(() => done(error), done);
  }

  #release(bytes: number): void {
    this.#heldBytes -= bytes;
    heldBytes -= bytes;
  }
}

const EMPTY = new Uint8Array();

/** A file that has lost its name already: it is gone when it is closed, however the process ends. */
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
      `The answer is larger than ${Math.round(maxBytes / 2 ** 20)} MiB. Ask for fewer columns, or set a lower LIMIT or size.`,
    );
  }
}
