/** A piece of a file. Its bytes are only valid until the next one is read. */
export interface Piece {
  bytes: Uint8Array;
  /** Whether the file ends with it. */
  isLast: boolean;
}

/** Reads a file in pieces of a size that is chosen for each, into a buffer of the caller. */
export class PieceReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  /** What was read but is not part of a piece yet. */
  #rest: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Fills the buffer, or returns less at the end of the file. */
  async read(buffer: Uint8Array): Promise<Piece> {
    let length = 0;
    while (length < buffer.length && (await this.#hasMore())) {
      const part = this.#rest.subarray(0, buffer.length - length);
      buffer.set(part, length);
      length += part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
    return { bytes: buffer.subarray(0, length), isLast: !(await this.#hasMore()) };
  }

  /** Ends the reading of the file. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  async #hasMore(): Promise<boolean> {
    while (this.#rest.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return false;
      this.#rest = next.value;
    }
    return true;
  }
}
