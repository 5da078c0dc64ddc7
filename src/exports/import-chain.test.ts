import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { checksums } from "../../test/support/engine/table-checksums.ts";
import { sql } from "../engine-sql/sql-text.ts";
import { registerChain, storedForm } from "../storage/commits/chain-registry.ts";
import { chainCommits } from "../storage/commits/commit-log.ts";
import type { Engine } from "../storage/store.ts";
import { engineTable } from "../storage/tables/ddl.ts";
import { FILE_FORMATS } from "./file-format.ts";
import { requireImportable } from "./importable.ts";
import { type Manifest, type ManifestDay, readManifest, writeManifest } from "./manifest.ts";
import { commitDays, dayHash, dayTime } from "./support/day-chain.ts";
import { DAYS, type ExportedDays, FIRST, filesOf, openExportedDays } from "./support/exports.ts";

/** Number of runs. The first ones cover each format once. For more runs, set QUARRY_EXPORT_RUNS=100. */
const RUNS = Number(process.env.QUARRY_EXPORT_RUNS ?? 4);

let days: ExportedDays;

beforeAll(async () => {
  days = await openExportedDays();
});
afterAll(() => days.close());
afterEach(() => days.drop());

const tables = () => checksums(days.engine, DAYS.name);
const committed = () => chainCommits(days.engine, DAYS.name).committed();

/** Exports blocks 100 (one day) and 101 to 103 (the next), and drops the chain. */
async function exportOfTwoDays(): Promise<{ out: string; original: Awaited<ReturnType<typeof tables>> }> {
  await days.store(4);
  const out = days.newFolder();
  await days.export(out);
  const original = await tables();
  await days.drop();
  return { out, original };
}

const isOfLastDay = (file: string) => file.includes("2023-11-15");

/** Writes a changed manifest with a matching checksum. */
async function changeDays(out: string, change: (days: ManifestDay[]) => ManifestDay[]): Promise<void> {
  const folder = join(out, DAYS.name);
  const manifest = await readManifest(folder);
  if (manifest !== null) await writeManifest(folder, { ...manifest, days: change(manifest.days) });
}

/** Exports an index that an earlier version began, as that version did, and drops it. */
async function narrowExport(): Promise<string> {
  const store = await days.open();
  await commitDays(store, { first: FIRST, last: FIRST + 3, numbering: "narrow" });
  const out = days.newFolder();
  const { folder, manifest } = await days.export(out);
  const { numbering, ...earlier } = manifest;
  expect(numbering).toBe("wide");
  await writeManifest(folder, { ...earlier, data_format: 9 });
  await days.drop();
  return out;
}

describe("an import", () => {
  it("keeps the numbering of the rows of an earlier version", async () => {
    const out = await narrowExport();
    const { name, chainId } = DAYS;
    await registerChain(days.engine, { name, chainId, definition: JSON.stringify({ chainId }) });
    expect(await storedForm(days.engine, name)).toMatchObject({ numbering: "wide" });
    await days.import(out);
    expect(await storedForm(days.engine, name)).toMatchObject({ numbering: "narrow" });
    await days.engine.execute(sql`DROP TABLE chains`);
  });

  it("refuses rows whose record indexes are not those of their block", async () => {
    const out = await narrowExport();
    const folder = join(out, DAYS.name);
    const manifest = await readManifest(folder);
    if (manifest !== null) await writeManifest(folder, { ...manifest, numbering: "wide" });
    await expect(days.import(out)).rejects.toThrow(
      "the rows of transactions in block 100 differ from that block in number, time, hash or record_index",
    );
    expect(await committed()).toBeNull();
  });

  it("adds no days whose rows are numbered in another way", async () => {
    const out = await narrowExport();
    await days.store(1);
    await expect(days.import(out)).rejects.toThrow(
      "its rows are not numbered like the stored ones; import into an empty directory",
    );
    expect((await committed())?.blockNumber).toBe(FIRST);
  });

  it("gives the same tables, bit for bit, for any range and format", {
    timeout: 60_000 + RUNS * 20_000,
  }, async () => {
    const anyExport = fc.record({
      format: fc.constantFrom(...FILE_FORMATS),
      count: fc.integer({ min: 1, max: 8 }),
      dropped: fc.integer({ min: 0, max: 3 }),
    });
    await fc.assert(
      fc
        .asyncProperty(anyExport, async ({ format, count, dropped }) => {
          const store = await days.store(count + dropped);
          const last = FIRST + count - 1;
          const out = days.newFolder();
          await days.export(out, { format, to: { block: last } });
          if (dropped > 0)
            await store.rollback({ number: last, hash: dayHash(last), timestamp: dayTime(last) });
          const original = await tables();
          await days.drop();
          await days.import(out);
          expect(await tables()).toEqual(original);
          expect(original.dex_trades?.rows).toBe(3 * count);
        })
        .afterEach(() => days.drop()),
      {
        endOnFailure: true,
        numRuns: RUNS,
        examples: FILE_FORMATS.map((format) => [{ format, count: 8, dropped: 1 }]),
      },
    );
  });

  it("commits day by day, with the finality of the export, and can be continued by an indexer", async () => {
    const { out } = await exportOfTwoDays();
    expect(await days.import(out)).toEqual({ importedDays: 2 });
    expect(await committed()).toMatchObject({
      ...{ firstBlock: 100, blockNumber: 103, blockHash: dayHash(103), finalized: 103, sequence: 2 },
    });
    expect(await days.import(out)).toEqual({ importedDays: 0 });
    await commitDays(await days.open(), { first: 104, last: 104 });
    await expect(days.import(out)).rejects.toThrow(
      "holds blocks 100 to 104, which do not match the first days",
    );
  });

  it("that is interrupted at any statement resumes, without rows of the incomplete day", async () => {
    const { out, original } = await exportOfTwoDays();
    for (const failing of [7, 15]) {
      let inserts = 0;
      const interrupted: Engine = {
        query: (...args) => days.engine.query(...args),
        stream: (...args) => days.engine.stream(...args),
        insert: (...args) => days.engine.insert(...args),
        close: () => days.engine.close(),
        execute: async (statement) => {
          if (statement.includes("FROM file(") && ++inserts === failing) throw new Error("killed");
          await days.engine.execute(statement);
        },
      };
      await expect(days.import(out, interrupted)).rejects.toThrow("killed");
      expect((await committed())?.blockNumber ?? null).toBe(failing < 12 ? null : 100);
      expect(await days.import(out)).toEqual({ importedDays: failing < 12 ? 2 : 1 });
      expect(await tables()).toEqual(original);
      await days.drop();
    }
  });
});

it("reads exports of versions in which gas limits were int64", async () => {
  await days.store(4);
  const out = days.newFolder();
  const { manifest, folder } = await days.export(out);
  const earlier = Object.entries(manifest.tables).map(([table, columns]) => {
    return [table, columns.map((one) => ({ ...one, type: one.type === "uint64" ? "int64" : one.type }))];
  });
  await writeManifest(folder, { ...manifest, tables: Object.fromEntries(earlier) });
  const original = await tables();
  expect((await days.export(out)).writtenDays).toBe(0);
  await writeManifest(folder, { ...manifest, tables: Object.fromEntries(earlier) });
  await days.drop();
  await days.import(out);
  expect(await tables()).toEqual(original);
});

describe("an import refuses", () => {
  it("any file with a changed byte, and names it", async () => {
    const { out } = await exportOfTwoDays();
    const store = await days.open();
    // A day's files are checked only until the day is imported, so the files of the last day come last.
    const files = filesOf(out).toSorted((a, b) => Number(isOfLastDay(a)) - Number(isOfLastDay(b)));
    for (const file of files) {
      const path = join(out, file);
      const bytes = readFileSync(path);
      const [position = 0] = fc.sample(fc.nat({ max: bytes.length - 1 }), { numRuns: 1, seed: bytes.length });
      const changed = Buffer.from(bytes);
      changed[position] = (changed[position] ?? 0) ^ 1;
      writeFileSync(path, changed);
      const refused = expect(days.importInto(store, out), `byte ${position} of ${file}`).rejects;
      await refused.toThrow(`${path} is damaged`);
      writeFileSync(path, bytes);
    }
    expect(await days.importInto(store, out)).toEqual({ importedDays: 1 });
  });

  it("a missing file, and names it", async () => {
    const { out } = await exportOfTwoDays();
    const file = join(out, "days/erc20/date=2023-11-15/part-0.parquet");
    rmSync(file);
    await expect(days.import(out)).rejects.toThrow(`${file} is missing`);
    expect((await committed())?.blockNumber).toBe(100);
  });

  it("a manifest of anything but all days and tables of this chain and format", async () => {
    await days.store(8);
    const out = days.newFolder();
    const { manifest, folder } = await days.export(out);
    const [first, second, third] = manifest.days as [ManifestDay, ManifestDay, ManifestDay];
    const { logs: _, ...withoutLogs } = manifest.tables;
    const { logs: __, ...filesWithoutLogs } = second.files;
    const cases: [Partial<Manifest>, string][] = [
      [
        { days: [second, third] },
        "begins at block 101, but its index begins at block 100: pools, tokens and balances",
      ],
      [{ days: [first, third] }, "2023-11-16 (block 106) does not follow 2023-11-14 (block 100)"],
      [
        { days: [first, second, second, third] },
        "2023-11-15 (block 101) does not follow 2023-11-15 (block 105)",
      ],
      [{ days: [first, { ...second, parent_hash: dayHash(1) }] }, "2023-11-15 (block 101) does not follow"],
      [{ days: [{ ...first, last_block: 99 }] }, "its first day ends before it starts"],
      [{ days: [first, { ...second, files: filesWithoutLogs }] }, "its manifest lacks a file of 2023-11-15"],
      [{ days: [] }, "it has no days"],
      [{ chain_id: 2 }, 'it belongs to chain "days" (chain id 2), not to "days" (chain id 1)'],
      [{ data_format: 1 }, "its rows have data format 1"],
      [{ tables: { ...manifest.tables, logs: [] } }, "the columns of table logs differ"],
      [{ tables: withoutLogs }, "it lacks the table logs; an import needs an export of all tables"],
    ];
    for (const [change, message] of cases) {
      await writeManifest(folder, { ...manifest, ...change });
      await expect(requireImportable(out, DAYS), message).rejects.toThrow(message);
    }
    await writeManifest(folder, { ...manifest, version: 2 } as object as Manifest);
    await expect(requireImportable(out, DAYS)).rejects.toThrow(
      "has version 2; this version of Quarry reads 1",
    );
    await expect(requireImportable(days.newFolder(), DAYS)).rejects.toThrow("no export of chain");
  });

  it("a folder whose path is a pattern for the engine", async () => {
    const out = join(days.newFolder(), "backup[1]");
    await days.store(1);
    await days.export(out);
    await expect(requireImportable(out, DAYS)).rejects.toThrow("which the engine reads as a pattern");
  });

  it("files whose rows are not those of their day, although the manifest fits them", async () => {
    const { out } = await exportOfTwoDays();
    const store = await days.open();
    const withHash = (day: ManifestDay) => ({ ...day, last_hash: dayHash(5) });
    await changeDays(out, ([first]) => (first === undefined ? [] : [withHash(first)]));
    await expect(days.importInto(store, out)).rejects.toThrow(
      "the blocks of 2023-11-14 do not match the manifest",
    );
    expect(await committed()).toBeNull();
    await days.store(4);
    const other = days.newFolder();
    await days.export(other);
    await days.drop();
    const logs = (date: string) => join(other, `days/logs/date=${date}/part-0.parquet`);
    writeFileSync(logs("2023-11-14"), readFileSync(logs("2023-11-15")));
    await changeDays(other, ([first, second]) => {
      const ofSecond = second?.files.logs;
      if (first === undefined || second === undefined || ofSecond === undefined) return [];
      return [{ ...first, files: { ...first.files, logs: ofSecond } }, second];
    });
    await expect(days.import(other)).rejects.toThrow(
      `${logs("2023-11-14")} cannot be imported: its rows do not match the manifest`,
    );
    await days.open();
    const blocks = sql`SELECT 1 FROM ${engineTable("days", "blocks")}`;
    expect(await days.engine.query(blocks)).toEqual([]);
  });
});
