import type { LineFormat } from "./text-file.ts";

/** Returns the format of a file of JSON lines, whose first row has all field names. */
export function jsonRows(first: string): LineFormat {
  const columns = Object.keys(parseObject(first) ?? {});
  return {
    columns,
    hasHeader: false,
    parse: (lines) => lines.map((line) => cellsOf(line, columns)),
  };
}

function cellsOf(line: string, columns: readonly string[]): unknown[] | null {
  const row = parseObject(line);
  if (row === null || columns.some((column) => !(column in row))) return null;
  return columns.map((column) => row[column]);
}

/**
 * Matches integers that a double may not hold exactly. No string in these files has a colon, so a match is
 * never inside one.
 */
const LARGE_INTEGER = /(:\s*)(\d{16,})(?=\s*[,}])/g;

/** Parses a line. Large integers become text. */
function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line.replace(LARGE_INTEGER, '$1"$2"'));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
