import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BlockRef } from "../../src/schema/block.ts";
import type { HeaderContent, HeaderSource } from "../../src/sources/blocks/header-fetcher.ts";
import { defaultThreads, Prover } from "../../src/sources/prover/prover.ts";
import type { Source } from "../../src/sources/source.ts";
import { openTables, tableFilesAt } from "../../src/sources/tables/table-files.ts";
import { openTableSource } from "../../src/sources/tables/table-source.ts";
import { keccakHex } from "../../src/sources/verify/encoding.ts";
import { parseBlock } from "../../src/sources/wire/parse.ts";
import { encodeHeader } from "../../test/support/era-files/encoded-block.ts";
import { wholeBlocks } from "../../test/support/era-files/whole-blocks.ts";
import { cryoTables } from "../../test/support/table-files/cryo-tables.ts";
import { awsTables, etlTables } from "../../test/support/table-files/etl-tables.ts";
import type { JsonBlock, TableOfFile } from "../../test/support/table-files/table-rows.ts";
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

/** Prints how fast files of tables are read, checked and converted. */
export async function printTables(count: number, folder: string): Promise<void> {
  const chain = repeated(count);
  const node = nodeOf(chain);
  const parts: JsonBlock[][] = [];
  for (let i = 0; i < count; i += FILE_BLOCKS) parts.push(chain.slice(i, i + FILE_BLOCKS));
  const rows: (string | number)[][] = [];
  for (const [name, tables, write, extension] of [
    ["cryo", cryoTables, parquetOf, "parquet"],
    ["AWS", awsTables, parquetOf, "parquet"],
    ["ethereum-etl csv", etlTables, csvOf, "csv"],
    ["ethereum-etl JSON", etlTables, jsonOf, "json"],
  ] as const) {
    const path = join(folder, `tables-${rows.length}`);
    mkdirSync(path);
    for (const [i, part] of parts.entries()) {
      writeTables(path, tables(part) as TableOfFile, {
        write,
        nameOf: (kind) => `${kind}-${i}.${extension}`,
      });
    }
    rows.push([name, ...(await read(path, node))]);
  }
  process.stdout.write("\n");
  printTable(["files", "blocks/s", "logs/s", "processor time per log, us", "MiB resident"], rows);
}

async function read(path: string, node: Source & HeaderSource): Promise<(string | number)[]> {
  const startedMs = performance.now();
  const usage = process.cpuUsage();
  const tables = await openTables(await tableFilesAt(path));
  const prover = new Prover(defaultThreads());
  const base = { chainId: 1, anchor: null, allowUnproven: false, stored: null, prover };
  const source = await openTableSource({ ...base, tables, node });
  let blocks = 0;
  let logs = 0;
  for await (const block of source.blocks(source.range, new AbortController().signal)) {
    blocks++;
    logs += block.transactions.reduce((sum, transaction) => sum + transaction.logs.length, 0);
  }
  await source.close();
  await prover.close();
  const seconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(usage);
  return [
    (blocks / seconds).toFixed(0),
    (logs / seconds).toFixed(0),
    ((user + system) / logs).toFixed(1),
    process.memoryUsage().rss >> 20,
  ];
}
