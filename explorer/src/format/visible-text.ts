/**
 * Invisible characters that change how a string looks: control and format characters (zero-width, writing
 * direction, tags), line separators, and blank characters that count as letters. Does not match a joiner
 * within an emoji, because it is part of the emoji.
 */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic}\uFE0F?)\u200D(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115F\u1160\u2800\u3164\uFFA0]/gu;

/** Escapes the hidden characters in a string from the chain, so that different names look different. */
export function visibleText(text: string): string {
  return text.replaceAll(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16).toUpperCase().padStart(4, "0")}}`;
  });
}
