import { type CheckedExpression, sizeOf } from "../expressions/checked-expression.ts";
import { textCost } from "../expressions/text-cost.ts";
import { type Position, SqlError } from "../syntax/sql-error.ts";

/**
 * The engine computes at least a granule of 1,024 rows before it can be stopped, so with this time for each
 * row it reacts within about three seconds.
 */
const MOST_SCAN_NS = 3e6;
/**
 * Anything that is the same for every row is computed before the first row, sometimes twice, and cannot be
 * stopped.
 */
const MOST_CONSTANT_NS = 1e9;

/**
 * The size of a query's expressions so far. The parser limits the client's text, but an alias is one word for
 * a whole expression, so the size is added up while the clauses are bound.
 */
export class SizeBudget {
  readonly #most: number;
  #size = 0;
  #scanNs = 0;
  #constantNs = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts an expression, and returns it. Throws SqlError when all together are too large. */
  added(value: CheckedExpression, at: Position): CheckedExpression {
    this.#size += sizeOf(value);
    if (this.#size > this.#most) throw new SqlError(at, `the query ${tooLarge(this.#most)}`);
    const { scanNs, constantNs } = textCost(value);
    this.#scanNs += scanNs;
    this.#constantNs += constantNs;
    if (this.#scanNs > MOST_SCAN_NS) throw new SqlError(at, tooMuchText(this.#scanNs, MOST_SCAN_NS));
    if (this.#constantNs <= MOST_CONSTANT_NS) return value;
    throw new SqlError(at, tooMuchText(this.#constantNs, MOST_CONSTANT_NS));
  }

  get scanNs(): number {
    return this.#scanNs;
  }

  get constantNs(): number {
    return this.#constantNs;
  }
}

function tooMuchText(needed: number, most: number): string {
  const ms = (ns: number) => Math.ceil(ns / 1e5) / 10;
  return (
    `patterns, searches and functions may have to read too much text: up to ${ms(needed)} ms for one row, ` +
    `and ${ms(most)} ms is the most; shorten the text with LEFT, or use a pattern with fewer counts behind * or +`
  );
}

/** The end of an error message about size. */
export function tooLarge(nodes: number): string {
  return `has more than ${nodes} names, values and operations, with its aliases written out`;
}
