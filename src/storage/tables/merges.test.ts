import { expect, it, onTestFinished } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import { integer, sql } from "../../engine-sql/sql-text.ts";
import { createTableStatements } from "./ddl.ts";

const COMMITS = 300;

it("each row of many small commits is rewritten by few merges", async () => {
  const { engine, close } = await openFreshEngine();
  onTestFinished(close);
  const statement = createTableStatements("eth").find((text) => text.includes("`eth_commits`"));
  if (statement === undefined) throw new Error("no statement creates the table");
  await engine.execute(statement);
  for (let i = 0; i < COMMITS; i++) {
    const row = sql`SELECT ${integer(i)}, 0, ${integer(i)}, toFixedString('', 32), 0, NULL, 0`;
    await engine.execute(sql`INSERT INTO eth_commits ${row}`);
  }
  const counts = async () => {
    const merged = sql`(SELECT toUInt32(sum(value)) FROM system.events WHERE event = 'MergedRows')`;
    const parts = sql`(SELECT toUInt32(count()) FROM system.parts WHERE active AND table = 'eth_commits')`;
    return (
      await engine.query<{ merged: number; parts: number }>(
        sql`SELECT ${merged} AS merged, ${parts} AS parts`,
      )
    )[0];
  };
  // 300 parts become 30, then 3.
  await expect.poll(async () => (await counts())?.parts, { timeout: 30_000 }).toBeLessThan(20);
  expect((await counts())?.merged).toBeLessThan(4 * COMMITS);
});
