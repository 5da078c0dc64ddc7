import Papa from "papaparse";
import type { LineFormat } from "./text-file.ts";

/**
 * Returns the format of a csv file whose first line names the columns. ethereum-etl quotes cells with commas
 * or quotes, and writes no cell with a line break, so each line is a row.
 */
export function csvRows(header: string): LineFormat {
  const columns = cellsOf([header])[0] ?? [];
  return {
    columns,
    hasHeader: true,
    parse: (lines) => {
      const rows = cellsOf(lines);
      // An unclosed quote joins lines.
      if (rows.length !== lines.length) return lines.map((line) => onlyRow(cellsOf([line]), columns.length));
      return rows.map((row) => onlyRow([row], columns.length));
    },
  };
}

function onlyRow([row]: string[][], length: number): string[] | null {
  return row?.length === length ? row : null;
}

/** Returns the cells of each line, and no cells for a line with an unclosed quote. */
function cellsOf(lines: readonly string[]): string[][] {
  const { data, errors } = Papa.parse<string[]>(lines.join("\n"), { delimiter: ",", newline: "\n" });
  const bad = new Set(errors.map(({ row }) => row));
  return data.map((row, i) => (bad.has(i) ? [] : row));
}
