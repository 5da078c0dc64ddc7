import { type Position, SqlError } from "../syntax/sql-error.ts";

/**
 * Maximum number of steps in all patterns of a query, with counted repetitions written out. The engine may
 * follow all these steps at each character: at this maximum, it takes four seconds for a string of a million
 * characters.
 */
const MOST_STEPS = 40_000;

/** Adds up the sizes of a query's patterns. */
export class PatternBudget {
  #steps = 0;

  /** Adds the steps of a pattern. Throws SqlError if the total is too large. */
  add(steps: number, at: Position): void {
    this.#steps += steps;
    if (this.#steps <= MOST_STEPS) return;
    throw new SqlError(
      at,
      `the query's patterns up to this one have ${Math.ceil(this.#steps)} steps, with repetitions such as {700} written out; the maximum is ${MOST_STEPS}`,
    );
  }
}
