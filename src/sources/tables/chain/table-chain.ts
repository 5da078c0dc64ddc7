import { BaseError } from "../../../lib/error.ts";
import { InvalidFile } from "../../e2store/invalid-file.ts";
import { rowsOf, sentRows } from "../../rows/block/block-rows.ts";
import type { UnreadBlock } from "../../rows/block/read-block.ts";
import { readHeader } from "../../rows/block/read-headers.ts";
import type { TableBlock, TableHeader } from "../../rows/block/table-block.ts";
import { blockColumnOf, type TableFormat, type TableKind } from "../../rows/formats/table-format.ts";
import type { BlockRange } from "../../source.ts";
import { OverlappingTables, RowStream } from "./row-stream.ts";
import type { TablePlace } from "./table-place.ts";

type Places = Readonly<Record<TableKind, readonly TablePlace[]>>;

/** Other results of the search for files, besides the list of files with rows. */
interface OtherTables {
  /** Kinds with at least one file, even if it has no rows. */
  empty: ReadonlySet<TableKind>;
  /** Names of files whose columns are not known. */
  unknown: readonly string[];
}

/** Files with the rows of consecutive blocks: headers, transactions, receipts and logs. */
export class TableChain {
  readonly format: TableFormat;
  readonly range: BlockRange;
  readonly #places: Places;

  private constructor(format: TableFormat, places: Places, range: BlockRange) {
    this.format = format;
    this.#places = places;
    this.range = range;
  }

  /**
   * Sorts the files, and checks from their first and last rows that they fit together.
   *
   * @throws MissingKind, MissingBlocks, OverlappingTables, InvalidFile
   */
  static async of(
    found: readonly TablePlace[],
    format: TableFormat,
    { empty, unknown }: OtherTables,
  ): Promise<TableChain> {
    const of = (kind: TableKind) =>
      found.filter((place) => place.kind === kind).toSorted((a, b) => a.first - b.first);
    const places = {
      blocks: of("blocks"),
      transactions: of("transactions"),
      receipts: of("receipts"),
      logs: of("logs"),
    };
    for (const sorted of Object.values(places)) requireDistinct(sorted);
    requireConsecutive(places.blocks);
    for (const kind of requiredKinds(format))
      if (places[kind].length === 0 && !empty.has(kind)) throw new MissingKind(kind, format, unknown);
    const [first] = places.blocks;
    const last = places.blocks.at(-1);
    if (first === undefined || last === undefined) throw new MissingKind("blocks", format, unknown);
    return new TableChain(format, places, { from: first.first, to: await lastBlockOf(last) });
  }

  /** Returns the number of files with rows. */
  get files(): number {
    return Object.values(this.#places).reduce((sum, places) => sum + places.length, 0);
  }

  /** Returns the header of a block; null if the files lack it. */
  async header(number: number): Promise<TableHeader | null> {
    if (number < this.range.from || number > this.range.to) return null;
    for await (const { header } of this.headers({ from: number, to: number })) return header;
    return null;
  }

  /** Yields the headers of a range. */
  async *headers({ from, to }: BlockRange): AsyncGenerator<Pick<TableBlock, "header" | "invalid">> {
    const stream = new RowStream(this.#places.blocks, from);
    try {
      await stream.skipTo(from);
      for (let number = from; number <= to; number++) {
        const [only, second] = [...rowsOf(await stream.take(number))];
        if (only === undefined) throw new MissingBlock(number, this.#fileOf(number));
        if (second !== undefined) throw second.batch.invalid(second.row, "the block is duplicated");
        const { batch, row } = only;
        yield {
          header: readHeader(batch, row, this.format),
          invalid: (problem) => batch.invalid(row, problem),
        };
      }
      if (to === this.range.to) await stream.requireEnd();
    } finally {
      await stream.close();
    }
  }

  /**
   * Yields the rows of the blocks of a range, in order.
   *
   * @throws InvalidFile, MissingBlock, OverlappingTables
   */
  async *blocks(range: BlockRange): AsyncGenerator<UnreadBlock> {
    const streams: RowStream[] = [];
    // Rows before the first block of the files are an error, so they must not be skipped when all blocks are
    // read.
    const fromBlock = range.from > this.range.from ? range.from : 0;
    const open = (kind: TableKind) => {
      const stream = new RowStream(this.#places[kind], fromBlock, true);
      streams.push(stream);
      return stream;
    };
    const transactions = open("transactions");
    const receipts = this.format.receiptsIn === "receipts" ? open("receipts") : null;
    const logs = open("logs");
    try {
      if (fromBlock > 0) for (const stream of streams) await stream.skipTo(range.from);
      for await (const { header, invalid } of this.headers(range)) {
        const { number } = header;
        const rows = {
          transactions: await transactions.take(number),
          receipts: receipts === null ? null : await receipts.take(number),
          logs: await logs.take(number),
        };
        yield { header, rows: sentRows(rows), invalid };
      }
      if (range.to === this.range.to) for (const stream of streams) await stream.requireEnd();
    } finally {
      for (const stream of streams) await stream.close();
    }
  }

  #fileOf(number: number): string {
    return this.#places.blocks.findLast(({ first }) => first <= number)?.name ?? "";
  }
}

/** Returns the kinds of files that a format requires. A kind without rows has an empty file. */
function requiredKinds({ receiptsIn }: TableFormat): TableKind[] {
  return ["blocks", "transactions", "logs", ...(receiptsIn === "receipts" ? (["receipts"] as const) : [])];
}

function requireDistinct(sorted: readonly TablePlace[]): void {
  for (const [i, place] of sorted.entries()) {
    const next = sorted[i + 1];
    if (place.last < place.first) {
      const problem = `the rows are not in order: they begin with block ${place.first} and end with block ${place.last}`;
      throw new InvalidFile(place.name, "rows", problem);
    }
    if (next !== undefined && next.first <= place.last) throw new OverlappingTables(place, next, next.first);
  }
}

function requireConsecutive(blocks: readonly TablePlace[]): void {
  for (const [i, place] of blocks.entries()) {
    const next = blocks[i + 1];
    if (next !== undefined && next.first !== place.last + 1) throw new MissingBlocks(place, next);
  }
}

/**
 * Returns the last block of a file from its rows, because the file's name may claim more blocks than it has.
 */
async function lastBlockOf(place: TablePlace): Promise<number> {
  const { file } = await place.open();
  try {
    const range = await file.blockRange(blockColumnOf(place.format, "blocks"));
    if (range === null) throw new InvalidFile(place.name, "rows", "the file has no rows");
    return range.last;
  } finally {
    await file.close();
  }
}

class MissingKind extends BaseError {
  constructor(kind: TableKind, { origin }: TableFormat, unknown: readonly string[]) {
    const others = unknown.length === 0 ? "" : `. These files have unknown columns: ${someOf(unknown)}`;
    super("bad-config", `--files: no ${origin} file has ${kind}. Give files of all kinds${others}`);
  }
}

const SHOWN_NAMES = 3;

export function someOf(names: readonly string[]): string {
  return names.slice(0, SHOWN_NAMES).join(", ") + (names.length > SHOWN_NAMES ? ", …" : "");
}

class MissingBlocks extends BaseError {
  constructor({ name, last }: TablePlace, next: TablePlace) {
    super(
      "bad-config",
      `--files: blocks ${last + 1} to ${next.first - 1} are missing between ${name} and ${next.name}. Add their files`,
    );
  }
}

class MissingBlock extends InvalidFile {
  constructor(number: number, file: string) {
    super(file, `block ${number}`, "the block is missing");
  }
}
