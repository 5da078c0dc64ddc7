import { engineNumber } from "../lib/json/json-number.ts";
import type { ColumnKind } from "../schema/column.ts";
import { publicColumns, type Table } from "../schema/table.ts";

type Print = (value: unknown) => string;

const quoted: Print = (value) => `"${value}"`;

/** Prints a number if JSON represents it exactly; otherwise its digits as text. */
const wide: Print = (value) => ((value as bigint) <= Number.MAX_SAFE_INTEGER ? String(value) : quoted(value));

const PRINTERS: Record<ColumnKind, Print> = {
  address: quoted,
  pool_id: quoted,
  hash: quoted,
  bytes: quoted,
  text: (value) => jsonText(value as string),
  label: (value) => jsonText(value as string),
  integer: String,
  uint64: wide,
  small: String,
  wei: wide,
  amount: quoted,
  double: (value) => engineNumber(value as number),
  time: String,
};

interface Field {
  name: string;
  /** Text before the value: the punctuation and the column's name. */
  before: string;
  print: Print;
}

export type RecordPrinter = (row: Readonly<Record<string, unknown>>) => string;

/**
 * Returns a printer of a table's rows. It prints each row as one JSON object, byte for byte as the engine
 * prints the `answerExpression`s of the row in REST answers.
 *
 * @param columns the columns to print; default: all public ones
 */
export function recordPrinter(table: Table, columns = publicColumns(table)): RecordPrinter {
  const fields = columns.map(([name, { kind }], i): Field => {
    return { name, before: `${i === 0 ? "{" : ","}"${name}":`, print: PRINTERS[kind] };
  });
  return (row) => {
    let text = "";
    for (const { name, before, print } of fields) {
      const value = row[name];
      text += before + (value === null ? "null" : print(value));
    }
    return `${text}}`;
  };
}

/** Characters that the engine escapes differently from JavaScript, or may escape differently. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the engine escapes control characters its own way
const SPECIAL = /[\u0000-\u001f"\\/\u2028\u2029\ud800-\udfff]/;

/** Short escapes of JSON. The engine also escapes the slash. */
const ESCAPES = new Map([
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\f", "\\f"],
  ["\r", "\\r"],
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["/", "\\/"],
]);

// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const ESCAPED = /[\u0000-\u001f"\\/\u2028\u2029]/g;

/**
 * Prints a string as JSON. An unpaired surrogate has no UTF-8 form, so the store holds the replacement
 * character, and this function prints it.
 */
function jsonText(value: string): string {
  if (!SPECIAL.test(value)) return `"${value}"`;
  const wellFormed = Buffer.from(value, "utf8").toString("utf8");
  return `"${wellFormed.replace(ESCAPED, (char) => ESCAPES.get(char) ?? codeOf(char))}"`;
}

function codeOf(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}
