/** What rows are ranked by; null is not known. */
export type Rank = number | string | null | undefined;

/** Which column the rows are ranked by, and whether its largest stands first. */
export interface Order {
  title: string;
  direction: "ascending" | "descending";
}

/** Ranks rows; what is not known comes last, whichever way. Rows of one rank keep their order. */
export function ranked<Row>(
  rows: readonly Row[],
  rankOf: (row: Row) => Rank,
  direction: Order["direction"],
): Row[] {
  const sign = direction === "ascending" ? 1 : -1;
  return rows.toSorted((a, b) => compare(rankOf(a), rankOf(b), sign));
}

/** The order after a column's heading is pressed: figures begin with the largest, texts with the first. */
export function nextOrder(current: Order | undefined, title: string, isText: boolean): Order {
  if (current?.title !== title) return { title, direction: isText ? "ascending" : "descending" };
  return { title, direction: current.direction === "ascending" ? "descending" : "ascending" };
}

function compare(a: Rank, b: Rank, sign: 1 | -1): number {
  if (isUnknown(a) || isUnknown(b)) return Number(isUnknown(a)) - Number(isUnknown(b));
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * String(a).localeCompare(String(b), "en");
}

function isUnknown(rank: Rank): rank is null | undefined {
  return rank === null || rank === undefined || Number.isNaN(rank);
}
