import { didYouMean } from "../../../lib/names/suggestion.ts";
import type { DescribedKind } from "../../../reads/values/value-kind.ts";
import type { ParameterKind } from "../parameter.ts";
import { preview } from "../preview.ts";

/** Makes a kind for any text that is not empty. */
export function text(allowed: string): DescribedKind<string> {
  return {
    allowed: () => allowed,
    parse: (given) => (typeof given === "string" && given.trim() !== "" ? given : undefined),
    schema: { type: "string", minLength: 1 },
  };
}

/** Makes a kind for text of limited length, trimmed. */
export function shortText(min: number, max: number): DescribedKind<string> {
  return {
    allowed: () => `a string of ${min} to ${max} characters`,
    parse(given) {
      const text = typeof given === "string" || typeof given === "number" ? String(given).trim() : "";
      return text.length >= min && text.length <= max ? text : undefined;
    },
    schema: { type: "string", minLength: min, maxLength: max },
  };
}

/** True or false, in any letter case, as JSON or text. */
export const BOOLEAN: DescribedKind<boolean> = {
  allowed: () => "true or false",
  parse(given) {
    const word = typeof given === "string" ? given.trim().toLowerCase() : given;
    return word === true || word === "true" ? true : word === false || word === "false" ? false : undefined;
  },
  schema: { type: "boolean" },
};

/** Prints words as a choice: `a, b or c`. */
export function oneOf(words: readonly string[]): string {
  return words.join(", ").replace(/, ([^,]*)$/, " or $1");
}

/** Makes a kind for one of a few lower-case words, which may be given in any letter case. */
export function choice<const W extends string>(words: readonly W[]): DescribedKind<W> {
  return {
    allowed: () => oneOf(words),
    parse: (given) => words.find((word) => word === wordOf(given)),
    schema: { type: "string", enum: words },
  };
}

/** Makes a kind for the name of one of these columns, in any letter case. */
export function columnName(columns: readonly string[]): ParameterKind<string> {
  return {
    allowed: () => `one of ${columns.join(", ")}`,
    parse(given) {
      const name = wordOf(given);
      return columns.find((column) => column === name);
    },
    fault(given) {
      const suggestion = typeof given === "string" ? didYouMean(given, columns) : "";
      return `${preview(given)}${suggestion.replace(/^; (.*)$/, " ($1)")}`;
    },
    schema: { type: "string", enum: columns },
  };
}

/** The name of a configured chain, in any letter case. */
export const CHAIN: ParameterKind<string> = {
  allowed: (_given, { chains }) => `one of the configured chains: ${chains.join(", ")}`,
  parse(given, { chains }) {
    const name = wordOf(given);
    return chains.includes(name) ? name : undefined;
  },
  schema: { type: "string" },
};

function wordOf(given: unknown): string {
  return typeof given === "string" ? given.trim().toLowerCase() : "";
}

/** A JSON object with any fields. */
export const OBJECT: DescribedKind<Record<string, unknown>> = {
  allowed: () => "a JSON object",
  parse: (given) =>
    typeof given === "object" && given !== null && !Array.isArray(given) ? { ...given } : undefined,
  schema: { type: "object" },
};
