import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runHere } from "../../test/support/processes/run-here.ts";
import type { TableName } from "../schema/tables.ts";
import { chainCommits } from "../storage/commits/commit-log.ts";
import { acquireLock } from "../storage/directory/process-lock.ts";
import { requireImportable } from "./importable.ts";
import { filePath, type Manifest, readManifest, writeManifest } from "./manifest.ts";
import { DAYS, type ExportedDays, openExportedDays } from "./support/exports.ts";

const DATE = "2023-11-15";

let days: ExportedDays;

beforeAll(async () => {
  days = await openExportedDays();
});
afterAll(() => days.close());
afterEach(() => days.drop());

/** Exports a chain, and drops it. */
async function exported(): Promise<{ out: string; folder: string; manifest: Manifest }> {
  await days.store(4);
  const out = days.newFolder();
  const { folder, manifest } = await days.export(out, { format: "ndjson" });
  await days.drop();
  return { out, folder, manifest };
}

type JsonRow = Record<string, string | number>;

/** Changes the rows of a file, and corrects its checksum in the manifest. */
async function forge(folder: string, table: TableName, change: (rows: JsonRow[]) => unknown): Promise<void> {
  const path = join(folder, filePath(table, DATE, "ndjson"));
  const rows = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  change(rows);
  const bytes = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  writeFileSync(path, bytes);
  const manifest = await readManifest(folder);
  const file = manifest?.days.find(({ date }) => date === DATE)?.files[table];
  if (manifest === null || file === undefined) throw new Error("no such file");
  file.bytes = bytes.length;
  file.sha256 = createHash("sha256").update(bytes).digest("hex");
  await writeManifest(folder, manifest);
}

const withValues = (row: JsonRow | undefined, values: JsonRow) => Object.assign(row ?? {}, values);

describe("an import of a forged export with correct checksums refuses", () => {
  it("rows whose time is not that of their block, which readers would miss", async () => {
    const { out, folder } = await exported();
    await forge(folder, "dex_trades", (rows) =>
      withValues(rows[0], { timestamp: "2031-01-01T00:00:00.000Z" }),
    );
    await expect(days.import(out)).rejects.toThrow(
      /rows of dex_trades in block 10[123] differ from that block/,
    );
    expect((await chainCommits(days.engine, DAYS.name).committed())?.blockNumber).toBe(100);
  });

  it("rows with the hash of another fork", async () => {
    const { out, folder } = await exported();
    await forge(folder, "dex_trades", (rows) => withValues(rows[0], { block_hash: `0x${"ab".repeat(32)}` }));
    await expect(days.import(out)).rejects.toThrow(
      /rows of dex_trades in block 10[123] differ from that block/,
    );
  });

  it("blocks that state wrong numbers of rows, even if their sum is right", async () => {
    const { out, folder } = await exported();
    await forge(folder, "blocks", (rows) => {
      withValues(rows[0], { log_count: -5 });
      withValues(rows[1], { log_count: 11 });
    });
    await expect(days.import(out)).rejects.toThrow(/rows of logs in block 10[123] differ from that block/);
  });

  it("a manifest that is a pipe or a device, or too large, for which it would wait or take all memory", async () => {
    const { out, folder } = await exported();
    const path = join(folder, "manifest.json");
    rmSync(path);
    symlinkSync("/dev/zero", path);
    await expect(requireImportable(out, DAYS)).rejects.toThrow("manifest.json: it is not a regular file");
    rmSync(path);
    execFileSync("mkfifo", [path]);
    await expect(requireImportable(out, DAYS)).rejects.toThrow("manifest.json: it is not a regular file");
    rmSync(path);
    writeFileSync(path, "{");
    truncateSync(path, 2 ** 40);
    await expect(requireImportable(out, DAYS)).rejects.toThrow("manifest.json is damaged");
  });
});

it("an export refuses a folder into which another process exports", async () => {
  await days.store(1);
  const out = days.newFolder();
  const { folder } = await days.export(out);
  const lock = await acquireLock(join(folder, "quarry-export.lock"));
  await expect(days.export(out)).rejects.toThrow(`Another export is being written to ${folder} (process`);
  await lock.release();
  expect((await days.export(out)).writtenDays).toBe(0);
  expect(readdirSync(folder).filter((name) => name.endsWith(".lock"))).toEqual([]);
});

it("control characters of a manifest do not reach the terminal", async () => {
  const { out, manifest } = await exported();
  mkdirSync(join(out, "eth"));
  await writeManifest(join(out, "eth"), { ...manifest, chain: "\u001b]0;title\u0007\u202Eeth" });
  const { code, stderr } = await runHere(["import", out, "--data", days.newFolder()]);
  expect(code).toBe(2);
  expect(stderr).toContain('it belongs to chain "\\u001b]0;title\\u0007\\u202eeth"');
});
