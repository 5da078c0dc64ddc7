import { type Position, SqlError } from "../syntax/sql-error.ts";

/**
 * Steps of all patterns of a query, with counted repetitions written out. The engine follows up to all of
 * them at each character: with this many it takes four seconds for a text of a million characters.
 */
const MOST_STEPS = 40_000;

/** The size of a query's patterns so far. */
export class PatternBudget {
  #steps = 0;

  /** Throws SqlError when the patterns together are too large. */
  add(steps: number, at: Position): void {
    this.#steps += steps;
    if (this.#steps <= MOST_STEPS) return;
    throw new SqlError(
      at,
      `up to this pattern, the query's patterns have ${Math.ceil(this.#steps)} steps, with repetitions such as {700} written out; the most are ${MOST_STEPS}`,
    );
  }
}
