import type { TableFormat } from "../formats/table-format.ts";
import { filesOf, receivedRows, type SentBlockRows } from "./block-rows.ts";
import { readLogs } from "./read-logs.ts";
import { readTransactions } from "./read-transactions.ts";
import type { TableBlock } from "./table-block.ts";

/** A block of which only the header has been read. */
export interface UnreadBlock extends Pick<TableBlock, "header" | "invalid"> {
  rows: SentBlockRows;
}

/** @throws InvalidFile */
export function readBlock({ header, rows: sent, invalid }: UnreadBlock, format: TableFormat): TableBlock {
  const rows = receivedRows(sent);
  const transactions = readTransactions(rows.transactions, rows.receipts, header, format);
  readLogs(rows.logs, transactions, header, format);
  const files = {
    transactions: filesOf(rows.transactions),
    receipts: filesOf(rows.receipts ?? rows.transactions),
    logs: filesOf(rows.logs),
  };
  return { header, transactions, files, invalid };
}
