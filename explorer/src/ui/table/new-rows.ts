import { useRef } from "react";

interface Placed {
  /** The row's place in the chain. */
  record_index: number;
}

/** Tells rows that came while one looked from those that were there at first; of another subject all are old again. */
export function useNewRows<Row extends Placed>(
  rows: readonly Row[] | undefined,
  subject: string,
): (row: Row) => boolean {
  const known = useRef<{ subject: string; newest: number } | null>(null);
  if (rows !== undefined && known.current?.subject !== subject) {
    known.current = { subject, newest: Math.max(-1, ...rows.map(({ record_index }) => record_index)) };
  }
  return ({ record_index }) => known.current !== null && record_index > known.current.newest;
}
