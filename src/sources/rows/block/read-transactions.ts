import { type Hex, toQuantity } from "../../../lib/hex.ts";
import type { Column, RowBatch } from "../cells/row-batch.ts";
import type { ReceiptField, TableFormat, TransactionField } from "../formats/table-format.ts";
import { type RowSpan, rowsOf } from "./block-rows.ts";
import type { OwnTransaction, TableHeader, TableReceipt, TableTransaction } from "./table-block.ts";

type Columns<F extends string> = (field: F) => Column;

/** Reads the transactions of a block, and their receipts if they are in the same rows. */
export function readTransactions(
  spans: readonly RowSpan[],
  receipts: readonly RowSpan[] | null,
  header: TableHeader,
  format: TableFormat,
): TableTransaction[] {
  const own = receipts === null ? null : [...rowsOf(receipts)];
  const transactionColumns = columnsByBatch<TransactionField>((batch, field) =>
    batch.field(format.transactions[field]),
  );
  const receiptColumns = columnsByBatch<ReceiptField>((batch, field) => batch.field(format.receipts[field]));
  const transactions: TableTransaction[] = [];
  for (const { batch, row } of rowsOf(spans)) {
    const index = transactions.length;
    const columns = transactionColumns(batch);
    requireIndex(batch, row, columns("index"), index);
    columns("blockHash").requireBytes(row, header.hash);
    const at = own === null ? { batch, row } : own[index];
    if (at === undefined)
      throw batch.invalid(row, "the files of receipts lack the receipt of this transaction");
    const hash = columns("hash").bytes(row, 32);
    const receipt = readReceipt(at, receiptColumns(at.batch), { index, hash, header });
    const type = columns("type").integerOrNull(row) ?? 0;
    transactions.push({
      hash,
      type,
      own: format.lacksTransactions ? null : readOwn(columns, row, { hash, type, index }),
      receipt,
      invalid: (problem) => batch.invalid(row, problem),
    });
  }
  const extra = own?.[transactions.length];
  if (extra !== undefined) {
    throw extra.batch.invalid(extra.row, "the files of transactions lack the transaction of this receipt");
  }
  return transactions;
}

/** Returns a function that caches the columns of the newest batch. */
export function columnsByBatch<F extends string>(
  find: (batch: RowBatch, field: F) => Column,
): (batch: RowBatch) => Columns<F> {
  let newest: RowBatch | null = null;
  let columns = new Map<F, Column>();
  return (batch) => {
    if (batch !== newest) columns = new Map();
    newest = batch;
    const own = columns;
    return (field) => {
      const known = own.get(field);
      if (known !== undefined) return known;
      const column = find(batch, field);
      own.set(field, column);
      return column;
    };
  };
}

export function requireIndex(batch: RowBatch, row: number, column: Column, expected: number): void {
  const index = column.integer(row);
  if (index === expected) return;
  const problem = index < expected ? "is duplicated or in the wrong order" : "is missing before it";
  throw batch.invalid(row, `it has the index ${index}, expected ${expected}: a row ${problem}`);
}

function readOwn(
  columns: Columns<TransactionField>,
  row: number,
  { hash, type, index }: { hash: Hex; type: number; index: number },
): OwnTransaction {
  const optional = (field: TransactionField) => columns(field).quantityOrNull(row);
  const isDynamic = type >= 2;
  const value = optional("value");
  const input = columns("input");
  return {
    lacksValue: value === null,
    // One literal: spreading constants into it would take several times as long.
    fields: {
      hash,
      type,
      transactionIndex: index,
      from: columns("from").bytes(row, 20),
      to: columns("to").bytesOrNull(row, 20),
      nonce: columns("nonce").quantity(row),
      value: value ?? "0x0",
      gas: columns("gas").quantity(row),
      input: input.bytesOrNull(row) ?? "0x",
      chainId: optional("chainId"),
      gasPrice: optional("gasPrice"),
      // Some formats write zero where there is no value.
      maxFeePerGas: isDynamic ? columns("maxFeePerGas").quantity(row) : null,
      maxPriorityFeePerGas: isDynamic ? columns("maxPriorityFeePerGas").quantity(row) : null,
      maxFeePerBlobGas: null,
      accessList: [],
      blobVersionedHashes: [],
      authorizationList: [],
      v: null,
      yParity: null,
      r: optional("r"),
      s: optional("s"),
      sourceHash: null,
      mint: null,
      isSystemTx: false,
      arbitrum: null,
    },
    parity: columns("parity").flagOrNull(row),
    encodedBytes: columns("encodedBytes").integerOrNull(row),
  };
}

function readReceipt(
  { batch, row }: { batch: RowBatch; row: number },
  columns: Columns<ReceiptField>,
  { index, hash, header }: { index: number; hash: Hex; header: TableHeader },
): TableReceipt {
  if (columns("index").exists) requireIndex(batch, row, columns("index"), index);
  columns("hash").requireBytes(row, hash);
  columns("blockHash").requireBytes(row, header.hash);
  const status = columns("status").flagOrNull(row);
  return {
    status: status === null ? null : toQuantity(status),
    root: columns("root").bytesOrNull(row, 32),
    gasUsed: columns("gasUsed").integer(row),
    cumulativeGasUsed: columns("cumulativeGasUsed").integerOrNull(row),
    logs: [],
  };
}
