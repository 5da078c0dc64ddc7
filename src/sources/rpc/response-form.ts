import { BaseError } from "../../lib/error.ts";

/** Limits on the parts of a JSON response. A few bytes may describe a list, which takes far more memory. */
interface ResponseForm {
  /** Maximum number of values in all lists and objects. */
  values: number;
  /** Maximum depth of nested lists and objects. */
  depth: number;
}

/**
 * Real blocks have one value per 50 bytes or more, so 100 MB of them have fewer values. Their lists are nested
 * eight deep at most.
 */
const RESPONSE_FORM: ResponseForm = { values: 2_000_000, depth: 64 };

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Checks in one pass, before a response is parsed, that it does not have too many parts: a small compressed
 * response could otherwise use up the memory, and a deeply nested one the stack of the code that reads it.
 * Each opening bracket and each comma counts as a value. The parser then checks whether the text is JSON.
 *
 * @throws TooManyParts
 */
export function requireResponseForm(text: string, form = RESPONSE_FORM): void {
  let [values, depth] = [1, 0];
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i);
        break;
      case COMMA:
        values++;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        values++;
        if (++depth > form.depth) throw new TooManyParts(`more than ${form.depth} levels`);
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
        break;
    }
    if (values > form.values) throw new TooManyParts(`more than ${form.values} values`);
  }
}

/** Returns the index of the closing quote of a string; the length of the text if there is none. */
function endOfString(text: string, start: number): number {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
  } while (end !== -1 && isEscaped(text, end));
  return end === -1 ? text.length : end;
}

/** Returns whether an odd number of backslashes precedes a character. */
function isEscaped(text: string, at: number): boolean {
  let i = at - 1;
  while (text.charCodeAt(i) === BACKSLASH) i--;
  return (at - i) % 2 === 0;
}

/** The response is too large or too deep for any block. */
class TooManyParts extends BaseError {
  constructor(excess: string) {
    super("too-large", `the response has ${excess}`, { retryable: true });
  }
}
