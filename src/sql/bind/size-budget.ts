import { type CheckedExpression, sizeOf } from "../expressions/checked-expression.ts";
import { textCost } from "../expressions/text-cost.ts";
import { type Position, SqlError } from "../syntax/sql-error.ts";

/**
 * Maximum time for which patterns and searches read the strings of a row, in nanoseconds. In a table's small
 * parts, the engine can be stopped only after a granule of 1,024 rows, so at this maximum it reacts within a
 * few seconds.
 */
const MOST_SCAN_NS = 3e6;
/**
 * Maximum time of all string functions for a row, in nanoseconds. It is higher than MOST_SCAN_NS, because the
 * estimate for functions that only copy is several times the usual time, and a computed string of unknown
 * length counts as 1 MB.
 */
const MOST_TEXT_NS = 100e6;
/** Ratio of the estimated time of functions that only copy to their usual time. */
const COPYING_FACTOR = 5;
/**
 * Maximum time for values that are the same for every row, in nanoseconds. The engine computes them before
 * the first row, sometimes twice, and cannot be stopped during that time.
 */
const MOST_CONSTANT_NS = 1e9;

/**
 * Adds up the size of a query's expressions while its clauses are bound. The parser limits the client's text,
 * but one word of it may be an alias for a whole expression.
 */
export class SizeBudget {
  readonly #most: number;
  #size = 0;
  #scanNs = 0;
  #textNs = 0;
  #constantNs = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Adds an expression and returns it. Throws SqlError if the total is too large. */
  added(value: CheckedExpression, at: Position): CheckedExpression {
    this.#size += sizeOf(value);
    if (this.#size > this.#most) throw new SqlError(at, `the query ${tooLarge(this.#most)}`);
    const { scanNs, textNs, constantNs } = textCost(value);
    this.#scanNs += scanNs;
    this.#textNs += textNs;
    this.#constantNs += constantNs;
    requireLittleText(at, this.#scanNs, MOST_SCAN_NS);
    requireLittleText(at, this.#textNs, MOST_TEXT_NS);
    requireLittleText(at, this.#constantNs, MOST_CONSTANT_NS);
    return value;
  }

  /** Number of nodes so far. */
  get size(): number {
    return this.#size;
  }

  /** Usual time to process a row, in nanoseconds. */
  get usualNs(): number {
    return Math.max(this.#scanNs, this.#textNs / COPYING_FACTOR);
  }

  /** Usual time to copy the strings of a row, in nanoseconds. It grows with the memory that they take. */
  get copyNs(): number {
    return (this.#textNs - this.#scanNs) / COPYING_FACTOR;
  }

  get constantNs(): number {
    return this.#constantNs;
  }
}

function requireLittleText(at: Position, neededNs: number, mostNs: number): void {
  if (neededNs <= mostNs) return;
  const [needed, most] = [neededNs, mostNs].map((ns) => Math.ceil(ns / 1e5) / 10);
  throw new SqlError(
    at,
    `patterns, searches and functions may have to read too much text: up to ${needed} ms for one row, ` +
      `above the maximum of ${most} ms; shorten the text with LEFT, or use a pattern with fewer counts after * or +`,
  );
}

/** Returns the end of an error message about size. */
export function tooLarge(nodes: number): string {
  return `has more than ${nodes} names, values and operations, with its aliases written out`;
}
