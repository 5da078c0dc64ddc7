import type { SqlValue } from "@quarry/sdk";
import { ADDRESS, HASH } from "../../../format/hex.ts";
import type { SchemaTable } from "../editor/query-table.ts";

export type Row = Readonly<Record<string, SqlValue>>;

/** The kind of a column's values, which determines how they are formatted, sorted and linked. */
export type Kind =
  | "time"
  | "number"
  | "boolean"
  | "token"
  | "pool"
  | "wallet"
  | "transaction"
  | "block"
  | "hash"
  | "hex"
  | "text";

export interface ResultColumn {
  name: string;
  kind: Kind;
  /** Length of the longest sampled value or of the name, whichever is longer, in characters. At least 4. */
  width: number;
}

/** Columns whose values have a page. Aliases are not recognized, so they are not linked. */
const SUBJECTS: Readonly<Record<string, Kind>> = {
  token_address: "token",
  quote_address: "token",
  token_0_address: "token",
  token_1_address: "token",
  pool_address: "pool",
  wallet_address: "wallet",
  trader_address: "wallet",
  from_address: "wallet",
  to_address: "wallet",
  miner: "wallet",
  transaction_hash: "transaction",
  block_number: "block",
  block_number_created: "block",
  first_seen_block_number: "block",
};

/** Number of rows sampled to determine a column's kind and width. */
const SAMPLED_ROWS = 200;

/**
 * Returns the columns of an answer. Rows do not contain types, so the kind comes from the table's schema, or
 * else from the values.
 */
export function columnsOf(rows: readonly Row[], table: SchemaTable | undefined): ResultColumn[] {
  const sample = rows.slice(0, SAMPLED_ROWS);
  return Object.keys(rows[0] ?? {}).map((name) => {
    const values = sample.map((row) => row[name]).filter((value) => value !== null && value !== undefined);
    const isText = table?.columns.find((column) => column.name === name)?.type === "string";
    const kind = isText ? "text" : kindOf(name, values);
    const longest = values.reduce<number>((most, value) => Math.max(most, String(value).length), 4);
    return { name, kind, width: Math.max(longest, name.length) };
  });
}

function kindOf(name: string, values: readonly SqlValue[]): Kind {
  const subject = SUBJECTS[name];
  if (values.length === 0) return "text";
  if (values.every(isNumeric)) return subject === "block" ? "block" : "number";
  if (values.every((value) => typeof value === "boolean")) return "boolean";
  if (!values.every((value) => typeof value === "string")) return "text";
  if (values.every((value) => ISO_TIME.test(value))) return "time";
  if (values.every((value) => ADDRESS.test(value) || HASH.test(value))) return subject ?? "hash";
  return values.every((value) => /^0x[0-9a-f]*$/.test(value)) ? "hex" : "text";
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function isNumeric(value: SqlValue): boolean {
  return typeof value === "number" || (typeof value === "string" && /^-?\d+$/.test(value));
}
