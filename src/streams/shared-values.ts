/** Shorter texts are copied into each frame, which costs less than a piece of their own. */
const PIECE_LENGTH = 2_048;

/** JSON values of one subscription in a frame. Frames of all subscribers with an equal one share their bytes. */
export class SharedValues {
  readonly #values: readonly string[];
  #text: string | null = null;
  #bytes: Buffer | null = null;

  constructor(values: readonly string[]) {
    this.#values = values;
  }

  /** Separated by commas. */
  get text(): string {
    this.#text ??= this.#values.join(",");
    return this.#text;
  }

  /** The same as UTF-8. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.text);
    return this.#bytes;
  }
}

/** The text of a frame, in order. */
export type FrameText = readonly (string | SharedValues)[];

export function textOf(parts: FrameText): string {
  return parts.map((part) => (typeof part === "string" ? part : part.text)).join("");
}

/** The text as UTF-8, in pieces that are written one after another. */
export function bytesOf(parts: FrameText): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let own = "";
  for (const part of parts) {
    if (typeof part === "string" || part.text.length < PIECE_LENGTH) {
      own += typeof part === "string" ? part : part.text;
      continue;
    }
    pieces.push(Buffer.from(own), part.bytes);
    own = "";
  }
  return own === "" ? pieces : [...pieces, Buffer.from(own)];
}
