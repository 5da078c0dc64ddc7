import { expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import type { Block, BlockRef } from "../../schema/block.ts";
import { HeadAges } from "./head-ages.ts";

const tip: BlockRef = { number: 9, hash: "0x09" };
const extend = (from: number, to: number) => ({ kind: "extend", from, to }) as const;
const at = (timestamp: number) => ({ timestamp }) as Block;

it("is at the head once a request finds at most one new block, and until a backfill", () => {
  const ages = new HeadAges(new ManualClock());
  const after = (step: Parameters<HeadAges["stepFound"]>[1], known: BlockRef | null = tip) => {
    ages.stepFound(known, step);
    return ages.isAtHead;
  };
  expect(after(extend(0, 0), null)).toBe(false);
  expect(after(extend(10, 11))).toBe(false);
  expect(after({ kind: "rollback" })).toBe(false);
  expect(after(extend(10, 10))).toBe(true);
  expect(after(extend(11, 74))).toBe(true);
  expect(after({ kind: "rollback" })).toBe(true);
  expect(after(extend(75, 139))).toBe(false);
  expect(after({ kind: "wait" })).toBe(true);
});

it("measures blocks at the head by the wall clock: when the head was seen, and when they are committed", async () => {
  const clock = new ManualClock(1_000_000);
  const ages = new HeadAges(clock);
  const measured: unknown[] = [];
  ages.onAge = (...age) => measured.push(age);
  ages.stepFound(tip, extend(10, 20));
  ages.committed([at(999)]);
  expect(measured).toEqual([]);
  ages.headSeen();
  ages.stepFound(tip, extend(21, 21));
  await clock.advance(250);
  ages.committed([at(998), at(1001)]);
  expect(measured).toEqual([
    ["seen", 2],
    ["committed", 2.25],
    ["seen", 0],
    ["committed", 0],
  ]);
  expect(ages.recent.committed.summary()).toMatchObject({ p50: 0, p95: 2.25, count: 2 });
});
