/**
 * Escapes control characters and those that change the writing direction: the text may come from contracts
 * that anyone can deploy.
 */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return ESCAPES[character] ?? `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/**
 * Like `printable`, but keeps line breaks. For messages, which may contain the names of files and chains from
 * an untrusted source.
 */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const ESCAPES: { [character: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
