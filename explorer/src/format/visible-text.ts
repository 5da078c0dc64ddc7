/**
 * Characters that change how a text looks without being visible: control and format characters (zero-width,
 * direction of writing, tags), line separators, and blanks that count as letters. A joiner within an emoji
 * is part of it.
 */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic}\uFE0F?)\u200D(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115F\u1160\u2800\u3164\uFFA0]/gu;

/** A text from the chain with hidden characters escaped, so that different names look different. */
export function visibleText(text: string): string {
  return text.replaceAll(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16).toUpperCase().padStart(4, "0")}}`;
  });
}
