import type { Sql } from "../../engine-sql/sql-text.ts";

/**
 * A kind of value that clients send. Values are checked, converted to canonical form and described only here.
 */
export interface ValueKind<T> {
  /** Completes "expected ..." in the error message for a value of the wrong kind. */
  allowed(given: unknown): string;
  /**
   * Returns the canonical value; undefined if the given value is of the wrong kind. Text is accepted for
   * every kind, as in a URL.
   */
  parse(given: unknown): T | undefined;
}

/** A kind of value that OpenAPI describes. */
export interface DescribedKind<T> extends ValueKind<T> {
  /** JSON schema of the canonical form. */
  schema: Record<string, unknown>;
}

/**
 * A column's value in the form in which `String` prints it in an answer: hex in lower case, numbers in
 * shortest form, times in unix seconds.
 */
export type CanonicalValue = string;

/** A kind of value that columns hold. */
export interface StoredKind<T extends CanonicalValue = CanonicalValue> extends ValueKind<T> {
  /** Prints the values as one array of the engine's type. */
  print(values: readonly CanonicalValue[]): Sql;
}

/** Returns the text of a value from JSON or a URL; undefined for anything but text and numbers. */
export function textOf(given: unknown): string | undefined {
  return typeof given === "string" || typeof given === "number" ? String(given) : undefined;
}
