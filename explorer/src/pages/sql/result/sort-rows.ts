import type { SqlValue } from "@quarry/sdk";
import type { Row } from "./result-columns.ts";

export interface Sorting {
  column: string;
  isDescending: boolean;
}

/** Sorts rows. The sort is stable, and nulls come last in both directions. */
export function sortRows(rows: readonly Row[], { column, isDescending }: Sorting): Row[] {
  return [...rows].sort((a, b) => {
    const left = a[column] ?? null;
    const right = b[column] ?? null;
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return isDescending ? compare(right, left) : compare(left, right);
  });
}

function compare(a: Exclude<SqlValue, null>, b: Exclude<SqlValue, null>): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  // Integers from 2^53 on are strings of digits. They are compared as bigint, so none is rounded.
  const [left, right] = [integerOf(a), integerOf(b)];
  if (left !== null && right !== null) return order(left, right);
  if (typeof a === "string" && typeof b === "string") return order(a, b);
  return Number(a) - Number(b);
}

function order<T extends string | bigint>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function integerOf(value: Exclude<SqlValue, null>): bigint | null {
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : null;
  return typeof value === "string" && /^-?\d+$/.test(value) ? BigInt(value) : null;
}
