/** A body that is already JSON. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** Makes an array of items that are already JSON. */
  static list(items: readonly string[]): JsonText {
    return new JsonText(`[${items.join(",")}]`);
  }
}

export function jsonOf(body: unknown): string {
  return body instanceof JsonText ? body.text : JSON.stringify(body);
}

/** Prints immutable objects once: most parts of an answer are the same from one request to the next. */
export class JsonCache<K extends object> {
  readonly #texts = new WeakMap<K, string>();

  /** @param isFinal called after `print`; returns whether the text may be kept */
  textOf(object: K | null, print: () => unknown, isFinal: () => boolean): string {
    const known = object === null ? undefined : this.#texts.get(object);
    if (known !== undefined) return known;
    const text = JSON.stringify(print());
    if (object !== null && isFinal()) this.#texts.set(object, text);
    return text;
  }
}
