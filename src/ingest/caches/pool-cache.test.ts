import { expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import type { Pool } from "../../schema/swap.ts";
import { PoolBook } from "./pool-cache.ts";

const ID: Hex = `0x${"1d".repeat(32)}`;
const OTHER: Hex = `0x${"07".repeat(32)}`;
const POOL = { address: ID } as Pool;

it("asks for a pool again that was found in blocks which the chain took back, but not for others", () => {
  const book = new PoolBook();
  book.pools.learnUpTo(10);
  expect([ID, OTHER].map((id) => book.isToBeAskedFor(id, 1_700_000_000_000))).toEqual([true, true]);
  book.pools.set(ID, POOL);
  expect(book.isNew(POOL)).toBe(true);
  book.rollback(9);
  expect([ID, OTHER].map((id) => book.isToBeAskedFor(id, 1_700_000_001_000))).toEqual([true, false]);
  expect(book.isNew(POOL)).toBe(true);
});
