import Papa from "papaparse";
import type { LineFormat } from "./text-file.ts";

/**
 * The lines of a csv file, whose first line names the columns. ethereum-etl quotes a cell that has commas or
 * quotes. Its cells have no line breaks, so each line is a row.
 */
export function csvRows(header: string): LineFormat {
  const columns = cellsOf([header])[0] ?? [];
  return {
    columns,
    hasHeader: true,
    parse: (lines) => {
      const rows = cellsOf(lines);
      // A quote that is not closed joins lines.
      if (rows.length !== lines.length) return lines.map((line) => onlyRow(cellsOf([line]), columns.length));
      return rows.map((row) => onlyRow([row], columns.length));
    },
  };
}

function onlyRow([row]: string[][], length: number): string[] | null {
  return row?.length === length ? row : null;
}

/** Returns the cells of each line. A line with an unclosed quote has none. */
function cellsOf(lines: readonly string[]): string[][] {
  const { data, errors } = Papa.parse<string[]>(lines.join("\n"), { delimiter: ",", newline: "\n" });
  const bad = new Set(errors.map(({ row }) => row));
  return data.map((row, i) => (bad.has(i) ? [] : row));
}
