import { RowBatch, type SentRows } from "../cells/row-batch.ts";
import { sizeOfRows } from "../cells/sent-cells.ts";

/** Consecutive rows of a batch. */
export interface RowSpan {
  batch: RowBatch;
  start: number;
  /** End of the rows, exclusive. */
  end: number;
}

interface RowsByKind<T> {
  transactions: T;
  /** Null if the rows of transactions have the receipts. */
  receipts: T | null;
  logs: T;
}

/** The rows of a block, which have not been read yet. They may extend over several batches. */
export type BlockRows = RowsByKind<readonly RowSpan[]>;

/** The rows of a block in the form in which one thread sends them to another. */
export type SentBlockRows = RowsByKind<readonly SentRows[]>;

/**
 * Maximum size of the values in a block's rows of one kind, counted for each row. A small file may repeat a
 * long value in all of them. A million empty logs take less than half of this.
 */
const MAX_BLOCK_BYTES = 2 ** 29;

/**
 * Returns copies of the rows. Whole row groups would otherwise remain in memory until the block is proven.
 *
 * @throws InvalidFile if their values are too large
 */
export function sentRows(rows: BlockRows): SentBlockRows {
  return mapRows(rows, (spans) => {
    let size = 0;
    return spans.map(({ batch, start, end }) => {
      const sent = batch.slice(start, end);
      for (const [, cells] of sent.columns) size += sizeOfRows(cells);
      if (size <= MAX_BLOCK_BYTES) return sent;
      throw batch.invalid(start, `the block's values take more than ${MAX_BLOCK_BYTES} bytes of memory`);
    });
  });
}

export function receivedRows(sent: SentBlockRows): BlockRows {
  return mapRows(sent, (all) =>
    all.map((rows) => ({ batch: RowBatch.received(rows), start: 0, end: rows.rows })),
  );
}

function mapRows<From, To>(
  { transactions, receipts, logs }: RowsByKind<From>,
  map: (rows: From) => To,
): RowsByKind<To> {
  return {
    transactions: map(transactions),
    receipts: receipts === null ? null : map(receipts),
    logs: map(logs),
  };
}

/** Returns the names of the files that have the rows. */
export function filesOf(spans: readonly RowSpan[]): string[] {
  return [...new Set(spans.map(({ batch }) => batch.file))];
}

/** Yields rows one after the other. */
export function* rowsOf(spans: readonly RowSpan[]): Generator<{ batch: RowBatch; row: number }> {
  for (const { batch, start, end } of spans) for (let row = start; row < end; row++) yield { batch, row };
}
