import type { Chain } from "../../chains/chain.ts";
import type { TokenList } from "../../chains/token-list.ts";
import { identifier, integer, join, sql, text } from "../../engine-sql/sql-text.ts";
import { BATCH_LIMITS, type BatchLimits, inBatches } from "../../ingest/blocks/batches.ts";
import { BlockPipeline, type Committed } from "../../ingest/blocks/block-pipeline.ts";
import {
  BLOCK_PROOFS,
  type Block,
  type BlockOrigin,
  type BlockProof,
  PROOF_MEANINGS,
  withOrigin,
} from "../../schema/block.ts";
import { PUBLIC_TABLE_NAMES, type Rows, type TableName, tableOf } from "../../schema/tables.ts";
import type { Source } from "../../sources/source.ts";
import { encodeRows } from "../../storage/rows/row-binary.ts";
import type { Commit, Engine } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import { type Finding, FindingList, MAX_EXAMPLES } from "../finding.ts";
import type { BlockSpan, Damage } from "../invariant.ts";

export interface RederiveOptions {
  engine: Engine;
  chain: Chain;
  commit: Commit;
  span: BlockSpan;
  source: Pick<Source, "blocks" | "call" | "pastLogs">;
  signal: AbortSignal;
  onProgress?: (progress: { done: number; total: number }) => void;
  batchLimits?: BatchLimits;
  /**
   * Metadata of tokens whose contracts do not reveal it. It must be the same as when the chain was indexed;
   * default: none.
   */
  tokenList?: TokenList;
}

/** The kinds of proof, from strongest to weakest, so a lower position means a stronger proof. */
const RANKS = join(BLOCK_PROOFS.map(text));

const PROVEN_LESS = {
  name: "blocks proven",
  doc: "each block's proof is at least as strong as the proof of the endpoint's block",
  impact: "some values of these blocks were stored without proof",
  remedy: "blocks" as const,
};

/** Finds blocks that were stored with a weaker proof than the endpoint gives now. */
async function provenLess(blocks: readonly Block[], { engine, chain }: RederiveOptions): Promise<Damage[]> {
  const [first] = blocks;
  const last = blocks.at(-1);
  if (first === undefined || last === undefined) return [];
  const found = await engine.query<{
    number: number;
    proof: BlockProof;
    origin: BlockOrigin;
  }>(sql`SELECT block_number AS number,
    proof, origin FROM ${engineTable(chain.name, "blocks")} WHERE block_number >= ${integer(first.number)}
    AND block_number <= ${integer(last.number)}
    AND indexOf([${RANKS}], proof) > indexOf([${RANKS}], ${text(first.proof)}) ORDER BY number`);
  return found.map(({ number, proof, origin }) => ({
    ...{ first: number, last: number, rows: 1 },
    example: `${withOrigin(`block ${number}`, origin)}: ${PROOF_MEANINGS[proof]}`,
  }));
}

/** Columns that describe how a block was stored, not its content. */
const PROOF_COLUMNS = ["proof", "origin"];

/** Causes of a difference that are not damage. */
const OTHER_CAUSE: Partial<Record<TableName, string>> = {
  token_metadata:
    ", which is not damage if the chain was indexed with other --tokens or if a token was renamed: pass the same " +
    "lists, or leave the blocks as they are",
};

/** Returns the invariant of a table that can only be checked by deriving its rows again. */
const derivedInvariant = (table: TableName) => ({
  name: `${table} derived again`,
  doc: `${table} holds exactly the rows derived from the endpoint's blocks`,
  impact: `${table} differs from the chain${OTHER_CAUSE[table] ?? ""}`,
  remedy: "blocks" as const,
});

/**
 * Fetches and verifies every block of a span, decodes and prices it again, and compares each row with the
 * stored one, bit for bit. State from before the span is read from the store and not checked.
 */
export async function rederive(options: RederiveOptions): Promise<Finding[]> {
  const { engine, chain, commit, span, source, signal, onProgress, tokenList } = options;
  const pipeline = new BlockPipeline({ engine, chain, source, tokenList });
  const list = new FindingList();
  const fetched = source.blocks({ from: span.first, to: span.last }, signal);
  const total = span.last - span.first + 1;
  let before = span.first > commit.firstBlock ? await newestBefore(span.first, options) : null;
  let done = 0;
  for await (const blocks of inBatches(fetched, options.batchLimits ?? BATCH_LIMITS)) {
    const { rows, lastBlock } = await pipeline.prepare(blocks, before);
    list.add(PROVEN_LESS, await provenLess(blocks, options));
    await compareBatch(blocks, rows, list, options);
    const { number: blockNumber, timestamp } = lastBlock;
    before = { firstBlock: commit.firstBlock, blockNumber, timestamp };
    if (pipeline.isFull()) pipeline.evict();
    done += blocks.length;
    onProgress?.({ done, total });
  }
  return list.findings;
}

/** Returns the newest stored block below a number. */
async function newestBefore(
  number: number,
  { engine, chain, commit: { firstBlock } }: RederiveOptions,
): Promise<Committed | null> {
  const [before] = await engine.query<Omit<Committed, "firstBlock">>(sql`SELECT block_number AS blockNumber,
    toUnixTimestamp(timestamp) AS timestamp FROM ${engineTable(chain.name, "blocks")}
    WHERE block_number < ${integer(number)} ORDER BY block_number DESC LIMIT 1`);
  return before === undefined ? null : { firstBlock, ...before };
}

async function compareBatch(
  blocks: readonly Block[],
  rows: Rows,
  list: FindingList,
  options: RederiveOptions,
): Promise<void> {
  const [first, last] = [blocks[0]?.number ?? 0, blocks.at(-1)?.number ?? 0];
  for (const table of PUBLIC_TABLE_NAMES) {
    const derived = (rows[table] ?? []) as AnyRow[];
    if (await isEqual(table, { first, last }, derived, options)) continue;
    const damage: Damage[] = [];
    for (const { number } of blocks) {
      const own = derived.filter((row) => row[tableOf(table).blockColumn] === number);
      if (await isEqual(table, { first: number, last: number }, own, options)) continue;
      const example = damage.length < MAX_EXAMPLES ? await differingColumns(table, number, own, options) : "";
      damage.push({ first: number, last: number, rows: Math.max(1, own.length), example });
    }
    list.add(derivedInvariant(table), damage);
  }
}

type AnyRow = Record<string, unknown>;

/**
 * Returns text that names at most five of the columns in which a block's stored rows differ from the derived
 * ones.
 */
async function differingColumns(
  table: TableName,
  number: number,
  derived: readonly AnyRow[],
  options: RederiveOptions,
): Promise<string> {
  const span = { first: number, last: number };
  const differing: string[] = [];
  for (const column of Object.keys(tableOf(table).columns)) {
    if (table === "blocks" && PROOF_COLUMNS.includes(column)) continue;
    if (!(await isEqual(table, span, derived, { ...options, columns: [column] }))) differing.push(column);
  }
  return `differs in ${differing.slice(0, 5).join(", ")}`;
}

/**
 * Returns whether the stored rows, ordered by record_index, equal the derived rows byte for byte; by default
 * in all columns.
 */
async function isEqual(
  table: TableName,
  span: BlockSpan,
  derived: readonly AnyRow[],
  { engine, chain, ...options }: Pick<RederiveOptions, "engine" | "chain"> & { columns?: readonly string[] },
): Promise<boolean> {
  const declared = tableOf(table);
  const all = Object.keys(declared.columns).filter(
    (name) => table !== "blocks" || !PROOF_COLUMNS.includes(name),
  );
  const columns = options.columns ?? all;
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
