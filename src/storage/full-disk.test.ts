import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { batchOf } from "../../test/support/random-rows.ts";
import { sql } from "../lib/sql-text.ts";
import { openChainStore } from "./clickhouse-store.ts";
import { openDataDirectory } from "./data-directory.ts";
import { openEmbeddedEngine } from "./embedded-engine.ts";

const disk = mkdtempSync(join(tmpdir(), "quarry-disk-"));

function mountSmallDisk(): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", disk], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const mounted = mountSmallDisk();
afterAll(() => {
  if (mounted) execFileSync("umount", [disk]);
  rmSync(disk, { recursive: true });
});

describe.skipIf(!mounted)("a full disk (needs the right to mount one)", () => {
  it("fails with disk-full, loses no commit, cuts no answer short, and goes on when there is room", async () => {
    const { enginePath, release } = await openDataDirectory(join(disk, "data"));
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

    execFileSync("mount", ["-o", "remount,size=200m", disk]);
    await store.commit(batchOf({ first: next, last: next + 9, rowsPerTable: 5 }));
    const found = await engine.query(
      sql`SELECT count() AS rows, max(block_number) AS newest FROM eth_dex_trades`,
    );
    expect(found).toEqual([{ rows: 5 * (next + 9), newest: next + 9 }]);
    await engine.close();
    await release();
  });
});
