/** A piece of a file. Its bytes are valid only until the next piece is read. */
export interface Piece {
  bytes: Uint8Array;
  /** Whether the file ends with this piece. */
  isLast: boolean;
}

/**
 * Reads a file in pieces. The caller provides a buffer for each piece. The size of the buffer determines the
 * size of the piece.
 */
export class PieceReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  /** Bytes that were read but are not part of a piece yet. */
  #rest: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Fills the buffer and returns it as a piece. Only the last piece may be shorter than its buffer. */
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

  /** Stops reading the file. */
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
