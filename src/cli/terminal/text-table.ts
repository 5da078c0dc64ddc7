import stringWidth from "string-width";
import { printable } from "./printable.ts";

type Row = readonly (string | null)[];

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;

/**
 * Formats rows as a table with right-aligned numbers. If the table is wider than the screen, its fields are
 * listed row by row.
 *
 * @param width characters per line; null if the output is not a screen, e.g. a pipe. In that case, the table
 * has no borders
 */
export function textTable(names: Row, rows: readonly Row[], width: number | null): string {
  const shownNames = names.map((name) => printable(name ?? ""));
  const cells = rows.map((row) => row.map((value) => (value === null ? "null" : printable(value))));
  const columns = shownNames.map((name, i) => ({
    width: cells.reduce((widest, row) => Math.max(widest, cellWidth(row[i] ?? "")), cellWidth(name)),
    isNumeric: isNumeric(rows, i),
  }));
  if (width === null) {
    const lines = [shownNames, ...cells].map((row) => aligned(row, columns).join("  ").trimEnd());
    return lines.join("\n");
  }
  const widest = columns.reduce((sum, column) => sum + column.width + 3, 1);
  return widest > width ? fieldList(shownNames, cells) : bordered(shownNames, cells, columns);
}

/** Columns by name, each with a function that returns the text of an item. */
export type Columns<T> = Record<string, (item: T) => string>;

/** Formats items as a table for standard output. */
export function tableOf<T>(columns: Columns<T>, items: readonly T[]): string {
  const width = process.stdout.isTTY ? process.stdout.columns : null;
  const rows = items.map((item) => Object.values(columns).map((textIn) => textIn(item)));
  return textTable(Object.keys(columns), rows, width);
}

interface TableColumn {
  /** Width in columns on the screen; a Chinese character takes two. */
  width: number;
  isNumeric: boolean;
}

const ASCII = /^[ -~]*$/;

function cellWidth(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

/** Returns the blanks that a text needs to fill a width. */
function blanks(text: string, width: number): string {
  return " ".repeat(width - cellWidth(text));
}

function aligned(row: readonly string[], columns: readonly TableColumn[]): string[] {
  return columns.map(({ width, isNumeric }, i) => {
    const text = row[i] ?? "";
    return isNumeric ? blanks(text, width) + text : text + blanks(text, width);
  });
}

function bordered(
  names: readonly string[],
  rows: readonly string[][],
  columns: readonly TableColumn[],
): string {
  const line = (row: readonly string[]) => `│ ${aligned(row, columns).join(" │ ")} │`;
  const rule = (left: string, middle: string, right: string) =>
    left + columns.map(({ width }) => "─".repeat(width + 2)).join(middle) + right;
  const body = rows.length === 0 ? [] : [rule("├", "┼", "┤"), ...rows.map(line)];
  return [rule("┌", "┬", "┐"), line(names), ...body, rule("└", "┴", "┘")].join("\n");
}

function isNumeric(rows: readonly Row[], column: number): boolean {
  const values = rows.map((row) => row[column] ?? null).filter((value) => value !== null);
  return values.length > 0 && values.every((value) => NUMBER.test(value));
}

function fieldList(names: readonly string[], rows: readonly string[][]): string {
  const widest = Math.max(...names.map(cellWidth));
  return rows
    .map((row, i) => {
      const fields = names.map((name, column) => `${name}${blanks(name, widest)}  ${row[column]}`);
      return [`row ${i + 1}`, ...fields].join("\n");
    })
    .join("\n\n");
}
