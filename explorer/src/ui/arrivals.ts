import { useRef } from "react";

/**
 * Tells rows that came while one looked from those that were there at first. `place` is a row's place in the chain;
 * `subject` names what is looked at: of another subject all rows are old again.
 */
export function useArrivals<Row>(
  rows: readonly Row[] | undefined,
  place: (row: Row) => number,
  subject: string,
): (row: Row) => boolean {
  const known = useRef<{ subject: string; newest: number } | null>(null);
  if (rows !== undefined && known.current?.subject !== subject) {
    known.current = { subject, newest: Math.max(-1, ...rows.map(place)) };
  }
  return (row) => known.current !== null && place(row) > known.current.newest;
}
