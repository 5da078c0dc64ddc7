import { parseTime } from "../../../format/time.ts";
import type { ResultColumn, Row } from "./result-columns.ts";

export interface ChartPoint {
  /** Unix seconds. */
  time: number;
  value: number;
}

export interface ChartLine {
  name: string;
  points: ChartPoint[];
}

/** The columns of an answer that a chart over time can show. */
export interface ChartColumns {
  time: ResultColumn;
  /** Numeric columns. */
  values: ResultColumn[];
  /** Columns that can split rows with the same time into lines. */
  groups: ResultColumn[];
  /** Whether several rows have the same time. */
  repeats: boolean;
}

/**
 * Returns the columns that a chart can show; null if there is no time column, no numeric column, or fewer
 * than two distinct times.
 */
export function chartColumnsOf(rows: readonly Row[], columns: readonly ResultColumn[]): ChartColumns | null {
  const time = columns.find(({ kind }) => kind === "time");
  const values = columns.filter(({ kind }) => kind === "number");
  if (time === undefined || values.length === 0) return null;
  const times = rows.map((row) => row[time.name]).filter((value) => value !== null);
  const distinct = new Set(times).size;
  if (distinct < 2) return null;
  const groups = columns.filter(({ kind }) => kind !== "number" && kind !== "time");
  return { time, values, groups, repeats: distinct < times.length };
}

/** Maximum number of lines in a chart; more would be hard to distinguish. */
export const MAX_LINES = 8;

export interface ChartLines {
  lines: ChartLine[];
  /** Number of points omitted because an earlier one has the same time and line. */
  hiddenPoints: number;
  /** Number of lines omitted because of the limit. */
  hiddenLines: number;
}

interface LineOptions {
  time: string;
  values: readonly string[];
  /** The column that splits the rows into lines; null for none. */
  group: string | null;
}

/** Returns one line per selected column and value of the group column, with its points sorted by time. */
export function linesOf(rows: readonly Row[], { time, values, group }: LineOptions): ChartLines {
  const lines = new Map<string, Map<number, number>>();
  let hiddenPoints = 0;
  for (const { name, at, value } of pointsOf(rows, { time, values, group })) {
    const points = lines.get(name) ?? new Map<number, number>();
    lines.set(name, points);
    if (points.has(at)) hiddenPoints++;
    else points.set(at, value);
  }
  const all = [...lines].map(([name, points]) => ({ name, points: inOrder(points) }));
  return { lines: all.slice(0, MAX_LINES), hiddenPoints, hiddenLines: Math.max(0, all.length - MAX_LINES) };
}

function* pointsOf(rows: readonly Row[], { time, values, group }: LineOptions) {
  for (const row of rows) {
    const iso = row[time];
    if (typeof iso !== "string") continue;
    for (const column of values) {
      const value = row[column] ?? null;
      if (value === null) continue;
      const name = group === null ? column : lineName(row, { column, group, isOnly: values.length === 1 });
      yield { name, at: parseTime(iso), value: Number(value) };
    }
  }
}

function lineName(
  row: Row,
  { column, group, isOnly }: { column: string; group: string; isOnly: boolean },
): string {
  const value = String(row[group] ?? "null");
  return isOnly ? value : `${value} ${column}`;
}

function inOrder(points: ReadonlyMap<number, number>): ChartPoint[] {
  return [...points].map(([time, value]) => ({ time, value })).sort((a, b) => a.time - b.time);
}
