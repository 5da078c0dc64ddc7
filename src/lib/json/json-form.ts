/**
 * Limits on the parts of a JSON text. The time and memory for parsing depend more on them than on its length.
 */
export interface JsonForm {
  /** Maximum number of values in all lists and objects. Each opening bracket and each comma counts as one. */
  values: number;
  /** Maximum number of fields in all objects. */
  fields: number;
  /** Maximum depth of nested lists and objects. */
  depth: number;
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns the limit that a text exceeds, e.g. `more than 32 levels`; null if it exceeds none. Reads the text
 * once, before it is parsed. The parser then checks whether it is JSON.
 */
export function excessOf(text: string, form: JsonForm): string | null {
  let [values, fields, depth] = [1, 0, 0];
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i);
        break;
      case COMMA:
        if (++values > form.values) return `more than ${form.values} values`;
        break;
      case COLON:
        if (++fields > form.fields) return `more than ${form.fields} fields`;
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (++depth > form.depth) return `more than ${form.depth} levels`;
        if (++values > form.values) return `more than ${form.values} values`;
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
        break;
    }
  }
  return null;
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
