import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { batchOf, blockNamed } from "../../test/support/engine/random-rows.ts";
import { fillDisk, mountSmallDisk } from "../../test/support/engine/small-disk.ts";
import { checksums } from "../../test/support/engine/table-checksums.ts";
import { sql } from "../engine-sql/sql-text.ts";
import { tableOf } from "../schema/tables.ts";
import { openChainStore } from "./clickhouse-store.ts";
import { openDataDirectory } from "./directory/data-directory.ts";
import { openEmbeddedEngine } from "./engines/embedded-engine.ts";
import { encodeRows } from "./rows/row-binary.ts";

const disk = mountSmallDisk("48m");
const folder = disk?.path ?? "";
afterAll(() => disk?.unmount());

describe.skipIf(disk === null)("a full disk (needs permission to mount one)", () => {
  it("fails with disk-full, loses no commit, truncates no answer, and continues when there is room", async () => {
    const { enginePath, release } = await openDataDirectory(join(folder, "data"));
    const engine = await openEmbeddedEngine({ path: enginePath });
    const store = await openChainStore(engine, "eth");

    const reading = (async () => {
      let bytes = 0;
      for await (const chunk of engine.stream(sql`SELECT number FROM numbers(20000000)`, "JSONEachRow")) {
        bytes += chunk.length;
      }
      return bytes;
    })();
    await expect(reading).rejects.toMatchObject({ code: "disk-full" });

    let next = 1;
    const filling = async () => {
      for (; ; next += 100) await store.commit(batchOf({ first: next, last: next + 99, rowsPerTable: 5 }));
    };
    await expect(filling()).rejects.toMatchObject({ code: "disk-full" });
    expect(next).toBeGreaterThan(1);
    expect((await store.committed())?.blockNumber).toBe(next - 1);

    disk?.resize("200m");
    await store.commit(batchOf({ first: next, last: next + 9, rowsPerTable: 5 }));
    const found = await engine.query(
      sql`SELECT count() AS rows, max(block_number) AS newest FROM eth_dex_trades`,
    );
    expect(found).toEqual([{ rows: 5 * (next + 9), newest: next + 9 }]);
    await engine.close();
    await release();
  });

  it("loses nothing in a rollback, a start and a recovery: with room again, the tables are as on a disk that was never full", async () => {
    const data = join(folder, "again");
    const filler = join(folder, "filler");
    const open = async () => {
      const { enginePath, release } = await openDataDirectory(data);
      const engine = await openEmbeddedEngine({ path: enginePath });
      return { engine, close: () => engine.close().then(release) };
    };
    const batch = (first: number) => batchOf({ first, last: first + 9, rowsPerTable: 5 });

    const before = await open();
    const calm = await openChainStore(before.engine, "calm");
    for (const first of [1, 11]) await calm.commit(batch(first));
    const store = await openChainStore(before.engine, "eth");
    for (const first of [1, 11, 21]) await store.commit(batch(first));
    const { logs } = batch(31).rows;
    const leftover = encodeRows(tableOf("logs"), logs ?? []);
    await before.engine.insert("eth_logs", Object.keys(tableOf("logs").columns), leftover);
    fillDisk(filler);
    await expect(store.rollback(blockNamed(20))).rejects.toMatchObject({ code: "disk-full" });
    expect((await store.committed())?.blockNumber).toBe(30);
    await before.close();

    const full = await open();
    fillDisk(filler);
    await expect(openChainStore(full.engine, "other")).rejects.toMatchObject({ code: "disk-full" });
    expect((await (await openChainStore(full.engine, "eth")).committed())?.blockNumber).toBe(30);
    await full.close();

    rmSync(filler);
    const { engine, close } = await open();
    const after = await openChainStore(engine, "eth");
    expect((await after.committed())?.blockNumber).toBe(30);
    await after.rollback(blockNamed(20));
    expect(await checksums(engine, "eth")).toEqual(await checksums(engine, "calm"));
    await close();
  });
});
