import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRestoredDirectory } from "../storage/directory/restored-directory.ts";
import { type Manifest, partFileName, partsOf, writeManifest } from "./records/manifest.ts";
import { extend, StoredChain } from "./support/stored-chain.ts";
import { MissingFile } from "./targets/target-errors.ts";
import { verifyBackups } from "./verify-backup.ts";

let chain: StoredChain;
let manifest: Manifest;

beforeEach(async () => {
  chain = new StoredChain();
  await chain.write((store) => extend(store, 1));
  manifest = (await chain.backUp()).manifest;
});
afterEach(() => chain.remove());

const restore = () => chain.restoreInto(chain.newFolder(), manifest.id);

/** Replaces a file of the backup with a pipe. Opening a pipe waits until another process writes to it. */
function makePipe(name: string): void {
  const path = join(chain.backups, name);
  rmSync(path);
  execFileSync("mkfifo", [path]);
}

describe("a restore refuses", () => {
  it("a manifest and a part that are pipes, for which it would wait forever", async () => {
    const [part] = [...partsOf(manifest).keys()].map(partFileName);
    makePipe(part ?? "");
    await expect(restore()).rejects.toThrow(`${part}: it is not a regular file`);
    makePipe(`backups/${manifest.id}.json`);
    await expect(restore()).rejects.toThrow(`${manifest.id}.json: it is not a regular file`);
  });

  it("a manifest that would take all memory", async () => {
    truncateSync(join(chain.backups, `backups/${manifest.id}.json`), 2 ** 40);
    await expect(restore()).rejects.toThrow("is larger than the 128 MiB");
  });

  it("a chain that its table of chains does not list, because no command would find its rows", async () => {
    await writeManifest(chain.target, { ...manifest, tables: { ...manifest.tables, chains: [] } });
    await expect(restore()).rejects.toThrow('lists the chain "eth" (chain id 1), but its table of chains');
    const [only] = manifest.chains;
    if (only !== undefined)
      await writeManifest(chain.target, { ...manifest, chains: [{ ...only, chain_id: 5 }] });
    await expect(restore()).rejects.toThrow('lists the chain "eth" (chain id 5), but its table of chains');
  });

  it("a part that the engine cannot read, and names it", async () => {
    const [part] = manifest.tables.eth_blocks ?? [];
    const bytes = Buffer.from('{"files":[["data.bin",4]]}\nrows');
    const id = createHash("sha256").update(bytes).digest("hex");
    const forged = { id, sha256: id, bytes: bytes.length, name: part?.name ?? "" };
    mkdirSync(dirname(join(chain.backups, partFileName(id))), { recursive: true });
    writeFileSync(join(chain.backups, partFileName(id)), bytes);
    const tables = { ...manifest.tables, eth_blocks: [forged] };
    await writeManifest(chain.target, { ...manifest, tables });
    await expect(restore()).rejects.toThrow(`cannot read part ${forged.name} of eth_blocks`);
  });

  it("two parts of a table with one name, and names the folder", async () => {
    const blocks = manifest.tables.eth_blocks ?? [];
    await writeManifest(chain.target, {
      ...manifest,
      tables: { ...manifest.tables, eth_blocks: [...blocks, ...blocks] },
    });
    await expect(restore()).rejects.toMatchObject({
      code: "data-directory",
      message: expect.stringMatching(/^Cannot write .*eth_blocks.*EEXIST/),
    });
  });
});

it("a restore that waited for the lock does not empty a directory that was completed meanwhile", async () => {
  const folder = chain.newFolder();
  const first = await openRestoredDirectory(folder);
  const rows = join(first.enginePath, "rows");
  writeFileSync(rows, "");
  await first.release();
  // The lock of a process in another container, which can be seen to live only by its touches.
  const lock = join(folder, "quarry.lock");
  writeFileSync(lock, JSON.stringify({ pid: 1, started: "1", place: "elsewhere" }));
  const second = openRestoredDirectory(folder, { touchMs: 200 }).catch((error: unknown) => error);
  await sleep(100);
  await first.complete();
  rmSync(lock);
  expect(await second).toMatchObject({ message: expect.stringContaining("it is not empty") });
  expect(existsSync(rows)).toBe(true);
  expect(existsSync(lock)).toBe(false);
});

it("verifying takes time in proportion to the backups and their parts", async () => {
  const parts = Array.from({ length: 2_000 }, (_, i) => {
    const id = String(i).padStart(64, "0");
    return { id, bytes: 1, sha256: id, name: `all_${i}_${i}_0` };
  });
  const manifests = Array.from({ length: 100 }, (_, i) => ({
    ...manifest,
    id: String(i),
    tables: { eth: parts },
  }));
  const target = {
    ...chain.target,
    place: "a bucket",
    read(name: string): AsyncIterable<Uint8Array> {
      throw new MissingFile("a bucket", name);
    },
  } as unknown as typeof chain.target;
  const damaged = await verifyBackups({ target, manifests, signal: new AbortController().signal });
  expect(damaged).toHaveLength(2_000);
  expect(damaged[0]?.backups).toHaveLength(100);
});
