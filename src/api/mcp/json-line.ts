/**
 * Characters that are invisible, change the writing direction, or end the text in which a client wraps an
 * answer. Anyone can put them into the name of a token, with instructions for the model that reads it.
 */
const MISLEADING = /[<>\u007f-\u009f\p{DI}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu;

/** Prints JSON in which these characters are escaped. It still parses to the same value. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(MISLEADING, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
