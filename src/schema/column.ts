/**
 * The kinds of values that a column can hold. A kind fixes the engine type, the TypeScript type of a row's
 * field and the form of the value in an answer:
 *
 * | kind      | engine                 | row    | answer                                                |
 * |-----------|------------------------|--------|-------------------------------------------------------|
 * | address   | FixedString(20)        | Hex    | `0x…` lower-case                                      |
 * | pool_id   | String, 20 or 32 bytes | Hex    | `0x…` lower-case                                      |
 * | hash      | FixedString(32)        | Hex    | `0x…` lower-case                                      |
 * | bytes     | String                 | Hex    | `0x…` lower-case                                      |
 * | text      | String                 | string | text                                                  |
 * | label     | LowCardinality(String) | string | text                                                  |
 * | integer   | UInt64                 | number | number (below 2^53)                                   |
 * | uint64    | UInt64                 | bigint | number, or decimal string from 2^53 on                |
 * | small     | UInt8                  | number | number                                                |
 * | wei       | UInt256                | bigint | number, or decimal string from 2^53 on                |
 * | amount    | UInt256                | bigint | decimal string, always                                |
 * | double    | Float64                | number | shortest round-trip double                            |
 * | time      | DateTime('UTC')        | number | ISO 8601 with milliseconds in SQL, unix seconds in REST |
 */
export type ColumnKind =
  | "address"
  | "pool_id"
  | "hash"
  | "bytes"
  | "text"
  | "label"
  | "integer"
  | "uint64"
  | "small"
  | "wei"
  | "amount"
  | "double"
  | "time";

export interface Column<K extends ColumnKind = ColumnKind, N extends boolean = boolean> {
  kind: K;
  nullable: N;
  doc: string;
  /** Unit of the value, e.g. `USD`, `wei`, `unix seconds`. */
  unit?: string;
  /**
   * True for a column that only the service uses: it is stored, but absent from answers and the catalogue.
   */
  hidden?: boolean;
  /** Set for a column that tables of earlier data formats lack. */
  added?: Added;
}

export interface Added {
  /** The data format that introduced the column. */
  format: number;
  /** The value in rows of earlier formats. */
  earlier: string;
}

/** Declares a column that always has a value. */
export function column<K extends ColumnKind>(kind: K, doc: string, unit?: string): Column<K, false> {
  return unit === undefined ? { kind, nullable: false, doc } : { kind, nullable: false, doc, unit };
}

/** Declares a column whose value may be absent (null). */
export function nullable<K extends ColumnKind>(kind: K, doc: string, unit?: string): Column<K, true> {
  return unit === undefined ? { kind, nullable: true, doc } : { kind, nullable: true, doc, unit };
}

/** Returns the same column, hidden from every answer. */
export function hidden<C extends Column>(declared: C): C {
  return { ...declared, hidden: true };
}

/** Returns the same column, with its value in rows of earlier data formats, which lack it. */
export function added<C extends Column<"label" | "text">>(declared: C, { format, earlier }: Added): C {
  return { ...declared, added: { format, earlier } };
}
