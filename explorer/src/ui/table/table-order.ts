/** The value that rows are sorted by; null or undefined if unknown. */
export type SortValue = number | string | null | undefined;

/** The sorted column and its direction. */
export interface SortOrder {
  title: string;
  direction: "ascending" | "descending";
}

/** Sorts rows, with unknown values last in both directions. Rows with equal values keep their order. */
export function sortedBy<Row>(
  rows: readonly Row[],
  sortValue: (row: Row) => SortValue,
  direction: SortOrder["direction"],
): Row[] {
  const sign = direction === "ascending" ? 1 : -1;
  return rows.toSorted((a, b) => compare(sortValue(a), sortValue(b), sign));
}

/**
 * Returns the order after a click on a column's heading: numbers start with the largest, strings with the
 * first.
 */
export function nextOrder(current: SortOrder | undefined, title: string, isText: boolean): SortOrder {
  if (current?.title !== title) return { title, direction: isText ? "ascending" : "descending" };
  return { title, direction: current.direction === "ascending" ? "descending" : "ascending" };
}

function compare(a: SortValue, b: SortValue, sign: 1 | -1): number {
  if (isUnknown(a) || isUnknown(b)) return Number(isUnknown(a)) - Number(isUnknown(b));
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * String(a).localeCompare(String(b), "en");
}

function isUnknown(value: SortValue): value is null | undefined {
  return value === null || value === undefined || Number.isNaN(value);
}
