const escaped = (character: string) => character.replace(/[\\^$.*+?()[\]{}|/]/u, "\\$&");

/**
 * Converts a LIKE pattern to a regular expression. `%` matches any text, and `_` matches one character. A
 * character after the escape sign is literal.
 */
export function likePattern(pattern: string, escapeSign: string | undefined): RegExp {
  const characters = [...pattern];
  let source = "";
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? "";
    if (character === escapeSign) source += escaped(characters[++i] ?? "");
    else source += character === "%" ? ".*" : character === "_" ? "." : escaped(character);
  }
  return new RegExp(`^(?:${source})$`, "su");
}

const CLASSES = new Set([..."dwsDWStnr"]);

/** Converts a regular expression of the dialect to JavaScript's. It must match the whole text. */
export function wholePattern(pattern: string, flags: string): RegExp {
  const characters = [...pattern];
  let [source, inSet] = ["", false];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? "";
    if (character === "\\") source += afterBackslash(characters[++i] ?? "", inSet);
    else source += inSet ? inSetSign(character) : outsideSign(character, characters.slice(i).join(""));
    inSet = character === "[" ? true : character === "]" ? false : inSet;
  }
  return new RegExp(`^(?:${source})$`, `su${flags}`);
}

const BLANKS = "\\t\\n\\f\\r ";

function afterBackslash(character: string, inSet: boolean): string {
  if (character === "-" && inSet) return "\\-";
  if (character === "s") return inSet ? BLANKS : `[${BLANKS}]`;
  if (character === "S" && !inSet) return `[^${BLANKS}]`;
  return CLASSES.has(character) ? `\\${character}` : escaped(character);
}

const inSetSign = (character: string) => (character === "[" ? "\\[" : character);

/** Converts a character outside a set. A brace that is not part of a count is literal. */
function outsideSign(character: string, rest: string): string {
  if (character === "{") return /^\{\d+(,\d*)?\}/.test(rest) ? "{" : "\\{";
  return character === "]" ? "\\]" : character;
}
