import { HttpError } from "../errors/errors.ts";

/** Limits on the parts of a JSON body: parsing time depends more on their number than on the body's bytes. */
export interface BodyForm {
  /**
   * Maximum number of values: 10,000 addresses, or 100 calls with their parameters, have less than half as
   * many.
   */
  values: number;
  /** Maximum number of fields in all objects. Each distinct name takes about a microsecond. */
  fields: number;
  /** Maximum depth of nested lists and objects. */
  depth: number;
}

export const BODY_FORM: BodyForm = { values: 25_000, fields: 5_000, depth: 32 };

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Checks in one pass over the bytes, before a body is parsed, that it does not have too many parts. Each
 * opening bracket and each comma counts as a value. The parser then checks whether the body is JSON.
 *
 * @param what names the text in the error
 * @throws HttpError 400
 */
export function requireForm(body: Uint8Array, form: BodyForm, what = "body"): void {
  const tooMany = (excess: string) => new TooManyParts(what, excess);
  let [values, fields, depth] = [1, 0, 0];
  for (let i = 0; i < body.length; i++) {
    switch (body[i]) {
      case QUOTE:
        i = endOfString(body, i);
        break;
      case COMMA:
        if (++values > form.values) throw tooMany(`more than ${form.values} values`);
        break;
      case COLON:
        if (++fields > form.fields) throw tooMany(`more than ${form.fields} fields`);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > form.depth) throw tooMany(`more than ${form.depth} levels`);
        if (++values > form.values) throw tooMany(`more than ${form.values} values`);
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
        break;
    }
  }
}

/** Returns the index of the closing quote of a string; past the last byte if there is none. */
function endOfString(body: Uint8Array, start: number): number {
  let i = start + 1;
  while (i < body.length && body[i] !== QUOTE) i += body[i] === BACKSLASH ? 2 : 1;
  return i;
}

class TooManyParts extends HttpError {
  constructor(what: string, excess: string) {
    super(400, `The ${what} has ${excess}, which is not allowed.`);
  }
}
