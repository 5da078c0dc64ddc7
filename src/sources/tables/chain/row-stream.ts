import { BaseError } from "../../../lib/error.ts";
import type { InvalidFile } from "../../e2store/invalid-file.ts";
import type { RowSpan } from "../../rows/block/block-rows.ts";
import type { RowBatch } from "../../rows/cells/row-batch.ts";
import { blockColumnOf } from "../../rows/formats/table-format.ts";
import type { TablePlace } from "./table-place.ts";

/**
 * Maximum size of a batch during whose use the next one is read. A larger batch and the next one would take
 * too much memory together.
 */
const MAX_BYTES_AHEAD = 128 * 2 ** 20;

/**
 * The rows of one kind from all files, in order. They are taken block by block. Only the batches with rows of
 * the current block are in memory (usually one, or two at the end of a batch), and the next one if it is read
 * ahead.
 */
export class RowStream {
  readonly #batches: AsyncGenerator<RowBatch>;
  #batch: RowBatch | null = null;
  #row = 0;
  /** The block of the last row that was taken. */
  #newest = -1;

  /**
   * @param places files of one kind, in order
   * @param isAhead whether to read the next batch, also from the next file, while one is used
   */
  constructor(places: readonly TablePlace[], fromBlock: number, isAhead = false) {
    const batches = batchesOf(places, fromBlock);
    this.#batches = isAhead ? readAhead(batches) : batches;
  }

  /**
   * Takes and returns the rows of a block.
   *
   * @throws InvalidFile, also if rows of earlier blocks have not been taken; OverlappingTables
   */
  async take(block: number): Promise<RowSpan[]> {
    const spans: RowSpan[] = [];
    const next = await this.#nextBlock();
    if (next !== null && next < block) throw this.#foreign(next);
    while ((await this.#nextBlock()) === block) {
      const batch = this.#batch;
      if (batch === null) break;
      const start = this.#row;
      while (this.#row < batch.rows && batch.blockOf(this.#row) === block) this.#row++;
      spans.push({ batch, start, end: this.#row });
    }
    this.#newest = block;
    return spans;
  }

  /**
   * Returns the block of the next row; null after the last row.
   *
   * @throws InvalidFile if the row belongs to an earlier block than the previous one
   */
  async #nextBlock(): Promise<number | null> {
    while (this.#batch === null || this.#row >= this.#batch.rows) {
      const next = await this.#batches.next();
      if (next.done === true) return null;
      this.#batch = next.value;
      this.#row = 0;
    }
    const block = this.#batch.blockOf(this.#row);
    if (block >= this.#newest) return block;
    throw this.#batch.invalid(this.#row, `the row follows a row of block ${this.#newest}. ${SORT}`);
  }

  /** Skips the rows before a block. */
  async skipTo(block: number): Promise<void> {
    for (let next = await this.#nextBlock(); next !== null && next < block; next = await this.#nextBlock()) {
      this.#newest = next;
      this.#row++;
    }
  }

  /** @throws InvalidFile if there are more rows */
  async requireEnd(): Promise<void> {
    const next = await this.#nextBlock();
    if (next !== null) throw this.#foreign(next);
  }

  #foreign(block: number): InvalidFile | undefined {
    return this.#batch?.invalid(this.#row, `block ${block} is missing from the files of blocks`);
  }

  async close(): Promise<void> {
    await this.#batches.return(undefined);
  }
}

const SORT = "Rows must be in the order of the chain";

async function* batchesOf(places: readonly TablePlace[], fromBlock: number): AsyncGenerator<RowBatch> {
  for (const [i, place] of places.entries()) {
    if (place.last < fromBlock) continue;
    const next = places[i + 1];
    const { file, columns } = await place.open();
    const blockColumn = blockColumnOf(place.format, place.kind);
    try {
      for await (const batch of file.batches({ columns, blockColumn, fromBlock })) {
        const [first, last] = [batch.blockOf(0), batch.blockOf(batch.rows - 1)];
        if (next !== undefined && last >= next.first) throw new OverlappingTables(place, next, last);
        if (first < place.first || last > place.last) throw outsideName(batch, place);
        yield batch;
      }
    } finally {
      await file.close();
    }
  }
}

async function* readAhead(batches: AsyncGenerator<RowBatch>): AsyncGenerator<RowBatch> {
  try {
    let next = batches.next();
    for (let found = await next; found.done !== true; found = await next) {
      const isSmall = found.value.bytes <= MAX_BYTES_AHEAD;
      if (isSmall) next = batches.next();
      // Prevents an unhandled rejection: the error is thrown when the batch is needed.
      next.catch(() => {});
      yield found.value;
      if (!isSmall) next = batches.next();
    }
  } finally {
    await batches.return(undefined);
  }
}

function outsideName(batch: RowBatch, { first, last }: TablePlace): InvalidFile {
  const row = batch.blockOf(0) < first ? 0 : batch.rows - 1;
  return batch.invalid(row, `the file's name claims blocks ${first} to ${last}`);
}

export class OverlappingTables extends BaseError {
  constructor({ name }: TablePlace, next: TablePlace, block: number) {
    super(
      "bad-config",
      `--files: ${name} has block ${block}, but ${next.name} begins with block ${next.first}. Give each block only once`,
    );
  }
}
