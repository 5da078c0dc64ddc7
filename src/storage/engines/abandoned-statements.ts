import { BaseError } from "../../lib/error.ts";

/**
 * How long the engine may take to end a killed statement; one that takes longer is abandoned. Its session
 * stays busy until the statement ends, but its caller gets the error at once.
 */
export const ABANDON_AFTER_MS = 1_000;

/** Maximum number of abandoned statements. Each occupies one of the sessions and a processor core. */
const MOST_ABANDONED = 2;

/** Statements that the engine is still running although their callers have been answered. */
export class AbandonedStatements {
  #running = 0;
  #total = 0;

  get running(): number {
    return this.#running;
  }

  get total(): number {
    return this.#total;
  }

  /**
   * Must be called before a statement that may not stop when killed.
   *
   * @throws TooManyAbandoned
   */
  requireRoom(): void {
    if (this.#running >= MOST_ABANDONED) throw new TooManyAbandoned(this.#running);
  }

  /** Adds a statement, which counts as running until it ends. */
  add(statement: Promise<unknown>): void {
    this.#running++;
    this.#total++;
    const ended = () => void this.#running--;
    statement.then(ended, ended);
  }
}

class TooManyAbandoned extends BaseError {
  constructor(running: number) {
    super(
      "not-ready",
      `The database is still computing ${running} queries that are past their time limit. Until they end, queries with large ` +
        "patterns or long computed strings are not accepted. Try again in a moment.",
      { retryable: true },
    );
  }
}
