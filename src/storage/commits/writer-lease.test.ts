import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import type { Engine } from "../store.ts";
import { acquireLease } from "./writer-lease.ts";

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});

afterAll(() => close());

const times = { leaseMs: 3_000, renewMs: 500, lookMs: 50 };
/** Dies without a word: it is never renewed. */
const dying = { ...times, renewMs: 1_000_000 };

describe("acquireLease", () => {
  it("gives a chain to one of many starters, and other chains to others", async () => {
    const starters = Array.from({ length: 4 }, () => acquireLease(engine, "eth", times));
    const other = await acquireLease(engine, "base", times);
    const results = await Promise.allSettled(starters);
    const held = results.filter((result) => result.status === "fulfilled");
    expect(held).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") {
        expect(result.reason.message).toMatch(/being written by another process \(.+ process \d+\).*serve/s);
      }
    }
    held[0]?.value.requireHeld();
    await Promise.all([other.release(), held[0]?.value.release()]);
  });

  it("is free at once after a release, and after its time when its holder died", async () => {
    const first = await acquireLease(engine, "freed", times);
    await first.release();
    const second = await acquireLease(engine, "freed", dying);
    second.requireHeld();
    const third = await acquireLease(engine, "freed", times);
    third.requireHeld();
    expect(() => second.requireHeld()).toThrow("could not be renewed in time");
    await third.release();
  });

  it("is kept for as long as it is renewed", async () => {
    const lease = await acquireLease(engine, "kept", times);
    await sleep(times.leaseMs + 500);
    lease.requireHeld();
    await lease.release();
    expect(() => lease.requireHeld()).toThrow("could not be renewed");
  });
});
