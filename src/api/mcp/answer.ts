import { BaseError } from "../../lib/error.ts";
import type { Answered } from "./ask.ts";
import { jsonLine } from "./json-line.ts";

/** Maximum number of rows in an answer. */
export const MAX_ROWS = 200;

/**
 * Maximum number of characters in an answer: about 15,000 tokens; a model has room for only a few such
 * answers.
 */
export const MAX_CHARACTERS = 40_000;

/**
 * The commit that an answer reflects. `timestamp` is in unix seconds; blocks before `first_block` are not
 * included.
 */
export interface AsOf {
  first_block: number;
  block: number;
  timestamp: number;
  block_hash: string;
  commit: number;
}

/** Returns the commit that an answer reflects; null if it depends on no block. */
export function asOf({ header }: Answered): AsOf | null {
  const hash = header("x-indexed-block-hash");
  if (hash === null) return null;
  return {
    first_block: Number(header("x-first-block")),
    block: Number(header("x-indexed-block")),
    timestamp: Number(header("x-indexed-timestamp")),
    block_hash: hash,
    commit: Number(header("x-commit")),
  };
}

export interface TableAnswer {
  /** Fields before the rows, such as `chain` and `as_of`. */
  facts: Record<string, unknown>;
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
  /** Whether there are rows after these. */
  hasMore?: boolean;
  /** A sentence that says how to request fewer rows. */
  narrow: string;
  /** Returns the cursor of the page that begins after the first `kept` rows; null if there is none. */
  cursorAfter?(kept: number): string | null;
}

/**
 * Prints an answer as JSON: facts, names of the columns, and rows as lists. Rows that do not fit are left
 * out, and `truncated` then says so.
 *
 * @throws RowTooLong
 */
export function printTable({ facts, columns, rows, narrow, ...more }: TableAnswer): string {
  const { hasMore = false, cursorAfter = () => null } = more;
  const head = jsonLine({ ...facts, columns }).slice(0, -1);
  const printed = fitting(rows.slice(0, MAX_ROWS), MAX_CHARACTERS - head.length);
  const tail = hasMore || printed.length < rows.length ? truncation(printed.length, narrow, cursorAfter) : "";
  return `${head},"rows":[${printed.join(",\n")}]${tail}}`;
}

function truncation(kept: number, narrow: string, cursorAfter: (kept: number) => string | null): string {
  const cursor = cursorAfter(kept);
  const next = cursor === null ? "" : " For the next rows, repeat the call with this cursor.";
  const message = `There are more rows (shown: ${kept}). ${narrow}${next}`;
  return `,${jsonLine({ truncated: message, ...(cursor === null ? {} : { cursor }) }).slice(1, -1)}`;
}

/** Prints the first rows, as many as fit. */
function fitting(rows: readonly (readonly unknown[])[], room: number): string[] {
  const printed: string[] = [];
  let length = 0;
  for (const row of rows) {
    const line = jsonLine(row);
    length += line.length + 2;
    if (length > room && printed.length > 0) break;
    if (length > room) throw new RowTooLong(line.length);
    printed.push(line);
  }
  return printed;
}

/** Turns records into rows. By default, the columns are the fields of the first record. */
export function tableOf(
  records: readonly Record<string, unknown>[],
  columns: readonly string[] = Object.keys(records[0] ?? {}),
): Pick<TableAnswer, "columns" | "rows"> {
  return { columns, rows: records.map((record) => columns.map((name) => record[name] ?? null)) };
}

class RowTooLong extends BaseError {
  constructor(length: number) {
    super(
      "too-large",
      `One row has ${length} characters; an answer can have at most ${MAX_CHARACTERS}. Select fewer columns, or shorten long strings with SUBSTRING.`,
    );
  }
}
