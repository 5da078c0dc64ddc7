import { createReadStream } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { fairShare } from "../../../lib/queues/fair-share.ts";

/** Size of the pieces that are read from files. */
const READ_BYTES = 256 * 1024;

/** The memory that all answers share. */
export class AnswerMemory {
  readonly #bytes: number;
  #used = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  get used(): number {
    return this.#used;
  }

  /**
   * Takes memory for an answer that already has some, or returns false. An answer may have half of what others
   * leave.
   */
  take(bytes: number, own: number): boolean {
    if (own + bytes > fairShare(this.#used - own, this.#bytes)) return false;
    this.#used += bytes;
    return true;
  }

  free(bytes: number): void {
    this.#used -= bytes;
  }
}

/**
 * A complete answer of the engine that its client has yet to read. Its start is in memory, if there is room,
 * and the rest is in a file: most answers need no file, which would be written, read and removed by other
 * threads.
 */
export class ReceivedAnswer {
  readonly #path: string;
  readonly #memory: AnswerMemory;
  #pieces: Uint8Array[] = [];
  #heldBytes = 0;
  #file: FileHandle | null = null;

  /** @param path the file, which does not exist yet */
  constructor(path: string, memory: AnswerMemory) {
    this.#path = path;
    this.#memory = memory;
  }

  async receive(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const piece of pieces) await this.#add(piece);
    } finally {
      await this.#file?.close();
    }
  }

  /** Reads the answer once, and then discards it. */
  async *read(): AsyncGenerator<Uint8Array> {
    try {
      const pieces = this.#pieces;
      this.#pieces = [];
      for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) {
        yield piece;
        this.#free(sizeOf(piece));
      }
      if (this.#file !== null) yield* createReadStream(this.#path, { highWaterMark: READ_BYTES });
    } finally {
      await this.discard();
    }
  }

  async discard(): Promise<void> {
    this.#pieces = [];
    this.#free(this.#heldBytes);
    if (this.#file !== null) await rm(this.#path, { force: true });
  }

  async #add(piece: Uint8Array): Promise<void> {
    if (this.#file === null && this.#memory.take(sizeOf(piece), this.#heldBytes)) {
      this.#heldBytes += sizeOf(piece);
      this.#pieces.push(piece);
      return;
    }
    this.#file ??= await open(this.#path, "wx");
    await this.#file.writeFile(piece);
  }

  #free(bytes: number): void {
    this.#heldBytes -= bytes;
    this.#memory.free(bytes);
  }
}

/** A piece may be a small part of its memory. */
function sizeOf(piece: Uint8Array): number {
  return piece.buffer.byteLength;
}
