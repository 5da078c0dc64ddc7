import { HttpError } from "../errors/errors.ts";

/** What a JSON body may consist of. Parsing takes time for each value and field, more than for their bytes. */
export interface BodyForm {
  /** Values and fields in all: 10,000 addresses, or 100 calls with their parameters, are less than half. */
  values: number;
  /** Fields of all objects: different names take about a microsecond each. */
  fields: number;
  /** Levels of nested lists and objects. */
  depth: number;
}

export const BODY_FORM: BodyForm = { values: 25_000, fields: 5_000, depth: 32 };

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Checks in one pass over the bytes, before a body is parsed, that it does not consist of too many parts. An
 * opening bracket and a comma count as a value each. Whether the body is JSON at all is left to the parser.
 *
 * @throws HttpError 400
 */
export function requireForm(body: Uint8Array, form: BodyForm): void {
  let [values, fields, depth] = [1, 0, 0];
  for (let i = 0; i < body.length; i++) {
    switch (body[i]) {
      case QUOTE:
        i = endOfString(body, i);
        break;
      case COMMA:
        if (++values > form.values) throw new TooManyParts(`more than ${form.values} values`);
        break;
      case COLON:
        if (++fields > form.fields) throw new TooManyParts(`more than ${form.fields} fields`);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > form.depth) throw new TooManyParts(`more than ${form.depth} levels`);
        if (++values > form.values) throw new TooManyParts(`more than ${form.values} values`);
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
        break;
    }
  }
}

/** Index of the quote that ends the string; past the last byte if none does. */
function endOfString(body: Uint8Array, start: number): number {
  let i = start + 1;
  while (i < body.length && body[i] !== QUOTE) i += body[i] === BACKSLASH ? 2 : 1;
  return i;
}

class TooManyParts extends HttpError {
  constructor(excess: string) {
    super(400, `The body has ${excess}, which is not allowed.`);
  }
}
