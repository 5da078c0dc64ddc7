/** A block and its receipts as JSON-RPC returns them. */
export interface JsonBlock {
  block: Record<string, unknown> & { transactions: JsonRow[] };
  receipts: (JsonRow & { logs: JsonRow[] })[];
}

export type JsonRow = Record<string, unknown>;

/** The type of a column: bytes, numbers of 32 and 64 bits, flags, text, doubles, times and lists of text. */
export type CellType = "bytes" | "u32" | "u64" | "flag" | "text" | "double" | "time" | "texts";

/** The columns of a file. Cells are hex text for bytes, bigint for numbers, or null. */
export interface TableColumns {
  [name: string]: { type: CellType; cells: unknown[] };
}

export interface TableOfFile {
  blocks: TableColumns;
  transactions: TableColumns;
  receipts?: TableColumns;
  logs: TableColumns;
}

/** A column, and the function that computes a row's cell from its JSON. */
export type CellOf = readonly [type: CellType, cell: (row: JsonRow) => unknown];

export function columnsOf(rows: readonly JsonRow[], columns: Record<string, CellOf>): TableColumns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, [type, cell]]) => [
      name,
      { type, cells: rows.map((row) => cell(row) ?? null) },
    ]),
  );
}

/** Returns a function that reads the number in a field. It returns null if the field is absent. */
export const number =
  (field: string) =>
  (row: JsonRow): bigint | null =>
    row[field] == null ? null : BigInt(row[field] as string);

export const field =
  (name: string) =>
  (row: JsonRow): unknown =>
    row[name];

/** Returns all rows by kind, with extra fields that several columns need. */
export function rowsOf(blocks: readonly JsonBlock[]) {
  return {
    blocks: blocks.map(({ block }) => block as JsonRow),
    transactions: blocks.flatMap(({ block, receipts }) =>
      block.transactions.map((transaction, i) => ({
        ...transaction,
        receipt: receipts[i],
        block,
      })),
    ) as (JsonRow & { receipt: JsonRow; block: JsonRow })[],
    receipts: blocks.flatMap(({ receipts }) => receipts) as JsonRow[],
    logs: blocks.flatMap(({ block, receipts }) =>
      receipts.flatMap(({ logs, transactionIndex, transactionHash }) =>
        logs.map((log) => ({
          ...log,
          transactionIndex,
          transactionHash,
          blockHash: block.hash,
          blockNumber: block.number,
          timestamp: block.timestamp,
        })),
      ),
    ) as JsonRow[],
  };
}
