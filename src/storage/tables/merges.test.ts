import { expect, it, onTestFinished } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { integer, sql } from "../../engine-sql/sql-text.ts";
import { createTableStatements } from "./ddl.ts";

const COMMITS = 300;

it("each row of many small commits is rewritten by few merges", async () => {
  const { engine, close } = await openFreshEngine();
  onTestFinished(close);
  const statement = createTableStatements({}, "eth").find((text) => text.includes("`eth_commits`"));
  if (statement === undefined) throw new Error("no statement creates the table");
  await engine.execute(statement);
  const mergedRows = async () => {
    const merged = sql`SELECT toUInt32(sum(value)) AS merged FROM system.events WHERE event = 'MergedRows'`;
    return (await engine.query<{ merged: number }>(merged))[0]?.merged ?? 0;
  };
  // Other tests in this process have also merged.
  const before = await mergedRows();
  for (let i = 0; i < COMMITS; i++) {
    const row = sql`SELECT ${integer(i)}, 0, ${integer(i)}, toFixedString('', 32), 0, NULL, 0, 0`;
    await engine.execute(sql`INSERT INTO eth_commits ${row}`);
  }
  const parts = async () => {
    const active = sql`SELECT toUInt32(count()) AS parts FROM system.parts WHERE active AND table = 'eth_commits'`;
    return (await engine.query<{ parts: number }>(active))[0]?.parts;
  };
  // 300 parts become 30, then 3.
  await expect.poll(parts, { timeout: 30_000 }).toBeLessThan(20);
  expect((await mergedRows()) - before).toBeLessThan(4 * COMMITS);
});
