import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/processes/processes.ts";
import { frozenName, frozenTables, lockFrozen, removeOldFrozen } from "./frozen-files.ts";

let folder: ReturnType<typeof temporaryFolder>;
let engine: string;

beforeEach(() => {
  folder = temporaryFolder();
  engine = join(folder.path, "engine");
});
afterEach(() => folder.remove());

const NAME = frozenName("20260131T020000Z-2");

function freeze(name: string, table: string, part: string): string {
  const path = join(engine, "shadow", name, "store", table.slice(0, 3), table, part);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "count.txt"), "1");
  return path;
}

it("lists the frozen parts by table", async () => {
  const paths = ["202401_1_1_0", "202401_2_2_0"].map((part) => freeze(NAME, "abc-1", part));
  freeze(NAME, "abc-2", "all_1_1_0");
  freeze(frozenName("another"), "abc-1", "all_1_1_0");
  const names = new Map([["abc-1", "eth_blocks"]]);
  const tables = await frozenTables(engine, NAME, names);
  expect([...tables.keys()]).toEqual(["eth_blocks"]);
  expect(
    tables
      .get("eth_blocks")
      ?.map((part) => part.folder)
      .sort(),
  ).toEqual(paths);
  expect(await frozenTables(engine, "unknown", names)).toEqual(new Map());
});

it("removes what a killed backup left, but nothing that a running backup needs or a user froze", async () => {
  const own = freeze(NAME, "abc", "all_1_1_0");
  const other = freeze("manual", "abc", "all_1_1_0");
  const lock = await lockFrozen(folder.path, {});
  await removeOldFrozen(folder.path, engine);
  expect(existsSync(own)).toBe(true);
  await lock.release();
  await removeOldFrozen(folder.path, engine);
  expect([existsSync(own), existsSync(other)]).toEqual([false, true]);
});
