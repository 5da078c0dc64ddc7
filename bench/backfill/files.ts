/**
 * How many blocks per second can be read from block files, with every proof? Writes real mainnet blocks many
 * times into an ere and an era1 file and reads them, once with the proof and the senders, and once all the
 * way into the tables. Repeats that with 0 to N threads, in several rounds, and prints the medians.
 *
 * Then measures how many logs per second can be read, checked and converted from files of cryo, AWS and
 * ethereum-etl, with the same numbers of threads.
 *
 *   npm run bench -- files [--blocks 240] [--threads 2] [--rounds 3]
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ethereum } from "../../src/chains/ethereum.ts";
import { Indexer } from "../../src/ingest/indexer.ts";
import type { Hex } from "../../src/lib/hex.ts";
import type { ContractCall } from "../../src/schema/contract-call.ts";
import { openEraSource } from "../../src/sources/files/era-source.ts";
import { localFiles } from "../../src/sources/files/local-files.ts";
import { Prover } from "../../src/sources/prover/prover.ts";
import type { Source } from "../../src/sources/source.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import { repeatedBlocks } from "../../test/support/era-files/whole-blocks.ts";
import { writeEra1, writeEre } from "../../test/support/era-files/write-era.ts";
import { MAINNET } from "../../test/support/nodes/bundles.ts";
import { recordedCalls } from "../../test/support/nodes/recording.ts";
import { benchOptions } from "../support/bench-options.ts";
import { printTable } from "../support/print-table.ts";
import { printTables } from "../support/read-tables.ts";

const { blocks, threads, rounds } = benchOptions(
  { blocks: 240, threads: 2, rounds: 3 },
  { blocks: 8, threads: 1, rounds: 1 },
);
const folder = mkdtempSync(join(tmpdir(), "quarry-bench-"));
const engine = await openEmbeddedEngine({ path: join(folder, "engine") });
const encoded = repeatedBlocks(blocks);
const first = encoded[0]?.number ?? 0;
const last = encoded.at(-1);
const { signal } = new AbortController();
const call: (calls: ContractCall[]) => Promise<(Hex | null)[]> = recordedCalls(MAINNET);

async function open(path: string, prover: Prover): Promise<Source> {
  const anchor: Hex = `0x${Buffer.from(last?.hash ?? []).toString("hex")}`;
  const places = await localFiles(path);
  return openEraSource({ places, chainId: 1, node: null, anchor, stored: null, prover, signal });
}

interface Speed {
  blocksPerSecond: number;
  /** Processor time of all threads. */
  cpuMsPerBlock: number;
}

async function measured(count: number, run: () => Promise<void>): Promise<Speed> {
  const started = { ms: performance.now(), cpu: process.cpuUsage() };
  await run();
  const { user, system } = process.cpuUsage(started.cpu);
  return {
    blocksPerSecond: count / ((performance.now() - started.ms) / 1_000),
    cpuMsPerBlock: (user + system) / 1_000 / count,
  };
}

async function read(path: string, prover: Prover): Promise<void> {
  const source = await open(path, prover);
  const range = { from: first, to: first + blocks - 1 };
  for await (const _ of source.blocks(range, signal));
  await source.close();
}

async function index(path: string, name: string, prover: Prover): Promise<void> {
  const files = await open(path, prover);
  const source: Source = {
    head: () => files.head(),
    nextHead: (pollMs, stop) => files.nextHead(pollMs, stop),
    blockRef: (number) => files.blockRef(number),
    hasBlock: (block) => files.hasBlock(block),
    requireUndisputed: (block) => files.requireUndisputed(block),
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
}

const files = (
  [
    ["ere", writeEre],
    ["era1", writeEra1],
  ] as const
).map(([name, write]) => {
  const path = join(folder, `blocks.${name}`);
  const content = write(encoded);
  writeFileSync(path, content);
  return { name, path, kib: (content.length / blocks / 2 ** 10).toFixed(0) };
});
const provers = Array.from({ length: threads + 1 }, (_, count) => new Prover(count));
// The first run makes the threads load and compile their code.
for (const prover of provers) await read(files[0]?.path ?? "", prover);
const speeds = new Map<string, { proven: Speed[]; indexed: Speed[] }>();
for (let round = 0; round < rounds; round++) {
  for (const { name, path } of files) {
    for (const prover of provers) {
      const key = `${name}${prover.threads}`;
      const found = speeds.get(key) ?? { proven: [], indexed: [] };
      speeds.set(key, found);
      found.proven.push(await measured(blocks, () => read(path, prover)));
      found.indexed.push(await measured(blocks, () => index(path, `${key}round${round}`, prover)));
    }
  }
}
const rows = files.flatMap(({ name, kib }) =>
  provers.map((prover) => {
    const { proven = [], indexed = [] } = speeds.get(`${name}${prover.threads}`) ?? {};
    return [name, kib, prover.threads, ...shown(proven), ...shown(indexed)];
  }),
);
const head = ["file", "KiB per block", "threads", "proven blocks/s", "CPU ms a block", "indexed blocks/s"];
printTable([...head, "CPU ms a block"], rows);
await printTables(blocks, { folder, rounds, provers });
for (const prover of provers) await prover.close();
await engine.close();
rmSync(folder, { recursive: true, force: true });

function shown(speeds: readonly Speed[]): string[] {
  return [
    median(speeds.map(({ blocksPerSecond }) => blocksPerSecond)).toFixed(0),
    median(speeds.map(({ cpuMsPerBlock }) => cpuMsPerBlock)).toFixed(1),
  ];
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
