import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openFreshEngine } from "../../../test/support/engine/fresh-engine.ts";
import type { Sql } from "../../engine-sql/sql-text.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import type { Engine } from "../store.ts";
import { acquireLease, type LeaseTimes } from "./writer-lease.ts";

let engine: Engine;
let close: () => Promise<void>;
let clock: ManualClock;
let runningStatements = 0;
let isDown = false;

beforeAll(async () => {
  ({ engine, close } = await openFreshEngine());
});
beforeEach(() => {
  clock = new ManualClock();
  isDown = false;
});
afterAll(() => close());

const times: LeaseTimes = { leaseMs: 30_000, renewMs: 8_000, retryMs: 5_000 };
/** Times with which a lease is never renewed, as if its holder had died without releasing it. */
const neverRenewed: LeaseTimes = { ...times, renewMs: 1_000_000_000 };
const SERVER_NOW = "toUnixTimestamp64Milli(now64(3))";

/** Returns the engine of a server that reads the time from the test's clock. */
function server(): Engine {
  const run = async <T>(statement: Sql, use: (dated: Sql) => Promise<T>): Promise<T> => {
    runningStatements++;
    try {
      if (isDown) throw new Error("the server is down");
      return await use(statement.replaceAll(SERVER_NOW, String(clock.now())) as Sql);
    } finally {
      runningStatements--;
    }
  };
  return {
    query: (statement) => run(statement, (dated) => engine.query(dated)),
    execute: (statement) => run(statement, (dated) => engine.execute(dated)),
    stream: (...given) => engine.stream(...given),
    insert: (...given) => engine.insert(...given),
    close: () => Promise.resolve(),
  };
}

const acquire = (chain: string, leaseTimes = times) =>
  acquireLease(server(), chain, { times: leaseTimes, clock });

const STEP_MS = 1_000;

/** Advances the clock whenever no statement is running, until the condition is true. */
async function moveClockUntil(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await sleep(1);
    if (runningStatements === 0) await clock.advance(STEP_MS);
  }
}

async function whileClockMoves<T>(running: Promise<T>): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  running.then(settle, settle);
  await moveClockUntil(() => isSettled);
  return running;
}

describe("acquireLease", () => {
  it("gives a chain to one of many starting processes, and other chains to others", async () => {
    const starting = Array.from({ length: 4 }, () => acquire("eth"));
    const other = await whileClockMoves(acquire("base"));
    const results = await whileClockMoves(Promise.allSettled(starting));
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

  it("acquires a lease at once after a release, and after it expired when its holder died", async () => {
    const first = await acquire("freed");
    await first.release();
    const second = await acquire("freed", neverRenewed);
    const acquiredMs = clock.now();
    second.requireHeld();
    const third = await whileClockMoves(acquire("freed"));
    expect(clock.now() - acquiredMs).toBeGreaterThanOrEqual(times.leaseMs);
    third.requireHeld();
    expect(() => second.requireHeld()).toThrow("could not be renewed in time");
    await third.release();
  });

  it("leaves a lease to expire", async () => {
    const first = await acquire("left");
    await first.expire();
    const leftMs = clock.now();
    expect(first.isHeld).toBe(false);
    const second = await whileClockMoves(acquire("left"));
    expect(clock.now() - leftMs).toBeGreaterThanOrEqual(times.leaseMs);
    await second.release();
  });

  it("keeps a lease as long as it is renewed", async () => {
    const lease = await acquire("kept");
    const endMs = clock.now() + 2 * times.leaseMs;
    await moveClockUntil(() => clock.now() >= endMs);
    lease.requireHeld();
    await lease.release();
    expect(() => lease.requireHeld()).toThrow("could not be renewed");
    expect(clock.pending).toBe(0);
  });

  it("survives renewals that fail for a while", async () => {
    const lease = await acquire("interrupted");
    isDown = true;
    await clock.advance(20_000);
    isDown = false;
    const endMs = clock.now() + 2 * times.leaseMs;
    await moveClockUntil(() => clock.now() >= endMs);
    lease.requireHeld();
    await lease.release();
  });

  it("does not renew a lease when no renewal succeeded in time", async () => {
    const lease = await acquire("lost");
    isDown = true;
    await clock.advance(times.leaseMs + 1);
    isDown = false;
    const endMs = clock.now() + 2 * times.leaseMs;
    await moveClockUntil(() => clock.now() >= endMs);
    expect(() => lease.requireHeld()).toThrow("could not be renewed in time");
    expect(clock.pending).toBe(0);
    const successor = await acquire("lost");
    successor.requireHeld();
    await Promise.all([lease.release(), successor.release()]);
  });

  it("regains a lease that it lost, unless another process has it", async () => {
    const lease = await acquire("regained");
    await lease.regain();
    isDown = true;
    await clock.advance(times.leaseMs + 1);
    await expect(lease.regain()).rejects.toThrow("the server is down");
    expect([lease.isHeld, lease.term]).toEqual([false, 1]);
    isDown = false;
    await whileClockMoves(lease.regain());
    const endMs = clock.now() + 3 * times.leaseMs;
    await moveClockUntil(() => clock.now() >= endMs);
    lease.requireHeld();

    isDown = true;
    await clock.advance(times.leaseMs + 1);
    isDown = false;
    const successor = await acquire("regained");
    let wasHeld = false;
    const regaining = lease.regain();
    const waiting = expect(regaining).rejects.toThrow("is being written by another process");
    let isOver = false;
    void regaining.catch(() => {
      isOver = true;
    });
    await moveClockUntil(() => {
      wasHeld ||= lease.isHeld;
      return isOver;
    });
    await waiting;
    expect([wasHeld, lease.isHeld]).toEqual([false, false]);
    successor.requireHeld();
    await Promise.all([lease.release(), successor.release()]);
  });

  it("loses a lease that expired while the clock of its machine stood still", async () => {
    const own = new ManualClock();
    const lease = await acquireLease(server(), "suspended", { times, clock: own });
    await clock.advance(times.leaseMs + 1);
    const successor = await acquire("suspended");
    await own.advance(times.renewMs);
    await vi.waitFor(() => expect(() => lease.requireHeld()).toThrow("could not be renewed in time"));
    successor.requireHeld();
    await Promise.all([lease.release(), successor.release()]);
  });

  it("is lost by the wall clock, which goes on while the system is suspended", async () => {
    const own = new ManualClock();
    const lease = await acquireLease(server(), "asleep", { times, clock: own });
    own.stepWall(times.leaseMs - 1);
    lease.requireHeld();
    own.stepWall(1);
    expect(() => lease.requireHeld()).toThrow("could not be renewed in time");
    await lease.release();
  });

  it("draws a new ticket if its claim expired while the clock of its machine stood still", async () => {
    const own = new ManualClock();
    const holder = await acquire("queue");
    const suspended = acquireLease(server(), "queue", { times, clock: own });
    await vi.waitFor(() => expect(own.pending).toBe(1));
    const expiredMs = clock.now() + times.leaseMs + STEP_MS;
    await moveClockUntil(() => clock.now() >= expiredMs);
    // One after another, so that the second has a higher ticket than the suspended process had.
    const second = acquire("queue");
    await moveClockUntil(() => clock.pending === 2);
    const third = acquire("queue");
    await moveClockUntil(() => clock.pending === 3);
    await holder.release();
    await (await whileClockMoves(second)).release();
    const successor = await whileClockMoves(third);
    let hasAcquired = false;
    void suspended.then(() => {
      hasAcquired = true;
    });
    for (let i = 0; i < 5; i++) {
      await own.advance(times.retryMs);
      await vi.waitFor(() => expect(own.pending).toBe(1));
    }
    expect(hasAcquired).toBe(false);
    successor.requireHeld();
    await successor.release();
    await own.advance(times.retryMs);
    await (await suspended).release();
  });

  it("keeps one renewal after another if it is regained during a slow one", async () => {
    const slow = server();
    let respond = () => {};
    const answer = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const { execute } = slow;
    const lease = await acquireLease(slow, "slow", { times, clock });
    slow.execute = async (statement) => {
      slow.execute = execute;
      await answer;
      await execute(statement);
    };
    await clock.advance(times.leaseMs + 1);
    const regaining = lease.regain();
    await sleep(200);
    respond();
    await whileClockMoves(regaining);
    await sleep(200);
    lease.requireHeld();
    expect(clock.pending).toBe(1);
    const endMs = clock.now() + 2 * times.leaseMs;
    await moveClockUntil(() => clock.now() >= endMs);
    lease.requireHeld();
    await lease.release();
    expect(clock.pending).toBe(0);
  });
});
