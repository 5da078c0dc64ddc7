import { Refused } from "../errors/errors.ts";

interface Period {
  /** Unix seconds. */
  from: number;
  until: number;
}

/**
 * Throws EmptyPeriod when a period ends before it starts; not when it lasts until now: whoever asks for what
 * comes from the next minute on is told that there is nothing yet.
 */
export function requirePeriod({ from, until }: Period, now: number): void {
  if (from > until && until !== now) throw new EmptyPeriod({ from, until });
}

class EmptyPeriod extends Refused {
  constructor({ from, until }: Period) {
    super(
      400,
      `Invalid parameter from_timestamp: given is ${from}, allowed is at most until_timestamp (${until}).`,
    );
  }
}
