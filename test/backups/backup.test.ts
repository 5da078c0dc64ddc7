import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenStore, openStore } from "../../src/cli/open-store.ts";
import { checkChain } from "../../src/doctor/check/check-chain.ts";
import { sql } from "../../src/engine-sql/sql-text.ts";
import { Indexer } from "../../src/ingest/indexer.ts";
import type { Hex } from "../../src/lib/hex.ts";
import type { Source } from "../../src/sources/source.ts";
import { chainCommits } from "../../src/storage/commits/commit-log.ts";
import type { Engine } from "../../src/storage/store.ts";
import { checksums } from "../support/engine/table-checksums.ts";
import { runQuarry, startQuarry, temporaryFolder, withoutProgress } from "../support/processes/processes.ts";
import { Dice } from "../support/simulation/dice.ts";
import { type FakeBlock, fakeChainFacts } from "../support/simulation/fake-chain.ts";
import { steadySource } from "../support/simulation/fake-source.ts";
import { MovingChain } from "../support/simulation/moving-chain.ts";
import { indexSteadily, quiet } from "../support/simulation/simulation.ts";

const FINALITY = { kind: "depth", blocks: 12 } as const;
const CHAIN = fakeChainFacts("fake", FINALITY);
const SEED = Number(process.env.QUARRY_SEED ?? 7);
const BACKUPS_BY_COMMAND = 4;
const REORGS_PER_BACKUP = 6;

const folder = temporaryFolder();
const data = join(folder.path, "data");
const backups = join(folder.path, "backups");
const chain = new MovingChain(new Dice(SEED), {
  blocks: { empty: 0.1, failed: 0.1 },
  finalityBlocks: FINALITY.blocks,
  leastDepth: 1,
  ...{ grow: 2, fork: 2, flip: 1, cut: 0 },
});

interface ListedBackup {
  backup: string;
  copied_bytes: number;
  bytes: number;
  chains: { name: string; last_block: number; last_hash: Hex; commit: number }[];
}

const made: ListedBackup[] = [];
let reorgs = 0;

/** Returns a source of the moving chain. The chain moves each time the indexer waits for a new head. */
function movingSource(): Source {
  return {
    ...steadySource([]),
    head: async () => chain.head,
    finalized: async () => null,
    blockRef: async (number) => {
      const block = chain.at(number)?.block;
      return block === undefined
        ? null
        : { number: block.number, hash: block.hash, parentHash: block.parentHash };
    },
    async *blocks({ from, to }) {
      for (let number = from; number <= to; number++) {
        const found = chain.at(number);
        if (found !== undefined) yield found.block;
      }
    },
    nextHead: async () => {
      await sleep(5);
      chain.move();
    },
  } as Source;
}

/** Indexes the moving chain until `run` is done, so that the store's commits have many rollbacks. */
async function whileIndexing(store: OpenStore, run: (indexer: Indexer) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const chainStore = await store.openChain(CHAIN);
  const indexer = new Indexer({
    ...{ chain: CHAIN, source: movingSource(), store: chainStore, engine: store.engine, from: 0, to: null },
    ...{ signal: stop.signal, logger: quiet, pollMs: 5, retryWaitsMs: [1, 2, 5] },
  });
  const running = indexer.run();
  await store.publishEngine();
  try {
    await Promise.race([run(indexer), running]);
  } finally {
    stop.abort();
    await running;
  }
}

async function commandBackup(...more: string[]): Promise<ListedBackup> {
  const args = ["backup", "--to", backups, "--data", data, "--json", ...more];
  const { code, stdout, stderr } = await runQuarry(args);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Returns the block with this hash and all its ancestors, oldest first. */
function blocksUpTo(hash: Hex): FakeBlock[] {
  const blocks: FakeBlock[] = [];
  for (let next = chain.named(hash); next !== undefined; next = chain.named(next.block.parentHash))
    blocks.unshift(next);
  return blocks;
}

async function withStore<T>(path: string, run: (store: OpenStore) => Promise<T>): Promise<T> {
  const store = await openStore({ data: path });
  try {
    return await run(store);
  } finally {
    await store.close();
  }
}

/** Indexes blocks from scratch, and returns the rows and hashes of all tables. */
function freshTables(blocks: FakeBlock[]): Promise<Record<string, unknown>> {
  return withStore(join(folder.path, `fresh-${blocks.at(-1)?.block.hash}`), async ({ engine }) => {
    await indexSteadily(engine, { name: CHAIN.name, blocks, from: 0, finality: FINALITY });
    return checksums(engine, CHAIN.name);
  });
}

async function findings(engine: Engine): Promise<string[]> {
  const commit = await chainCommits(engine, CHAIN.name).committed();
  if (commit === null) throw new Error("nothing is restored");
  return (await checkChain({ engine, chain: CHAIN, commit })).map((finding) => JSON.stringify(finding));
}

async function restored(id: string): Promise<string> {
  const into = join(folder.path, `restored-${id}`);
  const { code, stderr } = await runQuarry(["restore", "--from", backups, "--backup", id, "--data", into]);
  expect(withoutProgress(stderr)).toBe("");
  expect(code).toBe(0);
  return into;
}

beforeAll(async () => {
  await withStore(data, async (store) => {
    await whileIndexing(store, async (indexer) => {
      for (let i = 1; i <= BACKUPS_BY_COMMAND; i++) {
        made.push(await commandBackup());
        // On a fast machine, a backup is done before there are many reorgs.
        while (indexer.counters.rollbacks < i * REORGS_PER_BACKUP) await sleep(20);
      }
    });
    const commits = sql`SELECT block_number, lagInFrame(block_number) OVER (ORDER BY sequence) AS previous FROM fake_commits`;
    const [counted] = await store.engine.query<{ reorgs: number }>(
      sql`SELECT countIf(block_number < previous) AS reorgs FROM (${commits})`,
    );
    reorgs = counted?.reorgs ?? 0;
  });
}, 300_000);
afterAll(() => folder.remove());

describe("backups of a chain that is indexed and reorganized meanwhile", () => {
  it("are restored as if the chain had been indexed up to their block, and pass the doctor", async () => {
    expect(reorgs).toBeGreaterThan(20);
    expect(new Set(made.map(({ chains }) => chains[0]?.commit)).size).toBe(made.length);
    for (const { backup, chains } of made) {
      const [{ last_hash: hash } = { last_hash: "0x" as Hex }] = chains;
      const into = await restored(backup);
      const [tables, found] = await withStore(into, async ({ engine }) => [
        await checksums(engine, CHAIN.name),
        await findings(engine),
      ]);
      expect(found).toEqual([]);
      expect(tables).toEqual(await freshTables(blocksUpTo(hash)));
    }
  }, 300_000);

  it("continue to the same tables as the original", async () => {
    const [first] = made;
    const into = join(folder.path, `restored-${first?.backup}`);
    const tables = await withStore(into, async ({ engine, openChain }) => {
      const store = await openChain(CHAIN);
      const source = { ...movingSource(), nextHead: async () => sleep(5) };
      const stop = new AbortController();
      const indexer = new Indexer({
        ...{
          chain: CHAIN,
          source,
          store,
          engine,
          from: 0,
          to: null,
          signal: stop.signal,
          logger: quiet,
          pollMs: 1,
        },
      });
      const running = indexer.run();
      await expect.poll(async () => (await store.committed())?.blockHash).toBe(chain.head.hash);
      stop.abort();
      await running;
      return checksums(engine, CHAIN.name);
    });
    expect(tables).toEqual(await freshTables([...chain.blocks]));
  }, 120_000);
});

describe("quarry backup and restore", () => {
  it("recover after kill -9 at any step, and leave nothing behind", async () => {
    const frozen = join(data, "engine", "shadow");
    const isFreezing = () =>
      existsSync(frozen) && readdirSync(frozen).some((name) => name.startsWith("quarry_"));
    for (let kill = 0; kill < 3; kill++) {
      const running = startQuarry(["backup", "--to", backups, "--data", data]);
      while (!isFreezing() && running.child.exitCode === null) await sleep(2);
      await sleep(kill * 30);
      await running.stop("SIGKILL");
    }
    const list = await runQuarry(["backup", "list", "--from", backups, "--json"]);
    expect(JSON.parse(list.stdout).length).toBeGreaterThanOrEqual(made.length);
    const next = await commandBackup();
    expect(isFreezing()).toBe(false);
    expect(readdirSync(backups).sort()).toEqual(["backups", "parts"]);
    const verified = await runQuarry(["backup", "verify", "--from", backups]);
    expect(verified).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("every file is intact"),
    });

    const into = join(folder.path, "killed-restore");
    const restore = ["restore", "--from", backups, "--backup", next.backup, "--data", into];
    const killed = startQuarry(restore);
    while (!existsSync(join(into, "engine", "restored")) && killed.child.exitCode === null) await sleep(2);
    await killed.stop("SIGKILL");
    const refused = await runQuarry(["query", "SELECT 1", "--data", into, "--url", "http://127.0.0.1:9"]);
    expect(refused.code).not.toBe(0);
    await expect(openStore({ data: into })).rejects.toThrow("was only partly restored");
    expect(await runQuarry(restore)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Restored backup"),
    });
    const tables = await withStore(into, ({ engine }) => checksums(engine, CHAIN.name));
    expect(tables).toEqual(await withStore(data, ({ engine }) => checksums(engine, CHAIN.name)));
  }, 300_000);

  it("explain what is wrong with their arguments", async () => {
    const messages: [args: string[], message: string][] = [
      [["backup", "--data", data], "quarry backup needs --to"],
      [["backup", "list", "--to", backups], "quarry backup list needs --from"],
      [["backup", "--to", join(data, "backups"), "--data", data], "is inside the data directory"],
      [
        ["backup", "--to", backups, "--data", data, "--keep", "0"],
        "--keep must be a whole number of at least 1",
      ],
      [["backup", "--to", "s3://bucket/x", "--data", data], "A bucket needs AWS_ACCESS_KEY_ID"],
      [["backup", "--to", "ftp://host/x", "--data", data], "is not a valid place for backups"],
      [
        ["backup", "--to", backups, "--clickhouse", "http://127.0.0.1:9"],
        "copies the files of a data directory",
      ],
      [["backup", "list", "--from", join(folder.path, "none")], "There is no backup in"],
      [
        ["restore", "--from", backups, "--backup", "x", "--data", join(folder.path, "x")],
        "There is no backup",
      ],
      [["restore", "--from", backups, "--data", data], "it is not empty"],
    ];
    for (const [args, message] of messages) {
      const { code, stderr } = await runQuarry(args, { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "" });
      expect(stderr).toContain(message);
      expect(code).not.toBe(0);
    }
  }, 120_000);
});
