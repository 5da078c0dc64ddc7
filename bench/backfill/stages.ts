/**
 * What does each stage of indexing a block cost? Runs whole mainnet blocks through the stages one after
 * another, in several rounds in one process. Prints each stage's median time per block and its share. The
 * last stage applies a commit to a serving state that contains everything that the blocks change. Then sends
 * the responses of a node through all stages with 0 to N threads in turn. As in a backfill, blocks of the
 * next round are proven while those of this one are prepared and committed.
 *
 *   npm run bench -- stages [--rounds 7] [--threads 2]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ethereum } from "../../src/chains/ethereum.ts";
import { decodeBlock } from "../../src/decode/blocks/decode-block.ts";
import { scanBlock } from "../../src/decode/blocks/scan-block.ts";
import { unknownPools } from "../../src/decode/discovery/unknown-pools.ts";
import { BlockPipeline } from "../../src/ingest/blocks/block-pipeline.ts";
import { discoverContractPools } from "../../src/ingest/discovery/contract-pools.ts";
import { logRows } from "../../src/ingest/rows/raw-rows.ts";
import type { Block } from "../../src/schema/block.ts";
import { TABLE_NAMES, tableOf } from "../../src/schema/tables.ts";
import { ServingState } from "../../src/serving/serving-state.ts";
import { toBlock } from "../../src/sources/conversion/convert.ts";
import { Prover } from "../../src/sources/prover/prover.ts";
import { verifySenders } from "../../src/sources/prover/verify-senders.ts";
import { verifyBlock } from "../../src/sources/verify/verify-block.ts";
import { parseBlock, parseReceipts } from "../../src/sources/wire/parse.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import { encodeRows } from "../../src/storage/rows/row-binary.ts";
import { bundleCounts, MAINNET, readGzLines } from "../../test/support/nodes/bundles.ts";
import { recordedCalls } from "../../test/support/nodes/recording.ts";
import { benchOptions } from "../support/bench-options.ts";
import { printTable } from "../support/print-table.ts";
import { provenBlocks, responsesOf } from "../support/response-bodies.ts";
import { fillKeysOf } from "../support/serving/known-keys.ts";

const { rounds, threads } = benchOptions({ rounds: 7, threads: 2 }, { rounds: 1, threads: 1 });
const { first } = bundleCounts(MAINNET);

const lines = {
  blocks: readGzLines(MAINNET, "blocks.ndjson.gz"),
  receipts: readGzLines(MAINNET, "receipts.ndjson.gz"),
};
const folder = mkdtempSync(join(tmpdir(), "quarry-bench-"));
const engine = await openEmbeddedEngine({ path: folder });
const source = { call: recordedCalls(MAINNET), pastLogs: async () => null };
const times = new Map<string, number[]>();

async function timed<T>(stage: string, run: () => T | Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await run();
  times.set(stage, [...(times.get(stage) ?? []), performance.now() - startedMs]);
  return result;
}

async function round(number: number): Promise<void> {
  const json = await timed("parse JSON", () => ({
    blocks: lines.blocks.map((line) => JSON.parse(line)),
    receipts: lines.receipts.map((line) => JSON.parse(line)),
  }));
  const rpc = await timed("check form", () =>
    json.blocks.map((block, i) => ({
      block: parseBlock(block, first + i),
      receipts: parseReceipts(json.receipts[i], first + i),
    })),
  );
  await timed("prove", () => rpc.map(({ block, receipts }) => verifyBlock(block, receipts, 1)));
  await timed("senders (--verify-senders)", () => rpc.map(({ block }) => verifySenders(block, 1)));
  const blocks = await timed("convert", () =>
    rpc.map(({ block, receipts }) => toBlock(block, receipts, "proven")),
  );
  const scanned = await timed("scan logs", () => blocks.map((block) => scanBlock(block, ethereum)));
  const pools = await timed("discover pools", () =>
    discoverContractPools(unknownPools(scanned, new Map()), ethereum, source.call, first),
  );
  await timed("decode", () => scanned.map((block) => decodeBlock(block, pools, ethereum)));
  await timed("rows of logs", () => blocks.map((block) => logRows("wide", block)));
  // Each round uses a separate chain, because the pipeline reads the chain's tables.
  const chain = { ...ethereum, name: `round${number}` };
  const store = await openChainStore(engine, chain.name);
  const pipeline = new BlockPipeline({ chain, source, engine });
  const batch = await timed("prepare (discover, decode, price, rows)", () =>
    pipeline.prepare(nonEmpty(blocks), null),
  );
  await timed("encode", () => TABLE_NAMES.map((name) => encodeRows(tableOf(name), batch.rows[name] ?? [])));
  await timed("commit (encode, write)", () => store.commit(batch));
}

/** Commits the first half of the blocks before the measurement, and measures only the second half. */
async function servingRound(number: number): Promise<void> {
  const chain = { ...ethereum, name: `serving${number}` };
  const store = await openChainStore(engine, chain.name);
  const pipeline = new BlockPipeline({ chain, source, engine });
  const blocks = lines.blocks.map((line, i) => proven(line, lines.receipts[i] ?? "", first + i));
  const half = Math.ceil(blocks.length / 2);
  const committed = await store.commit(await pipeline.prepare(nonEmpty(blocks.slice(0, half)), null));
  const batch = await pipeline.prepare(nonEmpty(blocks.slice(half)), committed);
  const serving = new ServingState(2 ** 30);
  serving.startAt(committed);
  const readable = { chain, store, serving };
  await fillKeysOf(batch.rows, { reader: { engine, chains: [readable] }, readable, limits: {} }, serving);
  const commit = await store.commit(batch);
  const startedMs = performance.now();
  serving.extended(commit, batch.rows);
  const ms = (performance.now() - startedMs) * (blocks.length / (blocks.length - half));
  times.set(SERVING, [...(times.get(SERVING) ?? []), ms]);
}

const SERVING = "serving state (all keys known)";

function proven(block: string, receipts: string, number: number): Block {
  return toBlock(
    parseBlock(JSON.parse(block), number),
    parseReceipts(JSON.parse(receipts), number),
    "proven",
  );
}

function nonEmpty(blocks: Block[]): [Block, ...Block[]] {
  return blocks as [Block, ...Block[]];
}

for (let number = 0; number < rounds; number++) {
  await round(number);
  await servingRound(number);
}
const total = [...times.values()].reduce((sum, ms) => sum + median(ms), 0);
const rows = [...times].map(([stage, ms]) => [
  stage,
  (median(ms) / lines.blocks.length).toFixed(2),
  ((100 * median(ms)) / total).toFixed(1),
]);
printTable(["stage", "ms a block", "%"], rows);

const responses = responsesOf(first, lines.blocks, lines.receipts);
/** Number of times that the blocks are indexed in a measurement. */
const REPEATS = 4;

async function indexed(prover: Prover, name: string): Promise<number> {
  const startedMs = performance.now();
  let next = provenBlocks(responses, prover);
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const blocks = nonEmpty(await next);
    if (repeat < REPEATS - 1) next = provenBlocks(responses, prover);
    const chain = { ...ethereum, name: `${name}repeat${repeat}` };
    const store = await openChainStore(engine, chain.name);
    await store.commit(await new BlockPipeline({ chain, source, engine }).prepare(blocks, null));
  }
  return (REPEATS * lines.blocks.length) / ((performance.now() - startedMs) / 1_000);
}

async function provenOnly(prover: Prover): Promise<number> {
  const startedMs = performance.now();
  for (let repeat = 0; repeat < REPEATS; repeat++) await provenBlocks(responses, prover);
  return (REPEATS * lines.blocks.length) / ((performance.now() - startedMs) / 1_000);
}

const provers = Array.from({ length: threads + 1 }, (_, count) => new Prover(count));
const speeds = provers.map(() => ({ proven: [] as number[], indexed: [] as number[] }));
// The first run makes the threads load and compile their code.
for (const prover of provers) await provenOnly(prover);
for (let number = 0; number < rounds; number++) {
  for (const [i, prover] of provers.entries()) {
    speeds[i]?.proven.push(await provenOnly(prover));
    speeds[i]?.indexed.push(await indexed(prover, `threads${i}round${number}`));
  }
}
process.stdout.write("\n");
printTable(
  ["threads", "proven blocks/s", "indexed blocks/s"],
  speeds.map(({ proven, indexed }, i) => [i, median(proven).toFixed(0), median(indexed).toFixed(0)]),
);
for (const prover of provers) await prover.close();
await engine.close();
rmSync(folder, { recursive: true });
process.exit(0);

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
