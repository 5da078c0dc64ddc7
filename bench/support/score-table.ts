import type { Score } from "../../test/support/markets/outlier-score.ts";

export const perCent = (share: number, digits = 1) =>
  Number.isFinite(share) ? (100 * share).toFixed(digits) : "-";

function spread({ median, p95, worst }: Score["price"]): string {
  return [median, p95, worst].map((value) => perCent(value, 2)).join(" / ");
}

export const COLUMNS: [string, (of: Score) => string][] = [
  ["accepted", (of) => perCent(of.accepted, 2)],
  ["precision", (of) => perCent(of.precision)],
  ["recall", (of) => perCent(of.recall)],
  ["price off", (of) => spread(of.price)],
  ["1-minute candle off", (of) => spread(of.minutes)],
  ["1-hour candle off", (of) => spread(of.hours)],
  ["moved", (of) => perCent(of.moved, 2)],
  ["rejected in a row", (of) => String(of.lag)],
];

export function printLine(cells: readonly string[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}

export function printHead(cells: readonly string[]): void {
  printLine(cells);
  printLine(cells.map(() => "---"));
}
