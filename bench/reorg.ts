/**
 * What does it cost to roll back a block? Uses a store that has thousands of mainnet blocks and gets another
 * one every 0.3 s, so the engine merges as it does for a follower. In turn, commits a block, rolls back the
 * newest block and prepares its replacement, with reads in between. Repeats this for several ways to select
 * the parts that are merged: `equal` merges parts of the same level; a number is the minimum number of parts
 * that the engine's default selector merges at once.
 *
 *   npm run bench -- reorg [--blocks 2000] [--reorgs 40] [--selectors equal,0,16]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ethereum } from "../src/chains/ethereum.ts";
import { identifier, integer, join as joinSql, sql, text } from "../src/engine-sql/sql-text.ts";
import { BlockPipeline } from "../src/ingest/blocks/block-pipeline.ts";
import { readLatestPrices } from "../src/reads/prices/latest-prices.ts";
import { readOhlc } from "../src/reads/prices/ohlc.ts";
import { snapshotAt } from "../src/reads/snapshot/snapshot.ts";
import type { Block } from "../src/schema/block.ts";
import { TABLE_NAMES, tableOf } from "../src/schema/tables.ts";
import { openChainStore } from "../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../src/storage/engines/embedded-engine.ts";
import type { BlockName } from "../src/storage/store.ts";
import { engineTable, engineTableName } from "../src/storage/tables/ddl.ts";
import { EndlessChain } from "../test/support/nodes/endless-chain.ts";
import { benchOptions } from "./support/bench-options.ts";
import { printTable } from "./support/print-table.ts";

const options = benchOptions(
  { blocks: 2_000, reorgs: 40, selectors: "equal,0,16", warmUpCommits: 64, commitEveryMs: 300 },
  { blocks: 12, reorgs: 4, selectors: "equal,16", warmUpCommits: 2, commitEveryMs: 0 },
);

const BACKFILL_BLOCKS = 80;
/** Number of blocks between two reorgs. */
const QUIET_BLOCKS = 3;

const chains = [
  await EndlessChain.open(ethereum),
  await EndlessChain.open(ethereum, { fork: "fork" }),
] as const;
const folder = mkdtempSync(join(tmpdir(), "quarry-bench-"));
const engine = await openEmbeddedEngine({ path: folder });
const store = await openChainStore(engine, ethereum.name);
const call = async (calls: { to: `0x${string}`; data: `0x${string}` }[]) =>
  calls.map((question) => chains[0].call(question) ?? chains[1].call(question));
const pipeline = new BlockPipeline({ chain: ethereum, source: { call, pastLogs: async () => null }, engine });
let tip: BlockName | null = null;
let nextCommitMs = 0;
let times = new Map<string, number[]>();

async function timed<T>(what: string, run: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await run();
  note(what, performance.now() - startedMs);
  return result;
}

function note(what: string, value: number): void {
  times.set(what, [...(times.get(what) ?? []), value]);
}

/** Returns the next block of a fork. Its parent is the stored tip. */
function nextBlock(fork: 0 | 1): Block {
  const number = tip === null ? chains[0].first : tip.number + 1;
  const block = chains[fork].block(number);
  return tip === null ? block : { ...block, parentHash: tip.hash };
}

async function prepare(block: Block, ...more: Block[]) {
  const committed = await store.committed();
  return pipeline.prepare([block, ...more], committed);
}

async function backfill(count: number): Promise<void> {
  for (let done = 0; done < count; done += BACKFILL_BLOCKS) {
    const first = nextBlock(0);
    const rest = Array.from({ length: Math.min(BACKFILL_BLOCKS, count - done) - 1 }, (_, i) =>
      chains[0].block(first.number + 1 + i),
    );
    const batch = await prepare(first, ...rest);
    await store.commit(batch);
    tip = batch.lastBlock;
  }
}

/** Commits the next block, at the pace of a chain. */
async function follow(): Promise<void> {
  await sleep(Math.max(0, nextCommitMs - performance.now()));
  nextCommitMs = performance.now() + options.commitEveryMs;
  const block = nextBlock(0);
  const startedMs = performance.now();
  const batch = await timed("prepare", () => prepare(block));
  await timed("commit", () => store.commit(batch));
  note("block", performance.now() - startedMs);
  tip = batch.lastBlock;
}

/** Replaces the tip with another block of the same height. */
async function reorganize(before: BlockName, memory: "kept" | "forgotten"): Promise<void> {
  await sleep(Math.max(0, nextCommitMs - performance.now()));
  nextCommitMs = performance.now() + options.commitEveryMs;
  const merged = await tablesWithMergedTip();
  note("merged tables", merged);
  const kind = merged === 0 ? "own parts" : "merged";
  const startedMs = performance.now();
  await timed(`rollback, ${kind}`, () => timed("rollback", () => store.rollback(before)));
  if (memory === "kept") pipeline.rollbackTo(before);
  else pipeline.clear();
  tip = before;
  const block = nextBlock(1);
  const batch = await timed(`prepare, memory ${memory}`, () => prepare(block));
  await store.commit(batch);
  note(`reorg, memory ${memory}`, performance.now() - startedMs);
  tip = batch.lastBlock;
}

/** Returns the number of tables in which rows of the newest block share a part with older blocks. */
async function tablesWithMergedTip(): Promise<number> {
  if (tip === null) return 0;
  const number = integer(tip.number);
  const selects = TABLE_NAMES.map((name) => {
    const table = engineTable(ethereum.name, name);
    const column = identifier(tableOf(name).blockColumn);
    return sql`SELECT min(${column}) < ${number} AS merged FROM ${table}
      WHERE _part IN (SELECT _part FROM ${table} WHERE ${column} = ${number}) HAVING count() > 0`;
  });
  const rows = await engine.query<{ merged: number }>(joinSql(selects, " UNION ALL "));
  return rows.reduce((sum, { merged }) => sum + merged, 0);
}

async function read(): Promise<void> {
  const commit = await store.committed();
  if (commit === null) return;
  const readable = { chain: ethereum, store };
  const snapshot = snapshotAt({ engine, chains: [readable] }, readable, commit, {});
  const token = ethereum.wrappedNative;
  const priceType = "price_token_usd_robust_tick_1";
  await timed("latest price", () => readLatestPrices(snapshot, [token], priceType));
  const until = commit.timestamp;
  const candles = { intervalSeconds: 60, from: until - 6_000, until, maxSize: 100, order: "desc" } as const;
  const rules = { fill: true, openMethod: "prev_close" } as const;
  await timed("100 candles", () =>
    readOhlc(snapshot, { token, pool: "all", priceType, ...candles, ...rules }),
  );
}

async function countParts(): Promise<void> {
  const names = TABLE_NAMES.map((name) => text(engineTableName(ethereum.name, name)));
  const parts = await engine.query<{ parts: number }>(sql`SELECT count() AS parts FROM system.parts
    WHERE active AND database = currentDatabase() AND table IN (${joinSql(names)}) GROUP BY table`);
  note(
    "parts, all tables",
    parts.reduce((sum, row) => sum + row.parts, 0),
  );
  note("parts, fullest table", Math.max(...parts.map((row) => row.parts)));
}

async function applySelector(selector: string): Promise<void> {
  const settings =
    selector === "equal"
      ? sql`merge_selector_algorithm = 'Trivial', min_parts_to_merge_at_once = 0`
      : sql`merge_selector_algorithm = 'Simple', min_parts_to_merge_at_once = ${integer(Number(selector))}`;
  for (const name of TABLE_NAMES) {
    await engine.execute(sql`ALTER TABLE ${engineTable(ethereum.name, name)} MODIFY SETTING ${settings}`);
  }
}

async function measure(selector: string): Promise<void> {
  // Follows the chain until the parts look as if the setting had always been in effect.
  await applySelector(selector);
  for (let i = 0; i < options.warmUpCommits; i++) await follow();
  times = new Map();
  for (let i = 0; i < options.reorgs; i++) {
    let before = tip;
    for (let block = 0; block < QUIET_BLOCKS; block++) {
      before = tip;
      await follow();
      await read();
    }
    if (before !== null) await reorganize(before, i % 2 === 0 ? "kept" : "forgotten");
    await countParts();
  }
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;
}

function report(selector: string): void {
  process.stdout.write(`\nselector ${selector}\n`);
  const commit = quantile(times.get("commit") ?? [], 0.5);
  const rows = [...times].sort().map(([what, values]) => {
    const [middle, high] = [quantile(values, 0.5), quantile(values, 0.95)];
    return [what, middle.toFixed(1), high.toFixed(1), (middle / commit).toFixed(2), values.length];
  });
  printTable(["what", "ms, median", "p95", "of a commit", "samples"], rows);
  const merged = times.get("merged tables") ?? [];
  const share = merged.filter((tables) => tables > 0).length / merged.length;
  process.stdout.write(`tip merged with older rows in ${(100 * share).toFixed(0)} % of the reorgs\n`);
}

await backfill(options.blocks);
for (const selector of options.selectors.split(",")) {
  await measure(selector);
  report(selector);
}
await engine.close();
rmSync(folder, { recursive: true });
process.exit(0);
