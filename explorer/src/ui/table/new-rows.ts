import { useRef } from "react";

interface ChainRecord {
  /** Position in the chain. */
  record_index: number;
}

/**
 * Returns a function that returns true for a row that arrived after the list was first shown. Starts over if
 * the list changes.
 */
export function useNewRows<Row extends ChainRecord>(
  rows: readonly Row[] | undefined,
  listId: string,
): (row: Row) => boolean {
  const shown = useRef<{ listId: string; newest: number } | null>(null);
  if (rows !== undefined && shown.current?.listId !== listId) {
    shown.current = { listId, newest: Math.max(-1, ...rows.map(({ record_index }) => record_index)) };
  }
  return ({ record_index }) => shown.current !== null && record_index > shown.current.newest;
}
