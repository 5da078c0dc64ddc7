import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BlockRef } from "../../src/schema/block.ts";
import type { HeaderContent, HeaderSource } from "../../src/sources/blocks/header-fetcher.ts";
import type { Prover } from "../../src/sources/prover/prover.ts";
import type { Source } from "../../src/sources/source.ts";
import { openTables, tableFilesAt } from "../../src/sources/tables/table-files.ts";
import { openTableSource } from "../../src/sources/tables/table-source.ts";
import { keccakHex } from "../../src/sources/verify/encoding.ts";
import { parseBlock } from "../../src/sources/wire/parse.ts";
import { encodeHeader } from "../../test/support/era-files/encoded-block.ts";
import { wholeBlocks } from "../../test/support/era-files/whole-blocks.ts";
import { cryoTables } from "../../test/support/table-files/cryo-tables.ts";
import { awsTables, etlTables } from "../../test/support/table-files/etl-tables.ts";
import type { JsonBlock, TableColumns, TableOfFile } from "../../test/support/table-files/table-rows.ts";
import { csvOf, jsonOf, parquetOf, writeTables } from "../../test/support/table-files/write-tables.ts";
import { printTable } from "./print-table.ts";

/** Number of blocks per file, cryo's default. */
const FILE_BLOCKS = 100;

/** Returns the recorded blocks, repeated as a chain with new numbers, parents and hashes. */
function repeated(count: number): JsonBlock[] {
  const recorded = wholeBlocks(12) as unknown as JsonBlock[];
  const first = Number(recorded[0]?.block.number);
  const chain: JsonBlock[] = [];
  for (let i = 0; i < count; i++) {
    const { block: like, receipts: likes } = recorded[i % recorded.length] as JsonBlock;
    const number = `0x${(first + i).toString(16)}`;
    const parentHash = chain.at(-1)?.block.hash ?? like.parentHash;
    const block: JsonBlock["block"] = { ...like, number, parentHash };
    block.hash = keccakHex(encodeHeader(parseBlock(block, first + i)));
    const at = { blockHash: block.hash, blockNumber: number };
    block.transactions = like.transactions.map((transaction) => ({ ...transaction, ...at }));
    const receipts = likes.map((receipt) => ({
      ...receipt,
      ...at,
      logs: receipt.logs.map((log) => ({ ...log, ...at })),
    }));
    chain.push({ block, receipts });
  }
  return chain;
}

/** Returns a node that has the blocks in memory. */
function nodeOf(blocks: readonly JsonBlock[]): Source & HeaderSource {
  const first = Number(blocks[0]?.block.number);
  const parsed = blocks.map(({ block }, i) => parseBlock(block, first + i));
  return {
    headers: async (numbers: readonly number[], content: HeaderContent) =>
      numbers.map((number) => {
        const block = parsed[number - first];
        if (block === undefined) throw new Error(`no block ${number}`);
        const { transactions } = block;
        const hashes = transactions.map(({ hash }) => hash);
        const own = content === "transactions" ? transactions : null;
        return { block: { ...block, transactions: [] }, hashes, transactions: own };
      }),
    blockRef: async (): Promise<BlockRef | null> => null,
    close: async () => {},
  } as unknown as Source & HeaderSource;
}

/** Rows of a row group, as cryo writes them: these files have one group each. */
const GROUP_ROWS = 262_144;

const FORMATS = [
  ["cryo", cryoTables, (table: TableColumns) => parquetOf(table, { rowGroupSize: GROUP_ROWS }), "parquet"],
  ["AWS", awsTables, (table: TableColumns) => parquetOf(table, { rowGroupSize: GROUP_ROWS }), "parquet"],
  ["ethereum-etl csv", etlTables, csvOf, "csv"],
  ["ethereum-etl JSON", etlTables, jsonOf, "json"],
] as const;

interface Options {
  folder: string;
  rounds: number;
  /** One for each number of threads. */
  provers: readonly Prover[];
}

/** Prints how fast files of tables are read, checked and converted. */
export async function printTables(count: number, { folder, rounds, provers }: Options): Promise<void> {
  const chain = repeated(count);
  const node = nodeOf(chain);
  const rows: (string | number)[][] = [];
  for (const [name, tables, write, extension] of FORMATS) {
    const path = join(folder, extension, name);
    mkdirSync(path, { recursive: true });
    for (let i = 0; i < count; i += FILE_BLOCKS) {
      const part = tables(chain.slice(i, i + FILE_BLOCKS)) as TableOfFile;
      writeTables(path, part, { write, nameOf: (kind) => `${kind}-${i}.${extension}` });
    }
    const speeds = provers.map((): Speed[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [i, prover] of provers.entries()) speeds[i]?.push(await read(path, node, prover));
    }
    for (const [i, prover] of provers.entries()) rows.push([name, prover.threads, ...shown(speeds[i] ?? [])]);
  }
  process.stdout.write("\n");
  printTable(["files", "threads", "blocks/s", "logs/s", "CPU us a log", "CPU of the decoder", "MiB"], rows);
}

interface Speed {
  blocks: number;
  logs: number;
  /** Processor time per log, of this process and of the process that decodes Parquet. */
  cpuUs: number;
  decoderUs: number;
}

async function read(path: string, node: Source & HeaderSource, prover: Prover): Promise<Speed> {
  const startedMs = performance.now();
  const usage = process.cpuUsage();
  const before = childrenCpuUs();
  const tables = await openTables(await tableFilesAt(path));
  const base = { chainId: 1, anchor: null, allowUnproven: false, stored: null, prover };
  const source = await openTableSource({ ...base, tables, node });
  let blocks = 0;
  let logs = 0;
  for await (const block of source.blocks(source.range, new AbortController().signal)) {
    blocks++;
    logs += block.transactions.reduce((sum, transaction) => sum + transaction.logs.length, 0);
  }
  await source.close();
  const seconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(usage);
  return {
    blocks: blocks / seconds,
    logs: logs / seconds,
    cpuUs: (user + system) / logs,
    decoderUs: Math.max(0, childrenCpuUs() - before) / logs,
  };
}

/** Returns the processor time of the running child processes. */
function childrenCpuUs(): number {
  const stats = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => statOf(pid))
    .filter(([, parent]) => parent === String(process.pid));
  return stats.reduce((sum, stat) => sum + (Number(stat[11]) + Number(stat[12])) * TICK_US, 0);
}

/** The unit of times in /proc. */
const TICK_US = 10_000;

/** Returns the fields of a process after its name; none if it has ended. */
function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  } catch {
    return [];
  }
}

function shown(speeds: readonly Speed[]): (string | number)[] {
  const median = (of: (speed: Speed) => number) =>
    speeds.map(of).sort((a, b) => a - b)[Math.floor(speeds.length / 2)] ?? 0;
  return [
    median(({ blocks }) => blocks).toFixed(0),
    median(({ logs }) => logs).toFixed(0),
    median(({ cpuUs }) => cpuUs).toFixed(1),
    median(({ decoderUs }) => decoderUs).toFixed(1),
    process.memoryUsage().rss >> 20,
  ];
}
