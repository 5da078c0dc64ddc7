import { ethereum } from "../../../src/chains/ethereum.ts";
import { identifier, integer, join, sql } from "../../../src/engine-sql/sql-text.ts";
import type { Reader } from "../../../src/reads/snapshot/snapshot.ts";
import { recordIndexOf } from "../../../src/schema/record-index.ts";
import { TABLE_NAMES, type TableName, tableOf } from "../../../src/schema/tables.ts";
import { appendCommit, chainCommits } from "../../../src/storage/commits/commit-log.ts";
import type { Commit, Engine } from "../../../src/storage/store.ts";
import { engineTable } from "../../../src/storage/tables/ddl.ts";
import { openFreshEngine } from "../../support/engine/fresh-engine.ts";
import { indexMainnet } from "../../support/engine/index-blocks.ts";
import { bundleCounts, MAINNET } from "../../support/nodes/bundles.ts";

export interface CopiedBlocks extends Reader {
  close(): Promise<void>;
}

const BLOCK_SECONDS = 12;

/**
 * Indexes real mainnet blocks, and copies the rows of each table to later blocks until there is a given
 * number of logs. Copies have their own block numbers, times and transaction hashes.
 */
export async function openCopiedBlocks(logs: number): Promise<CopiedBlocks> {
  const { engine, close } = await openFreshEngine();
  const store = await indexMainnet(engine);
  const commit = await store.committed();
  if (commit === null) throw new Error("no block was indexed");
  const counts = bundleCounts(MAINNET);
  const copies = Math.ceil(logs / counts.logs) - 1;
  for (const name of TABLE_NAMES) {
    // Merges would use CPU time while statements are measured.
    await engine.execute(sql`SYSTEM STOP MERGES ${engineTable(ethereum.name, name)}`);
    await copyRows(engine, name, { copies, blocks: counts.blocks });
  }
  await appendCommit(engine, ethereum.name, later(commit, copies * counts.blocks));
  // Reads the commits again, because the store that wrote the blocks does not look for commits of other
  // writers.
  return { engine, chains: [{ chain: ethereum, store: chainCommits(engine, ethereum.name) }], close };
}

/**
 * Copies the rows of a table. Skips tables of which readers see only the newest row of each key, and tables
 * without the column `block_number`.
 */
async function copyRows(
  engine: Engine,
  name: TableName,
  { copies, blocks }: { copies: number; blocks: number },
): Promise<void> {
  const { columns, newestOf, blockColumn } = tableOf(name);
  if (newestOf !== undefined || blockColumn !== "block_number") return;
  const copied = {
    block_number: sql`block_number + copy * ${integer(blocks)}`,
    record_index: sql`record_index + copy * ${integer(recordIndexOf("wide", blocks, 0))}`,
    timestamp: sql`timestamp + copy * ${integer(blocks * BLOCK_SECONDS)}`,
    transaction_hash: sql`toFixedString(concat(sipHash128(transaction_hash, copy), sipHash128(copy, transaction_hash)), 32)`,
  };
  const values = Object.keys(columns).map((column) =>
    column in copied ? copied[column as keyof typeof copied] : identifier(column),
  );
  const table = engineTable(ethereum.name, name);
  await engine.execute(
    sql`INSERT INTO ${table} (${join(Object.keys(columns).map(identifier))}) SELECT ${join(values)} FROM ${table} CROSS JOIN (SELECT number AS copy FROM numbers(1, ${integer(copies)})) AS copies`,
  );
}

function later(commit: Commit, blocks: number): Commit {
  return {
    ...commit,
    sequence: commit.sequence + 1,
    blockNumber: commit.blockNumber + blocks,
    timestamp: commit.timestamp + blocks * BLOCK_SECONDS,
  };
}
