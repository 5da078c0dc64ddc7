/**
 * How many blocks per second can be read from block files, with every proof? Writes real mainnet blocks many
 * times into an ere and an era1 file and reads them, once with the proof and the senders, and once all the
 * way into the tables.
 *
 * Then how many logs per second can be read, checked and converted from files of cryo (Parquet, lz4 and snappy,
 * by two readers) and ethereum-etl.
 *
 *   npm run bench -- files [--blocks 600]
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ethereum } from "../src/chains/ethereum.ts";
import { Indexer } from "../src/ingest/indexer.ts";
import type { Hex } from "../src/lib/hex.ts";
import type { ContractCall } from "../src/schema/contract-call.ts";
import { openFileSource } from "../src/sources/files/file-source.ts";
import { localFiles } from "../src/sources/files/local-files.ts";
import type { Source } from "../src/sources/source.ts";
import { openChainStore } from "../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../src/storage/engines/embedded-engine.ts";
import { repeatedBlocks } from "../test/support/era-files/whole-blocks.ts";
import { writeEra1, writeEre } from "../test/support/era-files/write-era.ts";
import { MAINNET } from "../test/support/nodes/bundles.ts";
import { recordedCalls } from "../test/support/nodes/recording.ts";
import { benchOptions } from "./support/bench-options.ts";
import { printTable } from "./support/print-table.ts";
import { printTables } from "./support/read-tables.ts";

const { blocks } = benchOptions({ blocks: 600 }, { blocks: 8 });
const folder = mkdtempSync(join(tmpdir(), "quarry-bench-"));
const engine = await openEmbeddedEngine({ path: join(folder, "engine") });
const encoded = repeatedBlocks(blocks);
const first = encoded[0]?.number ?? 0;
const last = encoded.at(-1);
const { signal } = new AbortController();
const call: (calls: ContractCall[]) => Promise<(Hex | null)[]> = recordedCalls(MAINNET);

async function open(path: string): Promise<Source> {
  const anchor: Hex = `0x${Buffer.from(last?.hash ?? []).toString("hex")}`;
  const places = await localFiles(path);
  return openFileSource({ places, chainId: 1, node: null, anchor, stored: null, signal });
}

async function read(path: string): Promise<number> {
  const startedMs = performance.now();
  const source = await open(path);
  const range = { from: first, to: first + blocks - 1 };
  let count = 0;
  for await (const _ of source.blocks(range, signal)) count++;
  await source.close();
  return count / ((performance.now() - startedMs) / 1_000);
}

async function index(path: string, name: string): Promise<number> {
  const startedMs = performance.now();
  const files = await open(path);
  const source: Source = {
    head: () => files.head(),
    nextHead: (pollMs, stop) => files.nextHead(pollMs, stop),
    blockRef: (number) => files.blockRef(number),
    finalized: () => files.finalized(),
    blocks: (range, stop) => files.blocks(range, stop),
    call,
    pastLogs: async () => null,
    close: () => files.close(),
  };
  const store = await openChainStore(engine, name);
  const logger = { info() {}, warn() {} };
  const to = first + blocks - 1;
  await new Indexer({
    chain: { ...ethereum, name },
    source,
    store,
    engine,
    from: first,
    to,
    signal,
    logger,
  }).run();
  await source.close();
  return blocks / ((performance.now() - startedMs) / 1_000);
}

const rows: (string | number)[][] = [];
for (const [name, write] of [
  ["ere", writeEre],
  ["era1", writeEra1],
] as const) {
  const path = join(folder, `blocks.${name}`);
  const content = write(encoded);
  writeFileSync(path, content);
  const mib = content.length / blocks / 2 ** 10;
  rows.push([name, mib.toFixed(0), (await read(path)).toFixed(0), (await index(path, name)).toFixed(0)]);
}
printTable(["file", "KiB per block", "proven blocks/s", "indexed blocks/s"], rows);
await printTables(blocks, folder);
await engine.close();
rmSync(folder, { recursive: true, force: true });
