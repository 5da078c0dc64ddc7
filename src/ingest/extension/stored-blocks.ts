import { identifier, integer, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { wholeOf } from "../../lib/async/whole-of.ts";
import { grouped } from "../../lib/collections/grouped.ts";
import { BaseError } from "../../lib/error.ts";
import type { Block } from "../../schema/block.ts";
import { type RowOf, tableOf } from "../../schema/tables.ts";
import type { BlockRange } from "../../sources/source.ts";
import { newestCommit, wasRewritten } from "../../storage/commits/commit-log.ts";
import { decodeRows } from "../../storage/rows/row-reader.ts";
import type { Commit, Engine } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import { rebuiltBlock, type StoredRows } from "./rebuilt-block.ts";

/**
 * Limits of one read: the number of blocks, and the number of transactions plus logs, each of which takes
 * about a third of a kilobyte of memory. Logs are sorted by address, so each read visits most of a month's
 * index marks, and fewer, larger reads are cheaper.
 */
const READ_BLOCKS = 500;
const READ_ITEMS = 30_000;

const LIMITS = { timeoutMs: 120_000 };

/** A stored block, or the number of one whose rows are incomplete. */
export type FoundBlock = { block: Block } | { missing: number };

/**
 * Reads stored blocks in order.
 *
 * @throws ChangedDuringRead if blocks were rolled back or replaced during the read
 */
export async function* storedBlocks(
  engine: Engine,
  chain: string,
  { from, to }: BlockRange,
): AsyncGenerator<FoundBlock> {
  for (let next = from; next <= to; ) {
    const commit = await newestCommit(engine, chain);
    if (commit === null || commit.blockNumber < to) throw new ChangedDuringRead(chain);
    const rows = await readRows(engine, chain, { from: next, to: Math.min(to, next + READ_BLOCKS - 1) });
    await requireUnchanged(engine, chain, commit);
    for (const found of foundBlocks(rows, next)) {
      yield found;
      next++;
    }
  }
}

async function requireUnchanged(engine: Engine, chain: string, commit: Commit): Promise<void> {
  if (await wasRewritten(engine, chain, commit)) throw new ChangedDuringRead(chain);
}

interface ReadRows extends StoredRows {
  /** Last block that was read. */
  last: number;
}

/** Reads the first of these blocks, as many as the limits allow. */
async function readRows(engine: Engine, chain: string, { from, to }: BlockRange): Promise<ReadRows> {
  const blocks = await read(engine, chain, "blocks", within("blocks", { from, to }));
  let items = 0;
  let count = 0;
  for (const { transaction_count, log_count } of blocks) {
    items += transaction_count + log_count;
    if (count > 0 && items > READ_ITEMS) break;
    count++;
  }
  const read_ = blocks.slice(0, count);
  const last = count < blocks.length ? (read_.at(-1)?.block_number ?? to) : to;
  const times = [read_[0]?.timestamp ?? 0, read_.at(-1)?.timestamp ?? 0];
  const rowsOf = <N extends "transactions" | "logs">(table: N) =>
    read(
      engine,
      chain,
      table,
      sql`${within(table, { from, to: last })} AND timestamp >= ${integer(Math.min(...times))}
        AND timestamp <= ${integer(Math.max(...times))}`,
    );
  const [transactions, logs] = await Promise.all([rowsOf("transactions"), rowsOf("logs")]);
  return { blocks: read_, transactions, logs, last };
}

function within(table: "blocks" | "transactions" | "logs", { from, to }: BlockRange): Sql {
  const block = identifier(tableOf(table).blockColumn);
  return sql`${block} >= ${integer(from)} AND ${block} <= ${integer(to)}`;
}

async function read<N extends "blocks" | "transactions" | "logs">(
  engine: Engine,
  chain: string,
  name: N,
  where: Sql,
): Promise<RowOf<N>[]> {
  const table = tableOf(name);
  const statement = sql`SELECT ${join(Object.keys(table.columns).map(identifier))}
    FROM ${engineTable(chain, name)} WHERE ${where} ORDER BY record_index`;
  const rows = await wholeOf(engine.stream(statement, "RowBinary", LIMITS));
  return decodeRows(table, rows) as RowOf<N>[];
}

function* foundBlocks({ blocks, transactions, logs, last }: ReadRows, first: number): Generator<FoundBlock> {
  const ofBlock = ({ block_number }: { block_number: number }) => block_number;
  const blocksBy = grouped(blocks, ofBlock);
  const transactionsBy = grouped(transactions, ofBlock);
  const logsBy = grouped(logs, ofBlock);
  for (let number = first; number <= last; number++) {
    const rows = blocksBy.get(number) ?? [];
    const [row] = rows;
    const block =
      row === undefined || rows.length > 1
        ? null
        : rebuiltBlock(row, transactionsBy.get(number) ?? [], logsBy.get(number) ?? []);
    yield block === null ? { missing: number } : { block };
  }
}

class ChangedDuringRead extends BaseError {
  constructor(chain: string) {
    super(
      "verification",
      `stored blocks of ${chain} were rolled back or replaced while they were being read`,
      {
        retryable: true,
      },
    );
  }
}
