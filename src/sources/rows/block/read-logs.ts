import { type Hex, isHex } from "../../../lib/hex.ts";
import type { Column } from "../cells/row-batch.ts";
import type { LogField, TableFormat } from "../formats/table-format.ts";
import { type RowSpan, rowsOf } from "./block-rows.ts";
import { columnsByBatch, requireIndex } from "./read-transactions.ts";
import type { TableHeader, TableTransaction } from "./table-block.ts";

/** Reads the logs of a block and adds them to the receipts of its transactions. */
export function readLogs(
  spans: readonly RowSpan[],
  transactions: readonly TableTransaction[],
  header: TableHeader,
  { logs }: TableFormat,
): void {
  const columnsOf = columnsByBatch<LogField>((batch, field) => batch.field(logs[field]));
  let logIndex = 0;
  let newest = 0;
  for (const { batch, row } of rowsOf(spans)) {
    const columns = columnsOf(batch);
    requireIndex(batch, row, columns("index"), logIndex);
    const transactionIndex = columns("transactionIndex").integer(row);
    const transaction = transactions[transactionIndex];
    if (transaction === undefined) {
      const problem = `the number of transactions of this block in the files is ${transactions.length}`;
      throw batch.invalid(row, `the log belongs to transaction index ${transactionIndex}, but ${problem}`);
    }
    if (transactionIndex < newest) {
      throw batch.invalid(
        row,
        `the log belongs to transaction index ${transactionIndex}, expected ${newest} or later`,
      );
    }
    newest = transactionIndex;
    columns("hash").requireBytes(row, transaction.hash);
    columns("blockHash").requireBytes(row, header.hash);
    const data = columns("data").bytesOrNull(row) ?? "0x";
    columns("dataBytes").requireInteger(row, (data.length - 2) / 2);
    transaction.receipt.logs.push({
      address: columns("address").bytes(row, 20),
      topics: columns("topics").exists ? listedTopics(columns("topics"), row) : numberedTopics(columns, row),
      data,
      logIndex: logIndex++,
    });
  }
}

const NUMBERED = ["topic0", "topic1", "topic2", "topic3"] as const;

/** Reads topics from separate columns, which are null beyond the log's last topic. */
function numberedTopics(columns: (field: LogField) => Column, row: number): Hex[] {
  const topics: Hex[] = [];
  for (const [i, name] of NUMBERED.entries()) {
    const topic = columns(name).bytesOrNull(row, 32);
    if (topic === null) continue;
    if (topics.length < i) throw columns(name).invalid(row, "the previous topic is missing");
    topics.push(topic);
  }
  return topics;
}

const MAX_TOPICS = 4;
/** Length of 32 bytes as hex text. */
const TOPIC_LENGTH = 66;

/** Reads topics from one cell: a list, or text separated by commas. */
function listedTopics(column: Column, row: number): Hex[] {
  const known = column.bytesList(row, MAX_TOPICS);
  if (known?.every(({ length }) => length === TOPIC_LENGTH)) return known;
  if (column.isAbsent(row)) return [];
  const cell = column.cell(row);
  const topics: unknown = typeof cell === "string" ? cell.split(",") : cell;
  if (!Array.isArray(topics) || topics.length > MAX_TOPICS) {
    throw column.invalid(row, `the topics are not a list of up to ${MAX_TOPICS}`);
  }
  return topics.map((topic: unknown) => {
    if (typeof topic === "string" && isHex(topic, 32)) return topic.toLowerCase() as Hex;
    throw column.invalid(row, "a topic is not 32 bytes");
  });
}
