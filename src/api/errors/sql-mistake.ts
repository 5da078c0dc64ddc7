import { z } from "zod";
import type { SqlError } from "../../sql/syntax/sql-error.ts";

/** The position of a mistake in a query, for editors; the message of the error explains it to people. */
export const SQL_MISTAKE = z.strictObject({
  line: z.int().describe("from 1"),
  column: z.int().describe("from 1, in UTF-16 units"),
  offset: z.int().describe("position in the query, from 0, in UTF-16 units"),
  length: z.int().describe("length of the wrong part, in UTF-16 units; 0: the whole query, or its end"),
  expected: z.string().nullable().describe("what was expected there; null if not applicable"),
  found: z.string().nullable().describe("what was found there; null if not applicable"),
  suggestion: z.string().nullable().describe("replacement; null if there is no similar name"),
});

/** Returns the mistake as headers, because the body of an error holds only its message. */
export function mistakeHeaders({ at, hint }: SqlError): Record<string, string> {
  const { expected, found, suggestion } = hint;
  const mistake: z.infer<typeof SQL_MISTAKE> = {
    ...at,
    expected: bounded(expected),
    found: bounded(found),
    suggestion: bounded(suggestion),
  };
  return { "x-sql-error": asciiJson(mistake) };
}

/** Maximum number of characters of each text: proxies reject headers of more than a few kilobytes. */
const MAX_TEXT = 200;

function bounded(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** Prints JSON in ASCII, for a header. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
