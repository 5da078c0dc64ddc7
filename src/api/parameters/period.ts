import { InvalidParameter } from "./parameter.ts";

/**
 * Throws InvalidParameter if a period ends before it starts. If the period ends now, it may start later: a
 * client that requests data from the next minute on gets an empty answer.
 *
 * @param from unix seconds, like the other times
 */
export function requirePeriod(from: number, until: number, now: number): void {
  if (from <= until || until === now) return;
  throw new InvalidParameter(
    "from_timestamp",
    String(from),
    `a time no later than until_timestamp (${until})`,
  );
}
