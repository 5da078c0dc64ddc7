import { createHash } from "node:crypto";

/**
 * Returns a hash of a request's work, without the values that hardly change its cost. It covers the endpoint,
 * the names of the parameters, the magnitudes of numbers and of the lengths of lists, and strings without
 * their literals.
 */
export function workKind(endpoint: string, values: Record<string, unknown>): string {
  const parts = Object.entries(values).map(([name, value]) => `${name} ${formOf(value)}`);
  return createHash("sha256")
    .update([endpoint, ...parts].join("\n"))
    .digest("base64url");
}

function formOf(value: unknown): string {
  if (Array.isArray(value)) return `list ${magnitude(value.length)}`;
  if (typeof value === "number") return `number ${magnitude(value)}`;
  return typeof value === "string" ? withoutLiterals(value) : String(value);
}

/**
 * Returns the number of binary digits: a factor of two hardly changes the tier to which a request belongs.
 */
function magnitude(value: number): number {
  return Math.ceil(Math.log2(Math.abs(value) + 1));
}

const LITERAL = /'[^']*'|\b0x[0-9a-f]+|\d+(?:\.\d+)?/gi;
const LIST = /\?(?:[\s,]*\?)+/g;

function withoutLiterals(text: string): string {
  return text.replace(LITERAL, "?").replace(LIST, "?");
}
