import { afterAll, beforeAll, expect, it } from "vitest";
import { batchOf } from "../../../test/support/engine/random-rows.ts";
import { TABLE_NAMES } from "../../schema/tables.ts";
import type { Commit } from "../../storage/store.ts";
import { snapshotAt } from "../snapshot/snapshot.ts";
import { ETH, type Market, openMarket } from "../support/market.ts";
import { readBlockRows } from "./block-rows.ts";

let market: Market;
let newest: Commit;
const added = batchOf({ first: 104, last: 107, rowsPerTable: 8 });

beforeAll(async () => {
  market = await openMarket([]);
  await market.store.commit(batchOf({ first: 100, last: 103, rowsPerTable: 2 }));
  newest = await market.store.commit(added);
});
afterAll(() => market.close());

const read = (maxRows: number) => {
  const snapshot = snapshotAt(market, { chain: ETH, store: market.store }, newest, {});
  return readBlockRows(snapshot, TABLE_NAMES, { above: 103, maxRows });
};

it.each(TABLE_NAMES)("reads rows of %s as they were committed", async (table) => {
  const rows = await read(32);
  expect(rows?.[table]).toHaveLength(32);
  expect(rows?.[table]).toEqual(added.rows[table]);
});

it("reads nothing when a table has too many rows", async () => {
  expect(await read(31)).toBeNull();
});
