/**
 * What does it cost to follow a chain? Commits small blocks one after another, and prints for each window of
 * commits the processor time of a commit with everything that follows from it, the number of parts of all
 * tables, and the write amplification: how often background merges write each inserted byte again. With
 * `--selector simple`, the engine selects the parts to merge in its default way. With `--logs 2000`, blocks
 * have at least that number of logs, and are two seconds apart as on Base.
 *
 *   npm run bench -- following [--commits 1000] [--window 250] [--transactions 2] [--selector equal] [--logs N]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ethereum } from "../../src/chains/ethereum.ts";
import { sql } from "../../src/engine-sql/sql-text.ts";
import { BlockPipeline } from "../../src/ingest/blocks/block-pipeline.ts";
import type { Block, BlockRef, Transaction } from "../../src/schema/block.ts";
import type { ContractCall } from "../../src/schema/contract-call.ts";
import { TABLE_NAMES } from "../../src/schema/tables.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import { engineTable } from "../../src/storage/tables/ddl.ts";
import { EndlessChain } from "../../test/support/nodes/endless-chain.ts";
import { benchOptions } from "../support/bench-options.ts";
import { printTable } from "../support/print-table.ts";

const IDLE_MS = 8_000;

const LARGE_BLOCK_SECONDS = 2;

/** Number of blocks after which a block is final. */
const FINAL_AFTER = 64;

const options = benchOptions(
  { commits: 1_000, window: 250, transactions: 2, selector: "equal", logs: 0, idleMs: IDLE_MS },
  { commits: 8, window: 4, transactions: 1, selector: "simple", idleMs: 100 },
);
const chain = await EndlessChain.open(ethereum);
const folder = mkdtempSync(join(tmpdir(), "quarry-bench-"));
const engine = await openEmbeddedEngine({ path: folder });
const store = await openChainStore(engine, ethereum.name);
const call = async (calls: ContractCall[]) => calls.map((question) => chain.call(question));
const pipeline = new BlockPipeline({ chain: ethereum, source: { call, pastLogs: async () => null }, engine });
let tip: BlockRef | null = null;
/** Number of the next recorded block to merge into a large block. */
let nextRecorded = chain.first;
const firstTimestamp = chain.block(chain.first).timestamp;
let generatingMs = 0;

/** Returns a block with the transactions of several recorded ones. */
function largeBlock(): Block {
  const number = tip === null ? chain.first : tip.number + 1;
  const merged: Transaction[] = [];
  let logIndex = 0;
  let block = chain.block(nextRecorded);
  while (logIndex < options.logs) {
    for (const transaction of block.transactions) {
      const logs = transaction.logs.map((log) => ({ ...log, logIndex: logIndex++ }));
      merged.push({ ...transaction, transactionIndex: merged.length, logs });
    }
    block = chain.block(++nextRecorded);
  }
  const timestamp = firstTimestamp + LARGE_BLOCK_SECONDS * (number - chain.first);
  const hash = chain.hash(number);
  return {
    ...block,
    number,
    hash,
    parentHash: tip?.hash ?? block.parentHash,
    timestamp,
    transactions: merged,
  };
}

/** Returns the next block, with a few of its transactions. */
function smallBlock(): Block {
  const block = chain.block(tip === null ? chain.first : tip.number + 1);
  const transactions = block.transactions
    .filter(({ logs }) => logs.length > 1)
    .slice(0, options.transactions);
  return { ...block, transactions, parentHash: tip?.hash ?? block.parentHash };
}

function nextBlock(): Block {
  const { user, system } = process.cpuUsage();
  const block = options.logs > 0 ? largeBlock() : smallBlock();
  const after = process.cpuUsage();
  generatingMs += (after.user + after.system - user - system) / 1_000;
  return block;
}

interface Figures {
  /** Values of the engine's counters, by event. */
  events: ReadonlyMap<string, number>;
  cpuMs: number;
  ms: number;
}

async function figures(): Promise<Figures> {
  const all = sql`SELECT event, toFloat64(value) AS value FROM system.events`;
  const rows = await engine.query<{ event: string; value: number }>(all);
  const { user, system } = process.cpuUsage();
  return {
    events: new Map(rows.map(({ event, value }) => [event, value])),
    cpuMs: (user + system) / 1_000,
    ms: performance.now(),
  };
}

async function countParts(): Promise<number> {
  const active = sql`SELECT toUInt32(count()) AS parts FROM system.parts WHERE active`;
  return (await engine.query<{ parts: number }>(active))[0]?.parts ?? 0;
}

/** Returns the share of a core that the process takes while nothing is committed. */
async function idleLoad(): Promise<string> {
  const before = process.cpuUsage();
  await sleep(options.idleMs);
  const { user, system } = process.cpuUsage(before);
  return `${((user + system) / 10 / options.idleMs).toFixed(1)} %`;
}

async function commitWindow(): Promise<(string | number)[]> {
  const before = await figures();
  const generatedBefore = generatingMs;
  for (let i = 0; i < options.window; i++) {
    const batch = await pipeline.prepare([nextBlock()], await store.committed());
    await store.commit({ ...batch, finalized: batch.lastBlock.number - FINAL_AFTER });
    tip = batch.lastBlock;
  }
  const after = await figures();
  const grown = (event: string) => (after.events.get(event) ?? 0) - (before.events.get(event) ?? 0);
  const perCommit = (sum: number) => (sum / options.window).toFixed(1);
  return [
    perCommit(after.cpuMs - before.cpuMs),
    perCommit(generatingMs - generatedBefore),
    perCommit(after.ms - before.ms),
    await countParts(),
    perCommit(grown("InsertedBytes") / 2 ** 10),
    (grown("MergedUncompressedBytes") / grown("InsertedBytes")).toFixed(1),
    perCommit(grown("Merge")),
  ];
}

if (options.selector === "simple") {
  for (const name of TABLE_NAMES) {
    const settings = sql`merge_selector_algorithm = 'Simple', min_parts_to_merge_at_once = 16`;
    await engine.execute(sql`ALTER TABLE ${engineTable(ethereum.name, name)} MODIFY SETTING ${settings}`);
  }
}
const idleBefore = await idleLoad();
const rows: (string | number)[][] = [];
for (let done = options.window; done <= options.commits; done += options.window) {
  rows.push([done, ...(await commitWindow())]);
  process.stderr.write(`${rows.at(-1)?.join("  ")}\n`);
}
printTable(
  [
    "commits",
    "CPU ms",
    "of which making the block",
    "ms",
    "parts",
    "KiB inserted",
    "write amplification",
    "merges a commit",
  ],
  rows,
);
process.stdout.write(`\nidle: ${idleBefore} of a core before, ${await idleLoad()} afterwards\n`);
await engine.close();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
