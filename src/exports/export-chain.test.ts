import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parquetMetadata } from "hyparquet";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { mountSmallDisk } from "../../test/support/engine/small-disk.ts";
import { identifier, integer, sql } from "../engine-sql/sql-text.ts";
import { TABLE_NAMES, tableOf } from "../schema/tables.ts";
import type { Engine } from "../storage/store.ts";
import { engineTable } from "../storage/tables/ddl.ts";
import { FILE_TYPES, fileColumns } from "./file-format.ts";
import { readManifest, writeManifest } from "./manifest.ts";
import { commitDays, dayHash, dayTime } from "./support/day-chain.ts";
import { DAYS, type ExportedDays, FIRST, filesOf, openExportedDays } from "./support/exports.ts";

let days: ExportedDays;

/** A disk with room for only a few of the files. */
const disk = mountSmallDisk("100k");

beforeAll(async () => {
  days = await openExportedDays();
});
afterAll(async () => {
  await days.close();
  disk?.unmount();
});
afterEach(() => days.drop());

const blockNamed = (number: number) => ({ number, hash: dayHash(number), timestamp: dayTime(number) });
/** Wraps the engine to run a function before rows of a table are first streamed. */
function during(table: string, run: () => Promise<unknown>): Engine {
  const { engine } = days;
  let isDone = false;
  return {
    query: (...args) => engine.query(...args),
    execute: (...args) => engine.execute(...args),
    insert: (...args) => engine.insert(...args),
    close: () => engine.close(),
    async *stream(...args) {
      if (args[0].includes(table) && !isDone) {
        isDone = true;
        await run();
      }
      yield* engine.stream(...args);
    },
  };
}

const daysIn = async (out: string) => (await readManifest(join(out, DAYS.name)))?.days ?? [];

describe("the files of an export", () => {
  it("are one for each table and UTC day, with a manifest of blocks, rows and columns", async () => {
    await days.store(6);
    const out = days.newFolder();
    const { manifest, writtenDays } = await days.export(out);
    const paths = TABLE_NAMES.flatMap((table) =>
      ["2023-11-14", "2023-11-15"].map((date) => `days/${table}/date=${date}/part-0.parquet`),
    );
    expect(filesOf(out)).toEqual(["days/manifest.json", ...paths].sort());
    expect(writtenDays).toBe(2);
    expect(manifest).toEqual(await readManifest(join(out, DAYS.name)));
    expect(manifest).toMatchObject({
      ...{
        version: 1,
        chain: "days",
        chain_id: 1,
        format: "parquet",
        index_first_block: FIRST,
        finalized: 105,
      },
      tables: { logs: fileColumns(tableOf("logs")) },
      days: [
        {
          date: "2023-11-14",
          first_block: 100,
          first_hash: dayHash(100),
          parent_hash: dayHash(99),
          last_block: 100,
        },
        { date: "2023-11-15", first_block: 101, last_block: 105, last_hash: dayHash(105), final: true },
      ],
    });
  });

  it.each(["csv", "ndjson"] as const)("hold exact values as text (%s)", async (format) => {
    await days.store(1);
    const out = days.newFolder();
    await days.export(out, { tables: ["transactions"], format });
    const text = readFileSync(join(out, `days/transactions/date=2023-11-14/part-0.${format}`), "utf8");
    const stored = await days.engine.query<Record<string, string>>(
      sql`SELECT toString(value_base) AS amount, lower(hex(input)) AS input FROM ${engineTable("days", "transactions")}`,
    );
    expect(stored.some(({ amount }) => BigInt(amount ?? 0) > 2n ** 64n)).toBe(true);
    for (const { amount, input } of stored) {
      expect(text).toContain(`"${amount}"`);
      expect(text).toContain(`"0x${input}"`);
    }
    expect(text).toContain('"2023-11-14T20:00:00.000Z"');
  });

  it("are Parquet with the documented types, of every kind of column", async () => {
    await days.store(1);
    const out = days.newFolder();
    await days.export(out);
    const types = { hex: "BYTE_ARRAY", text: "BYTE_ARRAY", decimal: "BYTE_ARRAY", double: "DOUBLE" } as const;
    const physical = {
      ...types,
      int64: "INT64",
      uint64: "INT64",
      int32: "INT32",
      timestamp: "INT64",
    } as const;
    for (const table of TABLE_NAMES) {
      const bytes = readFileSync(join(out, `days/${table}/date=2023-11-14/part-0.parquet`));
      const { schema } = parquetMetadata(new Uint8Array(bytes).buffer);
      const found = schema
        .slice(1)
        .map(({ name, type, repetition_type }) => ({ name, type, repetition_type }));
      const expected = Object.entries(tableOf(table).columns).map(([name, { kind, nullable }]) => ({
        name,
        type: physical[FILE_TYPES[kind]],
        repetition_type: nullable ? "OPTIONAL" : "REQUIRED",
      }));
      expect(found).toEqual(expected);
    }
  });

  it("cover the given blocks or days, of the final blocks", async () => {
    await days.store(15, 2);
    const range = async (options: Parameters<ExportedDays["export"]>[1]) => {
      const { manifest } = await days.export(days.newFolder(), { tables: ["blocks"], ...options });
      return [
        manifest.days[0]?.first_block,
        manifest.days.at(-1)?.last_block,
        manifest.days.every((day) => day.final),
      ];
    };
    const day = (date: string) => ({ day: Date.parse(date) / 1000 });
    expect(await range({})).toEqual([100, 112, true]);
    expect(await range({ includeUnfinal: true })).toEqual([100, 114, false]);
    expect(await range({ from: { block: 103 }, to: { block: 105 } })).toEqual([103, 105, true]);
    const oneDay = { from: day("2023-11-16"), to: day("2023-11-16") };
    expect(await range(oneDay)).toEqual([106, 110, true]);
    await expect(range({ from: { block: 113 } })).rejects.toThrow("blocks 100 to 112 can");
  });

  it("need --include-unfinal where no final block is known", async () => {
    await days.store(2, 2);
    await expect(days.export(days.newFolder())).rejects.toThrow(
      "To export them anyway, pass --include-unfinal",
    );
  });
});

describe("an export that is run again", () => {
  it("keeps complete days, and writes damaged, missing and later ones", async () => {
    await days.store(11);
    const out = days.newFolder();
    expect((await days.export(out)).writtenDays).toBe(3);
    expect((await days.export(out)).writtenDays).toBe(0);
    const before = await daysIn(out);
    const file = join(out, "days/logs/date=2023-11-15/part-0.parquet");
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(1));
    rmSync(join(out, "days/erc20/date=2023-11-16/part-0.parquet"));
    expect((await days.export(out)).writtenDays).toBe(2);
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect((await daysIn(out)).map(({ files }) => files)).toEqual(before.map(({ files }) => files));
    await commitDays(await days.open(), { first: 111, last: 112 });
    expect((await days.export(out)).writtenDays).toBe(1);
    expect((await daysIn(out)).at(-1)).toMatchObject({ date: "2023-11-17", last_block: 112 });
  });

  it("writes days that were rolled back and stored again", async () => {
    const store = await days.store(8, 2);
    const out = days.newFolder();
    const all = { includeUnfinal: true, tables: ["blocks", "logs"] as const };
    expect((await days.export(out, all)).writtenDays).toBe(3);
    await store.rollback(blockNamed(106));
    await commitDays(store, { first: 107, last: 107 }, 1);
    expect((await days.export(out, all)).writtenDays).toBe(1);
    expect((await days.export(out, all)).writtenDays).toBe(0);
  });

  it("refuses blocks that are missing or do not link to their parents", async () => {
    const store = await days.store(8, 2);
    const all = { includeUnfinal: true, tables: ["blocks"] as const };
    await store.rollback(blockNamed(106));
    await commitDays(store, { first: 107, last: 107, fork: "b" }, 1);
    await expect(days.export(days.newFolder(), all)).rejects.toThrow("blocks of 2023-11-16 do not link");
    await store.replace({ first: 107, last: 107 }, {});
    await expect(days.export(days.newFolder(), all)).rejects.toThrow(
      "blocks 100 to 107 have 7 rows, expected 8",
    );
  });

  it("refuses a first block that is stored twice while the last is missing", async () => {
    await days.store(6);
    const blocks = engineTable("days", "blocks");
    await days.engine.execute(sql`INSERT INTO ${blocks} SELECT * FROM ${blocks} WHERE block_number = 100`);
    await days.engine.execute(sql`DELETE FROM ${blocks} WHERE block_number = 105`);
    await expect(days.export(days.newFolder())).rejects.toThrow(
      "blocks 100 to 104 are stored, expected 100 to 105",
    );
  });

  it("writes all days again from another index of the same blocks, whose rows may differ", async () => {
    const only = { tables: ["erc20"] as const };
    const store = await days.store(3);
    await commitDays(store, { first: 103, last: 103 });
    const out = days.newFolder();
    const before = await days.export(out, only);
    await days.drop();
    await commitDays(await days.store(5), { first: 105, last: 107 });
    await days.engine.execute(
      sql`ALTER TABLE ${engineTable("days", "erc20")} UPDATE token_symbol = 'OTHER' WHERE 1 SETTINGS mutations_sync = 1`,
    );
    const after = await days.export(out, only);
    expect(after.writtenDays).toBe(after.manifest.days.length);
    expect(after.manifest.days[0]?.last_hash).toBe(before.manifest.days[0]?.last_hash);
    expect(after.manifest.days[0]?.files.erc20).not.toEqual(before.manifest.days[0]?.files.erc20);
    expect((await days.export(out, only)).writtenDays).toBe(0);
  });

  it("writes days again that an earlier version exported, because it did not name their index", async () => {
    const only = { tables: ["logs"] as const };
    await days.store(3);
    const out = days.newFolder();
    const { folder, manifest } = await days.export(out, only);
    const earlier = manifest.days.map(
      ({ commit_block: _, commit_hash: __, committed_at: ___, ...day }) => day,
    );
    await writeManifest(folder, { ...manifest, days: earlier });
    expect((await days.export(out, only)).writtenDays).toBe(manifest.days.length);
    expect((await days.export(out, only)).writtenDays).toBe(0);
  });

  it("refuses a folder of another export", async () => {
    await days.store(8);
    const out = days.newFolder();
    await days.export(out, { tables: ["logs"] });
    const refused = "holds another export";
    await expect(days.export(out, { tables: ["logs"], format: "csv" })).rejects.toThrow(refused);
    await expect(days.export(out, { tables: ["erc20"] })).rejects.toThrow("parquet of logs");
    await expect(days.export(out, { tables: ["logs"], from: { block: 101 } })).rejects.toThrow(refused);
    await expect(days.export(out, { tables: ["logs"], to: { block: 101 } })).rejects.toThrow(
      "blocks 100 to 107",
    );
  });
});

describe("an export during other work", () => {
  it("is as of the commit at its start", async () => {
    const store = await days.store(3);
    const engine = during("days_logs", () => commitDays(store, { first: 103, last: 104 }));
    const { manifest } = await days.export(days.newFolder(), { engine });
    expect(manifest.days.at(-1)).toMatchObject({ last_block: 102, files: { blocks: { rows: 2 } } });
    expect((await store.committed())?.blockNumber).toBe(104);
  });

  it("fails if its blocks are rolled back meanwhile, and resumes", async () => {
    const store = await days.store(5);
    const out = days.newFolder();
    const engine = during("days_erc20", () => store.rollback(blockNamed(103)));
    await expect(days.export(out, { engine })).rejects.toMatchObject({ code: "not-ready", retryable: true });
    expect((await days.export(out)).manifest.days.at(-1)?.last_block).toBe(103);
  });

  it("fails if rows are missing after they were read, as during a repair on a server", async () => {
    await days.store(3);
    const { blockColumn } = tableOf("erc721");
    const engine = during("days_erc721", () =>
      days.engine.execute(
        sql`DELETE FROM ${engineTable("days", "erc721")} WHERE ${identifier(blockColumn)} = ${integer(100)}`,
      ),
    );
    await expect(days.export(days.newFolder(), { engine })).rejects.toThrow(
      "erc721 has 0 rows on 2023-11-14",
    );
  });

  it("stops when it is cancelled, leaves no partial file, and resumes", async () => {
    await days.store(3);
    const out = days.newFolder();
    const stop = new AbortController();
    const onProgress = ({ table, date }: { table: string; date: string }) => {
      if (table === "logs" && date === "2023-11-15") stop.abort(new Error("stopped"));
    };
    await expect(days.export(out, { signal: stop.signal, onProgress })).rejects.toThrow("stopped");
    expect(filesOf(out).filter((file) => file.endsWith(".part"))).toEqual([]);
    expect((await daysIn(out)).map(({ date }) => date)).toEqual(["2023-11-14"]);
    expect((await days.export(out)).writtenDays).toBe(1);
  });

  it.skipIf(disk === null)("stops on a full disk, leaves no partial file, and resumes", async () => {
    await days.store(6);
    const out = disk?.path ?? "";
    await expect(days.export(out)).rejects.toMatchObject({
      code: "disk-full",
      message: expect.stringMatching(/^Cannot write .*part-0.parquet: ENOSPC. The disk is full/),
    });
    expect(filesOf(out).filter((file) => file.endsWith(".part"))).toEqual([]);
    disk?.resize("16m");
    expect((await days.export(out)).manifest.days).toHaveLength(2);
  });

  it("refuses tables that do not have as many rows as their blocks state", async () => {
    await days.store(3);
    const { blockColumn } = tableOf("erc721");
    await days.engine.execute(
      sql`DELETE FROM ${engineTable("days", "erc721")} WHERE ${identifier(blockColumn)} = ${integer(101)}`,
    );
    await expect(days.export(days.newFolder())).rejects.toThrow(
      "erc721 has 3 rows on 2023-11-15, but the day's blocks state 6. Run `quarry doctor`.",
    );
  });
});
