import CliTable from "cli-table3";

interface TableView {
  /** Characters of a line; null where nobody looks at lines, as in a pipe: then there are no borders. */
  width: number | null;
}

type Record = readonly (string | null)[];

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;

/** No borders: what stands between columns are two spaces. */
const BARE = {
  chars: {
    ...Object.fromEntries(
      ["top", "bottom", "left", "right", "mid"].flatMap((side) => [
        [side, ""],
        [`${side}-mid`, ""],
        [`${side}-left`, ""],
        [`${side}-right`, ""],
      ]),
    ),
    "left-mid": "",
    "mid-mid": "",
    "right-mid": "",
    middle: "  ",
  },
  style: { "padding-left": 0, "padding-right": 0, head: [], border: [] },
};

const BORDERED = { style: { head: [], border: [], compact: true } };

/** Rows for people to read: numbers to the right. What is wider than the screen is listed field by field. */
export function queryTable(names: Record, rows: readonly Record[], { width }: TableView): string {
  const shownNames = names.map((name) => printable(name ?? ""));
  const cells = rows.map((row) => row.map((value) => (value === null ? "null" : printable(value))));
  const table = new CliTable({
    ...(width === null ? BARE : BORDERED),
    head: shownNames,
    colAligns: shownNames.map((_, i) => (isNumeric(rows, i) ? "right" : "left")),
  });
  table.push(...cells);
  const text = table.toString();
  const widest = text.indexOf("\n") < 0 ? text.length : text.indexOf("\n");
  if (width !== null && widest > width) return fieldList(shownNames, cells);
  return text.replaceAll(/ +$/gm, "");
}

function isNumeric(rows: readonly Record[], column: number): boolean {
  const values = rows.map((row) => row[column] ?? null).filter((value) => value !== null);
  return values.length > 0 && values.every((value) => NUMBER.test(value));
}

function fieldList(names: readonly string[], rows: readonly string[][]): string {
  const widest = Math.max(...names.map((name) => name.length));
  return rows
    .map((row, i) => {
      const fields = names.map((name, column) => `${name.padEnd(widest)}  ${row[column]}`);
      return [`row ${i + 1}`, ...fields].join("\n");
    })
    .join("\n\n");
}

/**
 * Texts come from contracts that anyone may write: no control character reaches the terminal, nor one that turns the
 * direction of what follows.
 */
function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return ESCAPES[character] ?? `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const ESCAPES: { [character: string]: string } = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
