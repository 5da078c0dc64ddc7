import { expect, it } from "vitest";
import type { Clock } from "../lib/async/clock.ts";
import { ManualClock } from "../lib/support/manual-clock.ts";
import { hashOf, hexOf, tradeRow } from "../reads/support/market.ts";
import type { Commit } from "../storage/store.ts";
import type { LoadStates } from "./state.ts";
import { type Changes, TrackedStates } from "./tracked-states.ts";

const [TOKEN, OTHER, POOL] = [hexOf(1), hexOf(2), hexOf(3)];

const commitOf = (number: number): Commit => ({
  sequence: number,
  firstBlock: 0,
  blockNumber: number,
  blockHash: hashOf(number),
  timestamp: 12 * number,
  finalized: null,
  committedAt: 0,
});

interface Options {
  commit(): Commit;
  load?: LoadStates;
  deliver?(loaded: Changes<string>): void;
  clock?: Clock;
  signal?: AbortSignal;
}

function trackedStates(options: Options): TrackedStates<string> {
  return new TrackedStates<string>({
    load: async () => null,
    deliver: () => {},
    clock: new ManualClock(),
    signal: new AbortController().signal,
    ...options,
  });
}

it("computes a state again only after rows about its subjects, or while those are not known", () => {
  const asked: string[] = [];
  const states = trackedStates({ commit: () => commitOf(1) });
  const question = (key: string, subjects: () => string[] | null) => ({
    key,
    subjects,
    intervalSeconds: null,
    now: ({ blockNumber }: Commit) => {
      asked.push(key);
      return [{ json: `"${key} ${blockNumber}"`, opensAt: null }];
    },
  });
  let known: string[] | null = null;
  states.add(
    "a",
    "s",
    question("token", () => [TOKEN]),
    [],
  );
  states.add(
    "a",
    "s",
    question("other", () => [OTHER]),
    [],
  );
  states.add(
    "b",
    "s",
    question("pool", () => known),
    [],
  );
  const trades = (pool = hexOf(9)) => ({
    dex_trades: [tradeRow({ token: TOKEN, at: 24, price: 1, pool }, 2, 0)],
  });
  const changed = states.update(commitOf(2), trades());
  expect(asked.splice(0)).toEqual(["token", "pool"]);
  expect(changed.map(([followers, items]) => [...followers.keys(), items[0]?.json])).toEqual([
    ["a", '"token 2"'],
    ["b", '"pool 2"'],
  ]);
  known = [POOL];
  states.update(commitOf(3), {});
  expect(asked.splice(0)).toEqual([]);
  states.update(commitOf(4), trades(POOL));
  expect(asked).toEqual(["token", "pool"]);
});

it("computes many states in parts, and delivers all of them", async () => {
  const count = 1_000;
  let newest = commitOf(1);
  let computed = 0;
  const delivered = new Set<string>();
  const states = trackedStates({
    commit: () => newest,
    deliver: (loaded) => {
      for (const [, items] of loaded) for (const { json } of items) delivered.add(json);
    },
  });
  for (let i = 0; i < count; i++) {
    const question = {
      key: `q${i}`,
      subjects: () => [TOKEN],
      intervalSeconds: null,
      now: ({ blockNumber }: Commit) => {
        computed++;
        return [{ json: `"${i} at ${blockNumber}"`, opensAt: null }];
      },
    };
    states.add("a", "s", question, []);
  }
  newest = commitOf(2);
  const rows = { dex_trades: [tradeRow({ token: TOKEN, at: 24, price: 1 }, 2, 0)] };
  for (const [, items] of states.update(newest, rows)) for (const { json } of items) delivered.add(json);
  const most = computed;
  expect([delivered.size, states.lacking().get("a")]).toEqual([most, 1]);
  while (states.lacking().size > 0) {
    const before = computed;
    await new Promise(setImmediate);
    expect(computed - before).toBeLessThanOrEqual(most);
  }
  expect([most < count, computed, delivered.size]).toEqual([true, count, count]);
});

it("does not keep a value that was requested before a commit, even if it was read after it", async () => {
  let newest = commitOf(1);
  const reads: ((readAt: number) => void)[] = [];
  const delivered: string[] = [];
  const question = { key: "q", subjects: () => [TOKEN], intervalSeconds: null, now: () => null };
  const states = trackedStates({
    commit: () => newest,
    load: (): ReturnType<LoadStates> => {
      const requestedAt = newest.sequence;
      return new Promise((resolve) =>
        reads.push((readAt) => {
          const items = [{ json: `"as of ${requestedAt}"`, opensAt: null }];
          resolve(new Map([["q", { items, requestedAt, readAt }]]));
        }),
      );
    },
    deliver: (loaded) => delivered.push(...loaded.flatMap(([, items]) => items.map(({ json }) => json))),
  });
  states.add("a", "s", question, []);
  const advance = (number: number) => {
    newest = commitOf(number);
    states.update(newest, { dex_trades: [tradeRow({ token: TOKEN, at: 24, price: 1 }, number, 0)] });
  };
  advance(2);
  await expect.poll(() => reads.length).toBe(1);
  advance(3);
  // The store has the third commit already, but the request is for the time of the second.
  reads[0]?.(3);
  await expect.poll(() => reads.length).toBe(2);
  expect(delivered).toEqual([]);
  reads[1]?.(3);
  await expect.poll(() => delivered).toEqual(['"as of 3"']);
  expect(states.lacking().size).toBe(0);
});

/** Advances in steps, because a read takes several iterations of the event loop. */
async function advance(clock: ManualClock, ms: number): Promise<void> {
  for (let i = 0; i < ms; i += 125) await clock.advance(125);
}

it("repeats a failed read, although no further block comes, until no stream follows the state", async () => {
  let newest = commitOf(1);
  let reads = 0;
  let isWell = false;
  const delivered: string[] = [];
  const clock = new ManualClock();
  const states = trackedStates({
    commit: () => newest,
    load: async (asked) => {
      reads++;
      const read = { items: [{ json: `"read ${reads}"`, opensAt: null }], requestedAt: 2, readAt: 2 };
      return isWell ? new Map(asked.map(({ question: { key } }) => [key, read])) : null;
    },
    deliver: (loaded) => delivered.push(...loaded.flatMap(([, items]) => items.map(({ json }) => json))),
    clock,
  });
  const question = { key: "q", subjects: () => [TOKEN], intervalSeconds: null, now: () => null };
  states.add("a", "s", question, []);
  newest = commitOf(2);
  states.update(newest, { dex_trades: [tradeRow({ token: TOKEN, at: 24, price: 1 }, 2, 0)] });
  await advance(clock, 60_000);
  expect(reads).toBeGreaterThan(10);
  expect(reads).toBeLessThan(40);
  isWell = true;
  await advance(clock, 5_000);
  expect(delivered).toEqual([`"read ${reads}"`]);
  expect([states.lacking().size, clock.pending]).toEqual([0, 0]);
  isWell = false;
  newest = commitOf(3);
  states.update(newest, { dex_trades: [tradeRow({ token: TOKEN, at: 36, price: 1 }, 3, 0)] });
  await advance(clock, 1_000);
  states.remove("a");
  await advance(clock, 5_000);
  expect(clock.pending).toBe(0);
});

it("reads again immediately when a block comes, but never after the service stops", async () => {
  let newest = commitOf(1);
  let reads = 0;
  const clock = new ManualClock();
  const stop = new AbortController();
  const load = async () => {
    reads++;
    return null;
  };
  const states = trackedStates({ commit: () => newest, load, clock, signal: stop.signal });
  const question = { key: "q", subjects: () => null, intervalSeconds: null, now: () => null };
  states.add("a", "s", question, []);
  for (let number = 2; number < 10; number++) {
    newest = commitOf(number);
    states.update(newest, {});
    await clock.advance(0);
  }
  expect(reads).toBe(8);
  stop.abort();
  await advance(clock, 60_000);
  expect([reads, clock.pending]).toEqual([8, 0]);
});
