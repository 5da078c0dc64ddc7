/**
 * What takes up a block's disk space, how much does each level of `--keep` save, and would another codec for
 * call data take less? Stores whole mainnet blocks at each level, and prints the size of each table and of
 * each column of `transactions`. Then writes the call data with each codec.
 *
 *   npm run bench -- disk [--rounds 5]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { ethereum } from "../src/chains/ethereum.ts";
import { identifier, integer, join, type Sql, sql, text } from "../src/engine-sql/sql-text.ts";
import { BlockPipeline } from "../src/ingest/blocks/block-pipeline.ts";
import type { Block } from "../src/schema/block.ts";
import { EVERYTHING, KEEP_LEVELS, type KeepLevel } from "../src/schema/scope.ts";
import { TABLE_NAMES } from "../src/schema/tables.ts";
import { openChainStore } from "../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../src/storage/engines/embedded-engine.ts";
import { engineTable } from "../src/storage/tables/ddl.ts";
import { MAINNET } from "../test/support/nodes/bundles.ts";
import { recordedBlocks, recordedCalls } from "../test/support/nodes/recording.ts";
import { benchOptions } from "./support/bench-options.ts";
import { printTable } from "./support/print-table.ts";

const { rounds } = benchOptions({ rounds: 5 }, { rounds: 1 });
/** Most call data above this size is from rollups, and is already compressed. */
const LARGE_BYTES = 5_000;
/**
 * Settings for large compressed blocks, each shared by several marks. There are fewer blocks, but each query
 * decompresses more.
 */
const LARGE_BLOCKS = sql`index_granularity = 1024, min_compress_block_size = 4194304, max_compress_block_size = 4194304`;
const STORED = sql`index_granularity = 1024, min_compress_block_size = 8192`;

interface Way {
  name: string;
  codec: Sql;
  value?: Sql;
  settings?: Sql;
}

const WAYS: readonly Way[] = [
  { name: "none", codec: sql`NONE` },
  ...[1, 3, 6, 9, 12, 19].map((level) => ({ name: `ZSTD(${level})`, codec: sql`ZSTD(${integer(level)})` })),
  { name: "LZ4HC(9)", codec: sql`LZ4HC(9)` },
  { name: "ZSTD(1), without the selector", codec: sql`ZSTD(1)`, value: sql`substring(input, 5)` },
  { name: "ZSTD(1), blocks of 4 MiB", codec: sql`ZSTD(1)`, settings: LARGE_BLOCKS },
  { name: "ZSTD(6), blocks of 4 MiB", codec: sql`ZSTD(6)`, settings: LARGE_BLOCKS },
];

const folder = mkdtempSync(joinPath(tmpdir(), "quarry-bench-"));
const engine = await openEmbeddedEngine({ path: folder });
const blocks = recordedBlocks(MAINNET);
for (const keep of KEEP_LEVELS) await storeBlocks(keep);
await printTables();
process.stdout.write("\nAll tables, by level of --keep:\n");
await printLevels();
process.stdout.write("\nThe transactions, by column:\n");
await printColumns();
process.stdout.write("\nTheir call data, by codec:\n");
await printCodecs();
await engine.close();
rmSync(folder, { recursive: true });
process.exit(0);

/** Returns the name of the chain that is stored at a level of `--keep`. */
function nameOf(keep: KeepLevel): string {
  return keep === "all" ? ethereum.name : keep.replace("-", "");
}

async function storeBlocks(keep: KeepLevel): Promise<void> {
  const source = { call: recordedCalls(MAINNET), pastLogs: async () => null };
  const chain = { ...ethereum, name: nameOf(keep), scope: { ...EVERYTHING, keep } };
  const chainStore = await openChainStore(engine, chain.name);
  const pipeline = new BlockPipeline({ chain, source, engine });
  await chainStore.commit(await pipeline.prepare(blocks as [Block, ...Block[]], null));
}

async function printTables(): Promise<void> {
  const tables = await engine.query<{ name: string; rows: number; bytes: number }>(
    sql`SELECT substring(table, 5) AS name, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND startsWith(table, 'eth_') GROUP BY name HAVING rows > 0 ORDER BY bytes DESC`,
  );
  const total = tables.reduce((sum, { bytes }) => sum + Number(bytes), 0);
  const rows = tables.map(({ name, rows, bytes }) => [
    ...[name, Number(rows), (Number(bytes) / Number(rows)).toFixed(0)],
    ...[(Number(bytes) / 1000 / blocks.length).toFixed(1), ((100 * Number(bytes)) / total).toFixed(1)],
  ]);
  printTable(["table", "rows", "bytes per row", "kB per block", "%"], rows);
}

async function printLevels(): Promise<void> {
  const rows: (string | number)[][] = [];
  let all = 0;
  for (const keep of KEEP_LEVELS) {
    const tables = TABLE_NAMES.map((table) => text(`${nameOf(keep)}_${table}`));
    for (const table of TABLE_NAMES)
      await engine.execute(sql`OPTIMIZE TABLE ${engineTable(nameOf(keep), table)} FINAL`);
    const [size] = await engine.query<{ bytes: number }>(
      sql`SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND table IN (${join(tables)})`,
    );
    const bytes = Number(size?.bytes);
    all ||= bytes;
    rows.push([keep, (bytes / 1000 / blocks.length).toFixed(1), ((100 * bytes) / all).toFixed(1)]);
  }
  printTable(["level", "kB per block", "%"], rows);
}

/**
 * Prints the size of each column. Makes the parts wide first, because small parts have all columns in one
 * file, which hides the sizes of individual columns.
 */
async function printColumns(): Promise<void> {
  const of = engineTable(ethereum.name, "transactions");
  await engine.execute(sql`ALTER TABLE ${of} MODIFY SETTING min_bytes_for_wide_part = 0`);
  await engine.execute(sql`OPTIMIZE TABLE ${of} FINAL`);
  const columns = await engine.query<{ column: string; bytes: number; rows: number }>(
    sql`SELECT column, sum(column_bytes_on_disk) AS bytes, sum(rows) AS rows FROM system.parts_columns WHERE active AND table = 'eth_transactions' GROUP BY column ORDER BY bytes DESC LIMIT 12`,
  );
  const rows = columns.map(({ column, bytes, rows }) => [column, (Number(bytes) / Number(rows)).toFixed(1)]);
  printTable(["column of transactions", "bytes per row"], rows);
}

async function printCodecs(): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const [i, way] of WAYS.entries()) {
    const table = identifier(`trial_${i}`);
    const cpuMs: number[] = [];
    for (let round = 0; round < rounds; round++) cpuMs.push(await cpuMsOf(() => write(table, way)));
    const all = await bytesPerRow(`trial_${i}`);
    await write(table, way, sql`WHERE length(input) <= ${integer(LARGE_BYTES)}`);
    const small = await bytesPerRow(`trial_${i}`);
    rows.push([way.name, all.toFixed(1), small.toFixed(1), Math.min(...cpuMs).toFixed(1)]);
  }
  const small = `bytes per transaction, without call data above ${LARGE_BYTES / 1000} kB`;
  printTable(["codec of the call data", "bytes per transaction", small, "CPU time to write all (ms)"], rows);
}

async function write(table: Sql, { codec, value, settings }: Way, where = sql``): Promise<void> {
  const of = engineTable(ethereum.name, "transactions");
  await engine.execute(sql`DROP TABLE IF EXISTS ${table} SYNC`);
  await engine.execute(
    sql`CREATE TABLE ${table} (block_number UInt64, transaction_index UInt32, input String CODEC(${codec})) ENGINE = MergeTree ORDER BY (block_number, transaction_index) SETTINGS min_bytes_for_wide_part = 0, ${settings ?? STORED}`,
  );
  await engine.execute(
    sql`INSERT INTO ${table} SELECT block_number, transaction_index, ${value ?? sql`input`} FROM ${of} ${where}`,
  );
}

async function bytesPerRow(table: string): Promise<number> {
  const name = `'${table}'` as Sql;
  const [size] = await engine.query<{ bytes: number }>(
    sql`SELECT sum(column_data_compressed_bytes) / sum(rows) AS bytes FROM system.parts_columns WHERE active AND table = ${name} AND column = 'input'`,
  );
  return Number(size?.bytes);
}

/** Returns the processor time of the whole process, including the engine, in ms. */
async function cpuMsOf(run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
