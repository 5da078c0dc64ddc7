import { expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import type { Pool } from "../../schema/swap.ts";
import { PoolCache } from "./pool-cache.ts";

const ID: Hex = `0x${"1d".repeat(32)}`;
const OTHER: Hex = `0x${"07".repeat(32)}`;
const POOL = { address: ID } as Pool;

it("looks up a pool again after a rollback of the blocks that it was found in, but no other pool", () => {
  const cache = new PoolCache(10);
  cache.advanceTo(10);
  expect([ID, OTHER].map((id) => cache.startLookup(id, 1_700_000_000_000))).toEqual([true, true]);
  cache.set(ID, POOL);
  expect(cache.markRecorded(ID, 10)).toBe(true);
  cache.rollbackTo({ number: 9 });
  expect([ID, OTHER].map((id) => cache.startLookup(id, 1_700_000_001_000))).toEqual([true, false]);
  expect(cache.markRecorded(ID, 10)).toBe(true);
});

it("records a pool again only after a rollback of the block that recorded it, wherever it was found", () => {
  const cache = new PoolCache(10);
  cache.advanceTo(100);
  cache.set(ID, POOL);
  cache.advanceTo(105);
  cache.set(OTHER, POOL);
  expect([cache.markRecorded(ID, 102), cache.markRecorded(OTHER, 101)]).toEqual([true, true]);
  cache.rollbackTo({ number: 101 });
  expect(cache.get(ID)).toBe(POOL);
  expect(cache.missing([OTHER])).toEqual([OTHER]);
  expect([cache.markRecorded(ID, 102), cache.markRecorded(OTHER, 102)]).toEqual([true, false]);
});
