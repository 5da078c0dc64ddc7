/** Limits on one query. Callers of `compileSql` can set other values. */
export interface SqlLimits {
  /** Length of the client's text, in UTF-8 bytes. */
  textBytes: number;
  /** Levels of nested expressions. */
  depth: number;
  /** Columns of an answer. */
  columns: number;
  /** Names, literals and operations in one query. */
  nodes: number;
  /** Words, values and symbols in one query. */
  tokens: number;
  /** Rows of an answer if the query has no LIMIT. */
  defaultRows: number;
  /** Largest LIMIT. */
  maxRows: number;
  /** Largest OFFSET: the engine sorts and skips that many rows. */
  maxOffset: number;
}

export const SQL_LIMITS: SqlLimits = {
  // Room for a list of 3,700 hashes; clients send lists of 1,000.
  textBytes: 256 * 1024,
  // Far more than people write, and far less than the stack and the engine's own parser allow.
  depth: 64,
  // Ten times as many as the widest table has.
  columns: 400,
  // The engine rejects more than 50,000 elements of syntax, and a node prints as up to five of them.
  nodes: 8_000,
  // Five tokens for each node; most nodes need two. Without this limit, a query of nothing but parentheses
  // takes a tenth of a second.
  tokens: 40_000,
  defaultRows: 10_000,
  // A client and the service can hold this many rows in memory as one JSON array.
  maxRows: 100_000,
  maxOffset: 10_000_000,
};
