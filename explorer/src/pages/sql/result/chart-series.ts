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

/** What of an answer can be drawn over time. */
export interface Drawable {
  time: ResultColumn;
  /** The columns whose values can be drawn. */
  values: ResultColumn[];
  /** The columns that can tell the rows of one time apart. */
  groups: ResultColumn[];
  /** Several rows have the same time. */
  repeats: boolean;
}

/** Null where there is no time, no number, or one point in time alone. */
export function drawableOf(rows: readonly Row[], columns: readonly ResultColumn[]): Drawable | null {
  const time = columns.find(({ kind }) => kind === "time");
  const values = columns.filter(({ kind }) => kind === "number");
  if (time === undefined || values.length === 0) return null;
  const times = rows.map((row) => row[time.name]).filter((value) => value !== null);
  const different = new Set(times).size;
  if (different < 2) return null;
  const groups = columns.filter(({ kind }) => kind !== "number" && kind !== "time");
  return { time, values, groups, repeats: different < times.length };
}

/** So many lines one can tell apart. */
export const MAX_LINES = 8;

export interface Drawn {
  lines: ChartLine[];
  /** Points that share time and line with an earlier one, and are not drawn. */
  hiddenPoints: number;
  /** Lines beyond the most that are drawn. */
  hiddenLines: number;
}

interface DrawnOptions {
  time: string;
  values: readonly string[];
  /** The column that parts the rows into lines; null for none. */
  group: string | null;
}

/** One line for each chosen column, and within it for each value of the group, in order of time. */
export function linesOf(rows: readonly Row[], { time, values, group }: DrawnOptions): Drawn {
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

function* pointsOf(rows: readonly Row[], { time, values, group }: DrawnOptions) {
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
