import type { Chain } from "../../chains/chain.ts";
import { identifier, integer, join, sql } from "../../engine-sql/sql-text.ts";
import { BATCH_LIMITS, type BatchLimits, inBatches } from "../../ingest/blocks/batches.ts";
import { BlockPipeline, type Committed } from "../../ingest/blocks/block-pipeline.ts";
import type { Block } from "../../schema/block.ts";
import { PUBLIC_TABLE_NAMES, type Rows, type TableName, tableOf } from "../../schema/tables.ts";
import type { Source } from "../../sources/source.ts";
import { encodeRows } from "../../storage/rows/row-binary.ts";
import type { Commit, Engine } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import { type Finding, FindingList } from "../finding.ts";
import type { BlockSpan, Damage } from "../invariant.ts";

export interface DeepCheck {
  engine: Engine;
  chain: Chain;
  commit: Commit;
  span: BlockSpan;
  source: Pick<Source, "blocks" | "call" | "pastLogs">;
  signal: AbortSignal;
  onProgress?: (progress: { done: number; total: number }) => void;
  batchLimits?: BatchLimits;
}

/** The invariant of one table that only a second derivation can check. */
const derivedInvariant = (table: TableName) => ({
  name: `${table} derived again`,
  doc: `${table} holds, bit for bit, what the endpoint's blocks give now`,
  impact: `${table} has rows that the chain does not give`,
  remedy: "blocks" as const,
});

/**
 * Fetches and proves every block of a span, decodes and prices it again, and compares each row with the stored
 * one, bit for bit. What came before the span is taken from the store as it is.
 */
export async function rederive(check: DeepCheck): Promise<Finding[]> {
  const { engine, chain, commit, span, source, signal, onProgress } = check;
  const pipeline = new BlockPipeline({ engine, chain, source });
  const list = new FindingList();
  const fetched = source.blocks({ from: span.first, to: span.last }, signal);
  const total = span.last - span.first + 1;
  let before = span.first > commit.firstBlock ? await newestBefore(span.first, check) : null;
  let done = 0;
  for await (const blocks of inBatches(fetched, check.batchLimits ?? BATCH_LIMITS)) {
    const { rows, lastBlock } = await pipeline.prepare(blocks, before);
    await compareBatch(blocks, rows, { check, list });
    const { number: blockNumber, timestamp } = lastBlock;
    before = { firstBlock: commit.firstBlock, blockNumber, timestamp };
    if (pipeline.isFull()) pipeline.evict();
    done += blocks.length;
    onProgress?.({ done, total });
  }
  return list.findings;
}

/** The newest stored block below a number. */
async function newestBefore(
  number: number,
  { engine, chain, commit: { firstBlock } }: DeepCheck,
): Promise<Committed | null> {
  const [before] = await engine.query<Omit<Committed, "firstBlock">>(sql`SELECT block_number AS blockNumber,
    toUnixTimestamp(timestamp) AS timestamp FROM ${engineTable(chain.name, "blocks")}
    WHERE block_number < ${integer(number)} ORDER BY block_number DESC LIMIT 1`);
  return before === undefined ? null : { firstBlock, ...before };
}

interface Comparison {
  check: DeepCheck;
  list: FindingList;
}

async function compareBatch(
  blocks: readonly Block[],
  rows: Rows,
  { check, list }: Comparison,
): Promise<void> {
  const [first, last] = [blocks[0]?.number ?? 0, blocks.at(-1)?.number ?? 0];
  for (const table of PUBLIC_TABLE_NAMES) {
    const derived = (rows[table] ?? []) as AnyRow[];
    if (await isEqual({ table, span: { first, last }, derived }, check)) continue;
    const damage: Damage[] = [];
    for (const { number } of blocks) {
      const found = await compareBlock(table, number, { derived, check });
      if (found !== null) damage.push(found);
    }
    list.add(derivedInvariant(table), damage);
  }
}

type AnyRow = Record<string, unknown>;

interface Compared {
  table: TableName;
  span: BlockSpan;
  derived: AnyRow[];
  /** Absent: all columns. */
  columns?: string[];
}

async function compareBlock(
  table: TableName,
  number: number,
  { derived, check }: { derived: AnyRow[]; check: DeepCheck },
): Promise<Damage | null> {
  const declared = tableOf(table);
  const own = derived.filter((row) => row[declared.blockColumn] === number);
  const compared = { table, span: { first: number, last: number }, derived: own };
  if (await isEqual(compared, check)) return null;
  const differing: string[] = [];
  for (const column of Object.keys(declared.columns)) {
    if (!(await isEqual({ ...compared, columns: [column] }, check))) differing.push(column);
  }
  return {
    first: number,
    last: number,
    rows: Math.max(1, own.length),
    example: `other ${differing.slice(0, 5).join(", ")}`,
  };
}

/** Whether the stored rows, in the order of their places, are byte for byte the derived ones. */
async function isEqual(compared: Compared, { engine, chain }: DeepCheck): Promise<boolean> {
  const { table, span, derived } = compared;
  const declared = tableOf(table);
  const columns = compared.columns ?? Object.keys(declared.columns);
  const chosen = Object.fromEntries(
    Object.entries(declared.columns).filter(([name]) => columns.includes(name)),
  );
  const ordered = [...derived].sort((a, b) => Number(a.record_index) - Number(b.record_index));
  const expected = Buffer.concat(encodeRows({ ...declared, columns: chosen }, ordered));
  const block = identifier(declared.blockColumn);
  const query = sql`SELECT ${join(Object.keys(chosen).map(identifier))} FROM ${engineTable(chain.name, table)}
    WHERE ${block} >= ${integer(span.first)} AND ${block} <= ${integer(span.last)} ORDER BY record_index`;
  const parts: Uint8Array[] = [];
  for await (const part of engine.stream(query, "RowBinary")) parts.push(part);
  return expected.equals(Buffer.concat(parts));
}
