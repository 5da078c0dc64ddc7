import { textArray } from "../../engine-sql/sql-text.ts";
import type { Column, ColumnKind } from "../../schema/column.ts";
import { ADDRESS, HASH, METHOD_ID, POOL } from "./hex-values.ts";
import { DOUBLE, STORED_TIME, unsigned } from "./number-values.ts";
import { type StoredKind, textOf } from "./value-kind.ts";

const TEXT: StoredKind = {
  allowed: () => "a string",
  parse(given) {
    const text = textOf(given);
    // A lone surrogate has no UTF-8 form: it is stored and returned as the replacement character.
    return text === undefined ? undefined : Buffer.from(text, "utf8").toString("utf8");
  },
  print: textArray,
};

const KINDS: Record<ColumnKind, StoredKind> = {
  address: ADDRESS,
  pool_id: POOL,
  hash: HASH,
  // The only column with bytes that can be queried by value is method_id.
  bytes: METHOD_ID,
  text: TEXT,
  label: TEXT,
  integer: unsigned("UInt64"),
  uint64: unsigned("UInt64"),
  small: unsigned("UInt8"),
  wei: unsigned("UInt256"),
  amount: unsigned("UInt256"),
  double: DOUBLE,
  time: STORED_TIME,
};

/** Returns the kind of value that a column holds. */
export function valueKindOf({ kind }: Column): StoredKind {
  return KINDS[kind];
}
