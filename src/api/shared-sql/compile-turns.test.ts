import { expect, it, vi } from "vitest";
import { systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import { FairTurns } from "../../lib/queues/fair-turns.ts";
import { deferred } from "../../lib/support/deferred.ts";
import type { PreparedQuery } from "../../reads/client-sql/client-sql.ts";
import { DEFAULT_LIMITS } from "../admission/limits.ts";
import { queryQueue } from "../admission/queues.ts";
import { SharedSql } from "./shared-sql.ts";

class Mistake extends BaseError {
  constructor() {
    super("bad-input", "a mistake at the end of a long query");
  }
}

/** More than the time that the turns give to one iteration of the event loop. */
const COMPILE_MS = 10;

/** Makes the SQL service with one slot for queries. */
function sharedSql(turns: FairTurns) {
  const limits = { ...DEFAULT_LIMITS, quickQueries: 1, concurrentQueries: 1 };
  const queue = queryQueue(limits);
  const reader = { engine: null as never, chains: [] };
  const shared = new SharedSql({ reader, limits, queue, turns, clock: systemClock });
  return { limits, queue, shared };
}

it("compiles waiting queries one at a time, so that the event loop serves other requests in between", async () => {
  let nowMs = 0;
  let iteration = 0;
  const turns = new FairTurns(() => nowMs);
  const { limits, shared } = sharedSql(turns);
  const compiled: number[] = [];
  const ask = (i: number) => {
    const prepare = () => {
      nowMs += COMPILE_MS;
      compiled.push(iteration);
      throw new Mistake();
    };
    const caller = { client: `client ${i % 3}`, kind: "sql", signal: new AbortController().signal };
    return shared.answer({ identity: `query ${i}`, limits, now: 0, prepare }, caller);
  };
  const count = () => {
    iteration++;
    if (compiled.length < 20) setImmediate(count);
  };
  setImmediate(count);
  await Promise.allSettled(Array.from({ length: 20 }, (_, i) => ask(i)));
  expect(new Set(compiled).size).toBe(20);
});

it("rejects a query with an error even while no slot is free", async () => {
  const { limits, queue, shared } = sharedSql(new FairTurns());
  const { signal } = new AbortController();
  const { promise: held, resolve: end } = deferred();
  const running = ["one", "two"].map((client) => queue.run({ client, kind: "sql", signal }, () => held));
  const waiting = queue.run({ client: "three", kind: "sql", signal }, async () => "ran");
  const prepare = () => {
    throw new Mistake();
  };
  const caller = { client: "four", kind: "sql", signal };
  await expect(shared.answer({ identity: "wrong", limits, now: 0, prepare }, caller)).rejects.toThrow(
    "a mistake at the end",
  );
  end();
  await Promise.all([...running, waiting]);
});

it.each([true, false])("says in the queue whether a query stops late: %s", async (stopsLate) => {
  const { limits, queue, shared } = sharedSql(new FairTurns());
  const queued = vi.spyOn(queue, "run").mockRejectedValue(new Mistake());
  const prepare = () => ({ readable: null, format: "json", compiled: { stopsLate } }) as PreparedQuery;
  const caller = { client: "one", kind: "sql", signal: new AbortController().signal };
  const answer = shared.answer({ identity: "strings", limits, now: 0, prepare }, caller);
  await expect(answer).rejects.toThrow(Mistake);
  expect(queued.mock.calls[0]?.[0].stopsLate).toBe(stopsLate);
});
