import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { startSource } from "../../test/support/processes/processes.ts";
import { identifier, join as joinSql, sql, text } from "../engine-sql/sql-text.ts";
import { TABLE_NAMES, tableOf } from "../schema/tables.ts";
import { openChainStore } from "./clickhouse-store.ts";
import { openDataDirectory } from "./directory/data-directory.ts";
import { openEmbeddedEngine } from "./engines/embedded-engine.ts";
import { engineTable } from "./tables/ddl.ts";

const directory = mkdtempSync(join(tmpdir(), "quarry-kill-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** Number of kills. The long run (`scripts/long-run.sh`) makes more. */
const KILLS = Number(process.env.QUARRY_KILLS ?? 5);
const LONGEST_LIFE_MS = 1_100;
/** Of this many kills, one may come before the first commit. */
const EARLY_KILLS = 4;

function lastBlock(output: string): number {
  return Number(output.trim().split("\n").at(-1)?.split(" ")[1]);
}

it("kill -9 at any moment loses no acknowledged commit and leaves only complete batches", {
  timeout: 60_000 + KILLS * 10_000,
}, async () => {
  let acknowledged = 99;
  for (let kill = 0; kill < KILLS; kill++) {
    const child = startSource("test/support/simulation/commit-loop.ts", [join(directory, "data")]);
    const [, opened] = await child.printed(/open (\d+)\n/);
    expect(Number(opened)).toBeGreaterThanOrEqual(acknowledged - 2);
    if ((kill + 1) % EARLY_KILLS !== 0) await child.printed(/done /);
    await setTimeout(Math.random() * LONGEST_LIFE_MS);
    const { stdout } = await child.stop("SIGKILL");
    acknowledged = lastBlock(stdout);
  }
  const { enginePath, release } = await openDataDirectory(join(directory, "data"));
  const engine = await openEmbeddedEngine({ path: enginePath });
  const store = await openChainStore(engine, "eth");
  const newest = await store.committed();
  expect(newest?.blockNumber).toBeGreaterThan(102);
  const blocks = (newest?.blockNumber ?? 0) - 99;
  const selects = TABLE_NAMES.map((table) => {
    const block = identifier(tableOf(table).blockColumn);
    return sql`SELECT ${text(table)} AS t, count() AS rows, uniqExact(record_index) AS distinct, uniqExact(${block}) AS blocks, max(${block}) AS newest FROM ${engineTable("eth", table)}`;
  });
  for (const row of await engine.query<{ t: string }>(joinSql(selects, " UNION ALL "))) {
    expect(row).toEqual({
      t: row.t,
      rows: 4 * blocks,
      distinct: 4 * blocks,
      blocks,
      newest: newest?.blockNumber,
    });
  }
  await engine.close();
  await release();
});
