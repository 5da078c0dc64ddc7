import { afterAll, beforeAll, expect, it } from "vitest";
import { openFreshEngine } from "../../test/support/engine/fresh-engine.ts";
import { firstRecordIndex } from "../schema/record-index.ts";
import { firstRecordIndexSql } from "./record-index.ts";
import { integer, sql } from "./sql-text.ts";

let opened: Awaited<ReturnType<typeof openFreshEngine>>;
beforeAll(async () => {
  opened = await openFreshEngine();
});
afterAll(() => opened.close());

it.each(["narrow", "wide"] as const)(
  "the engine computes the same first index of a block, %s",
  async (numbering) => {
    const blocks = [0, 1, 7, 17_686_110, 2 ** 30 - 1, 2 ** 30, 2 ** 30 + 1, 2 ** 33];
    for (const block of blocks) {
      const first = firstRecordIndexSql(numbering, sql`toUInt64(${integer(block)}) + 0`);
      const [row] = await opened.engine.query<{ first: number }>(sql`SELECT ${first} AS first`);
      expect(Number(row?.first)).toBe(firstRecordIndex(numbering, block));
    }
  },
);
