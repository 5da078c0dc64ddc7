import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { blockNamed } from "../../test/support/engine/random-rows.ts";
import { openChainStore } from "../storage/clickhouse-store.ts";
import { isHalfRewritten } from "../storage/commits/commit-log.ts";
import { openDataDirectory } from "../storage/directory/data-directory.ts";
import { openRestoredDirectory } from "../storage/directory/restored-directory.ts";
import type { Engine } from "../storage/store.ts";
import { invalidateSummary, writeCheckpoint } from "../storage/summaries/price-summary.ts";
import {
  allBackups,
  backupIds,
  newBackupId,
  partFileName,
  partsOf,
  writeManifest,
} from "./records/manifest.ts";
import { completeInterrupted } from "./snapshot/interrupted.ts";
import { addWebhook, BATCH, contentsOf, extend, StoredChain, withEngine } from "./support/stored-chain.ts";
import type { BackupTarget } from "./targets/target.ts";
import { verifyBackups } from "./verify-backup.ts";

let chain: StoredChain;
const signal = new AbortController().signal;

beforeEach(() => {
  chain = new StoredChain();
});
afterEach(() => chain.remove());

const FIRST = 100;
/** Id of a backup that was made while the clock was ahead. */
const AHEAD = "20990101T000000Z";
const lastAfter = (batches: number) => FIRST + batches * BATCH - 1;

/** Wraps the engine to run something once, after the first statement that contains a string. */
function interrupting(engine: Engine, text: string, run: () => Promise<void>): Engine {
  let isDone = false;
  const execute = async (statement: string) => {
    await engine.execute(statement as never);
    if (isDone || !statement.includes(text)) return;
    isDone = true;
    await run();
  };
  return new Proxy(engine, {
    get: (target, name) => {
      if (name === "execute") return execute;
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

describe("backUpStore and restoreStore", () => {
  it("restore every bit of every table: chains, commits, price summary, webhooks", async () => {
    await chain.write(async (store, engine) => {
      await extend(store, 3, true);
      await addWebhook(engine);
    });
    const before = await chain.contents();
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(["chains", "eth_commits", "eth_seals", "eth_price_extremes", "webhooks"]),
    );
    const { manifest, bytes, copiedBytes } = await chain.backUp();
    expect(copiedBytes).toBe(bytes);
    expect(manifest.chains).toMatchObject([
      { name: "eth", chain_id: 1, first_block: FIRST, last_block: lastAfter(3) },
    ]);
    expect(await chain.restore()).toEqual(before);
    expect(await chain.contents()).toEqual(before);

    const folder = chain.newFolder();
    await chain.restoreInto(folder, manifest.id, chain.target, []);
    const { webhooks, ...others } = before;
    expect(await withEngine(folder, contentsOf)).toEqual(others);
    expect(webhooks?.rows).toBe(1);
  });

  it("copy only the parts that are not stored yet, whatever their names", async () => {
    await chain.write((store) => extend(store, 2));
    const first = await chain.backUp();
    const again = await chain.backUp();
    expect([again.copiedBytes, again.bytes]).toEqual([0, first.bytes]);
    await chain.write((store) => extend(store, 1));
    const third = await chain.backUp();
    expect(third.copiedBytes).toBe(third.bytes - first.bytes);
    // The rollback rebuilds partitions from the same parts, under other names.
    await chain.write((store) => store.rollback(blockNamed(lastAfter(2))));
    const fourth = await chain.backUp();
    expect(fourth.copiedBytes).toBeLessThan(third.copiedBytes / 4);
    const before = await chain.contents();
    expect(await chain.restore()).toEqual(before);
  });

  it("leave out blocks that are committed while tables are frozen", async () => {
    await chain.write(async (store, engine) => {
      await extend(store, 2);
      const before = await contentsOf(engine);
      const busy = interrupting(engine, "_commits` FREEZE", () => extend(store, 1));
      // The first commit is detected, so all tables are frozen again. The second one is made after the blocks
      // were frozen.
      const { manifest } = await chain.backUpWith(
        interrupting(busy, "eth_blocks` FREEZE", () => extend(store, 1)),
      );
      expect((await contentsOf(engine)).eth_blocks?.rows).toBeGreaterThan(before.eth_blocks?.rows ?? 0);
      expect(manifest.chains[0]?.last_block).toBe(lastAfter(3));
    });
    const restored = await chain.restore();
    await chain.write((store) => store.rollback(blockNamed(lastAfter(3))));
    const { eth_commits: _, ...kept } = await chain.contents();
    expect(restored).toMatchObject(kept);
  });

  it("begin again if blocks are rolled back while tables are frozen, so that forks never mix", async () => {
    const manifest = await chain.write(async (store, engine) => {
      await extend(store, 3);
      const fork = async () => {
        await store.rollback(blockNamed(lastAfter(1)));
        await extend(store, 2, false, "b");
      };
      return (await chain.backUpWith(interrupting(engine, "dex_trades` FREEZE", fork))).manifest;
    });
    expect(manifest.chains[0]).toMatchObject({ last_hash: blockNamed(lastAfter(3), "b").hash, commit: 6 });
    const before = await chain.contents();
    expect(await chain.restore()).toEqual(before);
  });

  it.each([
    ["begin again if it is written while it is frozen", "eth_price_extremes", 2],
    ["leave out what is written later", "eth_blocks", 1],
  ])("have the price summary of the commit: %s", async (_, table, batches) => {
    await chain.write(async (store, engine) => {
      await extend(store, 1, true);
      // Committing a batch first summarizes the blocks that were final before it.
      const summarize = () => extend(store, 1, true);
      const busy = interrupting(engine, `${table}\` FREEZE`, summarize);
      const { manifest } = await chain.backUpWith(busy);
      expect(manifest.chains[0]?.last_block).toBe(lastAfter(batches));
      await store.rollback(blockNamed(lastAfter(batches)));
    });
    const restored = await chain.restore();
    const summary = ["eth_seals", "eth_price_extremes", "eth_token_months", "eth_first_trades"];
    const found = await chain.write(async (store, engine) => {
      await invalidateSummary(engine, "eth");
      if (batches === 2) await writeCheckpoint(engine, "eth", lastAfter(1));
      expect((await store.committed())?.blockNumber).toBe(lastAfter(batches));
      return contentsOf(engine);
    });
    for (const name of summary.slice(1)) expect([name, restored[name]]).toEqual([name, found[name]]);
    expect(restored.eth_seals === undefined).toBe(batches === 1);
  });

  it("complete an interrupted rollback, of which a backup would have old and new rows", async () => {
    await chain.write((store) => extend(store, 2));
    const target = blockNamed(lastAfter(2) - 2);
    await withEngine(chain.data, async (engine) => {
      const dying = new Proxy(engine, {
        get: (inner, name) => {
          const value = Reflect.get(inner, name);
          if (typeof value !== "function") return value;
          return (statement: string, ...rest: unknown[]) => {
            if (name === "execute" && statement.includes("REPLACE PARTITION")) throw new Error("killed");
            return value.call(inner, statement, ...rest);
          };
        },
      });
      const store = await openChainStore(dying, "eth");
      await expect(store.rollback(target)).rejects.toThrow("killed");
    });
    await withEngine(chain.data, async (engine) => {
      expect(await isHalfRewritten(engine, "eth")).toBe(true);
      const stop = new AbortController();
      const refused = chain.backUpWith(engine, { signal: stop.signal });
      setTimeout(() => stop.abort(), 1_000);
      await expect(refused).rejects.toThrow("aborted");
      await completeInterrupted(engine);
      const { manifest } = await chain.backUpWith(engine);
      expect(manifest.chains[0]?.last_block).toBe(target.number);
    });
    const before = await chain.contents();
    expect(await chain.restore()).toEqual(before);
  });

  it("need at least one block", async () => {
    await chain.write(async () => undefined);
    await expect(chain.backUp()).rejects.toMatchObject({ code: "bad-config" });
  });
});

/** Wraps a target so that it fails after some writes of parts. */
function failingAfter(target: BackupTarget, writes: number): BackupTarget {
  let left = writes;
  return new Proxy(target, {
    get: (inner, name) => {
      if (name === "write")
        return async (file: string, chunks: AsyncIterable<Uint8Array>) => {
          if (file.startsWith("parts/") && left-- <= 0) throw new Error("the disk broke");
          await inner.write(file, chunks);
        };
      const value = Reflect.get(inner, name);
      return typeof value === "function" ? value.bind(inner) : value;
    },
  });
}

describe("an interrupted backup", () => {
  it("leaves earlier ones as they are, and is continued by the next run, which cleans up", async () => {
    await chain.write((store) => extend(store, 1));
    const first = await chain.backUp();
    const before = await chain.contents();
    await chain.write((store) => extend(store, 2));
    await expect(chain.backUp({ target: failingAfter(chain.target, 5) })).rejects.toThrow("the disk broke");
    expect(await backupIds(chain.target)).toEqual([first.manifest.id]);
    expect(await chain.restore()).toEqual(before);

    const { copiedBytes, bytes } = await chain.backUp();
    const parts = await chain.target.list("parts/");
    expect(copiedBytes).toBeLessThan(bytes - first.bytes);
    const { manifests } = await allBackups(chain.target);
    expect(new Set(parts.map(({ name }) => name))).toEqual(
      new Set(manifests.flatMap((manifest) => [...partsOf(manifest).keys()].map(partFileName))),
    );
    const later = await chain.contents();
    expect(await chain.restore()).toEqual(later);
  });

  it("does not count parts as stored if they are missing or have another size", async () => {
    await chain.write((store) => extend(store, 1));
    const { manifest, bytes } = await chain.backUp();
    const [gone, short] = [...partsOf(manifest).values()];
    rmSync(join(chain.backups, partFileName(gone?.id ?? "")));
    writeFileSync(join(chain.backups, partFileName(short?.id ?? "")), "");
    const again = await chain.backUp();
    expect([again.bytes, again.copiedBytes]).toEqual([bytes, (gone?.bytes ?? 0) + (short?.bytes ?? 0)]);
    const before = await chain.contents();
    expect(await chain.restore()).toEqual(before);
  });
});

describe("a damaged backup", () => {
  it("is found by verify, and not restored; the message names the file", async () => {
    await chain.write((store) => extend(store, 1));
    const { manifest } = await chain.backUp();
    const [changed, missing] = [...partsOf(manifest).keys()].map(partFileName);
    const path = join(chain.backups, changed ?? "");
    const bytes = readFileSync(path);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const folder = chain.newFolder();
    await expect(chain.restoreInto(folder)).rejects.toThrow(`${changed} in ${chain.backups} is damaged`);
    rmSync(join(chain.backups, missing ?? ""));
    const damaged = await verifyBackups({ target: chain.target, manifests: [manifest], signal });
    const backups = [manifest.id];
    expect(damaged).toEqual([
      { file: changed, problem: "damaged", backups },
      { file: missing, problem: "missing", backups },
    ]);
    await expect(openDataDirectory(folder)).rejects.toThrow("was only partly restored");
  });

  it("is not restored if its list of files is damaged, and blocks no further backup", async () => {
    await chain.write((store) => extend(store, 1));
    const { manifest } = await chain.backUp();
    const path = join(chain.backups, "backups", `${manifest.id}.json`);
    writeFileSync(path, readFileSync(path, "utf8").replace('"last_block": 103', '"last_block": 102'));
    await expect(chain.restore()).rejects.toMatchObject({
      code: "verification",
      message: expect.stringContaining(`backups/${manifest.id}.json`),
    });
    const next = await chain.backUp({ keep: 1 });
    expect(next.removed).toEqual([]);
    expect(next.problems).toHaveLength(1);
    const before = await chain.contents();
    expect(await chain.restore(next.manifest.id)).toEqual(before);
  });
});

describe("old backups", () => {
  it("keeps the one just made, and restores it by default, after a clock that was ahead", async () => {
    await chain.write((store) => extend(store, 1));
    const { manifest } = await chain.backUp();
    await writeManifest(chain.target, { ...manifest, id: AHEAD, created_at: 4_070_908_800 });
    await chain.write((store) => extend(store, 2));
    const last = await chain.contents();
    const made = await chain.backUp({ keep: 1 });
    expect(made.removed).toEqual([manifest.id, AHEAD]);
    expect(await backupIds(chain.target)).toEqual([made.manifest.id]);
    expect(made.manifest.created_at).toBeLessThan(4_070_908_800);
    expect(await chain.restore()).toEqual(last);
  });

  it("are removed with the files that only they need", async () => {
    await chain.write((store) => extend(store, 1));
    const first = await chain.backUp();
    await chain.write((store) => extend(store, 1));
    const second = await chain.backUp();
    await chain.write((store) => store.rollback(blockNamed(lastAfter(1))));
    await chain.write((store) => extend(store, 1));
    const third = await chain.backUp({ keep: 2 });
    expect(third.removed).toEqual([first.manifest.id]);
    const fourth = await chain.backUp({ keep: 1 });
    expect(fourth.removed).toEqual([second.manifest.id, third.manifest.id]);
    const stored = await chain.target.list("parts/");
    expect(stored.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(fourth.bytes);
    const before = await chain.contents();
    expect(await chain.restore()).toEqual(before);
  });
});

describe("the directory of a restore", () => {
  it("must be empty, or hold an interrupted restore", async () => {
    await chain.write((store) => extend(store, 1));
    await chain.backUp();
    await expect(chain.restoreInto(chain.data)).rejects.toThrow("it is not empty");
    const before = await chain.contents();
    const folder = chain.newFolder();
    const interrupted = await openRestoredDirectory(folder);
    writeFileSync(join(interrupted.enginePath, "remains"), "");
    await interrupted.release();
    await expect(openDataDirectory(folder)).rejects.toThrow("was only partly restored");
    const [restored] = await chain.restoreInto(folder);
    const rows = Object.entries(before).filter(([name]) => name.startsWith("eth_"));
    expect(restored?.rows).toBe(rows.reduce((sum, [, table]) => sum + table.rows, 0));
  });
});

it.each([
  [[], "20260131T020000Z"],
  [["20260131T015959Z"], "20260131T020000Z"],
  [["20260131T020000Z"], "20260131T020000Z-2"],
  [["20260131T020000Z", "20260131T020000Z-9"], "20260131T020000Z-10"],
  [["20260130T000000Z", AHEAD], `${AHEAD}-2`],
  [[`${AHEAD}-2`], `${AHEAD}-3`],
])("after %j, a backup is called %s", (existing, id) => {
  expect(newBackupId(1_769_824_800, existing)).toBe(id);
});
