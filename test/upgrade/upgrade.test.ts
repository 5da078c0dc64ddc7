import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requireNothingToWrite } from "../../src/cli/complete-tables.ts";
import { openStore, readChains } from "../../src/cli/open-store.ts";
import { sql } from "../../src/engine-sql/sql-text.ts";
import { chainCommits } from "../../src/storage/commits/commit-log.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { Engine } from "../../src/storage/store.ts";
import { requireCurrentTables } from "../../src/storage/tables/upgrade-tables.ts";
import { EXCERPT } from "../support/nodes/bundles.ts";
import { type ReplayNode, startReplayNode } from "../support/nodes/replay/replay-node.ts";
import { temporaryFolder } from "../support/processes/processes.ts";
import { runHere } from "../support/processes/run-here.ts";
import {
  BLOCKS,
  beginNarrow,
  definitionsOf,
  formatOf,
  PROOFS_INDEXED_ON,
  proofsOf,
  rowsOf,
  UNRECORDED,
  unpackEarlierData,
} from "./support/earlier-data.ts";

const folder = temporaryFolder();
const fresh = join(folder.path, "fresh");
let node: ReplayNode;

beforeAll(async () => {
  node = await startReplayNode([join(EXCERPT, "mainnet-17686110")]);
  await beginNarrow(fresh);
  await succeeds("index", "--rpc", node.url, ...BLOCKS, "--data", fresh);
});

afterAll(async () => {
  await node.stop();
  folder.remove();
});

const earlierData = (name: string) => unpackEarlierData(join(folder.path, name));

async function succeeds(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runHere(args);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout;
}

async function withStore<T>(data: string, run: (engine: Engine) => Promise<T>): Promise<T> {
  const { engine, close } = await openStore({ data });
  try {
    return await run(engine);
  } finally {
    await close();
  }
}

/** Runs work with only the engine open, which upgrades nothing. */
async function withEngine<T>(data: string, run: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openEmbeddedEngine({ path: join(data, "engine") });
  try {
    return await run(engine);
  } finally {
    await engine.close();
  }
}

it("upgrades a data directory of the earlier version: all rows stay, and indexing continues", async () => {
  const data = earlierData("indexed");
  expect(formatOf(data)).toContain("7");
  const before = await withEngine(data, (engine) =>
    engine.query(sql`SELECT count() AS blocks FROM eth_blocks`),
  );
  expect(before).toEqual([{ blocks: 3 }]);

  await succeeds("index", "--rpc", node.url, ...BLOCKS, "--data", data);
  expect(formatOf(data)).toBe(formatOf(fresh));
  const expected = await withStore(fresh, rowsOf);
  expect(await withStore(data, rowsOf)).toEqual(expected);
  expect(await withStore(data, proofsOf)).toEqual(PROOFS_INDEXED_ON);
  expect(await succeeds("doctor", "--data", data)).toContain("healthy");
});

it("gives upgraded tables the definitions of new ones", async () => {
  const data = earlierData("defined");
  const upgraded = await withStore(data, definitionsOf);
  expect(upgraded).toEqual(await withStore(fresh, definitionsOf));
  // The second start finds nothing to do.
  expect(await withStore(data, definitionsOf)).toEqual(upgraded);
});

it("a command that only reads also upgrades", async () => {
  const data = earlierData("queried");
  const query = ["query", "SELECT COUNT(*) AS blocks FROM eth_blocks", "--data", data];
  const { stdout, stderr } = await runHere(query);
  expect(stdout).toContain("3");
  expect(stderr).toContain("from data format 7 to 10");
  expect(formatOf(data)).toBe(formatOf(fresh));
});

it("completes an upgrade and an exchange of rows that were interrupted", async () => {
  const data = earlierData("interrupted");
  await withEngine(data, async (engine) => {
    // As if the earlier version had been killed while it replaced a partition with a copy that lacks block
    // 17686112.
    await engine.execute(sql`CREATE TABLE eth_blocks_exchange AS eth_blocks`);
    await engine.execute(
      sql`INSERT INTO eth_blocks_exchange SELECT * FROM eth_blocks WHERE block_number < 17686112`,
    );
    await engine.execute(sql`ALTER TABLE eth_blocks ADD COLUMN proof LowCardinality(String)
      DEFAULT 'unrecorded' AFTER balance_count`);
  });
  const { openChain, engine, close } = await openStore({ data });
  for (const chain of await readChains(engine)) await openChain(chain);
  expect(await proofsOf(engine)).toEqual([
    { number: 17686110, ...UNRECORDED },
    { number: 17686111, ...UNRECORDED },
  ]);
  expect(await engine.query(sql`SELECT name FROM system.tables WHERE endsWith(name, '_exchange')`)).toEqual(
    [],
  );
  await close();
});

it("a command that only reads completes an exchange of rows that was interrupted", async () => {
  const data = earlierData("exchanged");
  await succeeds("query", "SELECT COUNT(*) AS blocks FROM eth_blocks", "--data", data);
  await withEngine(data, (engine) => leaveExchanging(engine));
  const query = ["query", "SELECT COUNT(*) AS blocks FROM eth_blocks", "--data", data, "--format", "csv"];
  expect(await succeeds(...query)).toBe('"blocks"\n3\n');
  const names = sql`SELECT name FROM system.tables WHERE endsWith(name, '_exchange') OR endsWith(name, '_copy')`;
  expect(await withEngine(data, (engine) => engine.query(names))).toEqual([]);
});

it("readers wait for an interrupted exchange of rows, and a read-only directory with one is refused", async () => {
  const data = earlierData("waiting");
  await succeeds("query", "SELECT COUNT(*) AS blocks FROM eth_blocks", "--data", data);
  await withEngine(data, async (engine) => {
    await leaveExchanging(engine);
    await expect(chainCommits(engine, "eth").committed()).rejects.toMatchObject({ code: "not-ready" });
    await expect(requireNothingToWrite(engine, data)).rejects.toThrow(/removal of rows was interrupted/);
  });
});

/**
 * Leaves the tables as if the engine had been killed while it replaced a partition: the old rows are still
 * there.
 */
async function leaveExchanging(engine: Engine): Promise<void> {
  await engine.execute(sql`CREATE TABLE eth_blocks_exchange AS eth_blocks`);
  await engine.execute(sql`INSERT INTO eth_blocks_exchange SELECT * FROM eth_blocks`);
  await engine.execute(sql`INSERT INTO eth_blocks SELECT * FROM eth_blocks_exchange`);
}

it("a backup of upgraded tables restores their rows", async () => {
  const data = earlierData("saved");
  const before = await withStore(data, rowsOf);
  const [backups, restored] = [join(folder.path, "backups"), join(folder.path, "restored")];
  await succeeds("backup", "--to", backups, "--data", data);
  await succeeds("restore", "--from", backups, "--data", restored);
  expect(await withStore(restored, rowsOf)).toEqual(before);
  expect(await withStore(restored, proofsOf)).toEqual(await withStore(data, proofsOf));
});

it("a process that may not change the tables says who upgrades them", async () => {
  const data = earlierData("unchanged");
  await expect(withEngine(data, (engine) => requireCurrentTables(engine, "eth"))).rejects.toThrow(
    /earlier version of Quarry wrote the tables of chain eth: eth_blocks lacks proof\..*quarry start/,
  );
});
