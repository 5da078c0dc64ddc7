/**
 * Length in characters below which a string is copied into each frame, because a separate piece would cost
 * more.
 */
const PIECE_LENGTH = 2_048;

const COMMA = Buffer.from(",");

/** One JSON value, encoded once for all frames that contain it. */
export class SharedValue {
  readonly text: string;
  #bytes: Buffer | null = null;

  constructor(text: string) {
    this.text = text;
  }

  /** The text as UTF-8. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.text);
    return this.#bytes;
  }
}

/**
 * The JSON values of one subscription in a frame. Frames of all subscribers with an equal subscription share
 * their bytes.
 */
export class SharedValues {
  readonly #values: readonly SharedValue[];
  #text: string | null = null;
  #bytes: Buffer | null = null;
  #isShort: boolean | null = null;

  constructor(values: readonly SharedValue[]) {
    this.#values = values;
  }

  /** Whether the text is short enough to be copied into each frame. */
  get isShort(): boolean {
    this.#isShort ??= this.#values.reduce((sum, { text }) => sum + text.length, 0) < PIECE_LENGTH;
    return this.#isShort;
  }

  /** The values as text, separated by commas. */
  get text(): string {
    this.#text ??= this.#values.map(({ text }) => text).join(",");
    return this.#text;
  }

  /** The text as UTF-8. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.concat(
      this.#values.flatMap(({ bytes }, i) => (i === 0 ? [bytes] : [COMMA, bytes])),
    );
    return this.#bytes;
  }
}

/** The parts of a frame's text, in order. */
export type FrameText = readonly (string | SharedValues)[];

export function textOf(parts: FrameText): string {
  return parts.map((part) => (typeof part === "string" ? part : part.text)).join("");
}

/** Returns the text as UTF-8, in pieces that are written one after another. */
export function bytesOf(parts: FrameText): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let own = "";
  for (const part of parts) {
    if (typeof part === "string") own += part;
    else if (part.isShort) own += part.text;
    else {
      pieces.push(Buffer.from(own), part.bytes);
      own = "";
    }
  }
  return own === "" ? pieces : [...pieces, Buffer.from(own)];
}
