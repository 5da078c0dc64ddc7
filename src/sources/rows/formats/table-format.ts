/** The kinds of files that together describe blocks. */
export type TableKind = "blocks" | "transactions" | "receipts" | "logs";

/** The name of a column, or several alternatives of which a file has at least one. */
type ColumnName = string | readonly string[];

/** The names of columns by field, without the fields that the format lacks. */
export type Names<F extends string> = { readonly [field in F]?: ColumnName };

/** Header fields, under their names in JSON-RPC. */
export type HeaderField =
  | "number"
  | "hash"
  | "parentHash"
  | "sha3Uncles"
  | "miner"
  | "stateRoot"
  | "transactionsRoot"
  | "receiptsRoot"
  | "logsBloom"
  | "difficulty"
  | "gasLimit"
  | "gasUsed"
  | "timestamp"
  | "extraData"
  | "mixHash"
  | "nonce"
  | "baseFeePerGas"
  | "withdrawalsRoot"
  | "size"
  | "transactionCount"
  | "chainId";

export type TransactionField =
  | "block"
  | "index"
  | "hash"
  | "blockHash"
  | "from"
  | "to"
  | "nonce"
  | "value"
  | "input"
  | "gas"
  | "gasPrice"
  | "type"
  | "maxFeePerGas"
  | "maxPriorityFeePerGas"
  | "chainId"
  | "r"
  | "s"
  | "parity"
  | "encodedBytes";

export type ReceiptField =
  | "block"
  | "index"
  | "hash"
  | "blockHash"
  | "status"
  | "root"
  | "gasUsed"
  | "cumulativeGasUsed";

export type LogField =
  | "block"
  | "index"
  | "transactionIndex"
  | "hash"
  | "blockHash"
  | "address"
  | "topics"
  | "topic0"
  | "topic1"
  | "topic2"
  | "topic3"
  | "data"
  | "dataBytes"
  | "chainId";

/** The tool or dataset that files come from. */
export type TableOrigin = "cryo" | "ethereum-etl" | "aws";

/** A file format: its name and its columns. */
export interface TableFormat {
  readonly origin: TableOrigin;
  readonly blocks: Names<HeaderField>;
  readonly transactions: Names<TransactionField>;
  readonly receipts: Names<ReceiptField>;
  /** The kind of file that has the receipts: a separate kind, or the kind that has the transactions. */
  readonly receiptsIn: "receipts" | "transactions";
  readonly logs: Names<LogField>;
  /** Columns that identify a kind of file. */
  readonly marks: { readonly [kind in TableKind]?: readonly string[] };
  /** True if transactions are rounded or incomplete in these files, so a node must provide them. */
  readonly lacksTransactions: boolean;
}

/** Returns the columns to read from a file. */
export function readColumns(
  format: TableFormat,
  kind: TableKind,
  { columns, roundedColumns }: { columns: readonly string[]; roundedColumns: ReadonlySet<string> },
): string[] {
  const named = fieldsOf(format, kind).flatMap((names) => Object.values(names).flat());
  const read = columns.filter((column) => named.includes(column) && !roundedColumns.has(column));
  return [...new Set(read)];
}

/**
 * Returns the fields of a kind of file, including the fields of receipts if the files of transactions contain
 * them.
 */
function fieldsOf(format: TableFormat, kind: TableKind): Names<string>[] {
  const receipts = format.receiptsIn === kind ? [format.receipts] : [];
  return kind === "receipts" ? receipts : [format[kind], ...receipts];
}

/** Returns the column with the block number, which every kind of file has in all formats. */
export function blockColumnOf(format: TableFormat, kind: TableKind): string {
  const name = kind === "blocks" ? format.blocks.number : format[kind].block;
  return typeof name === "string" ? name : "block_number";
}
