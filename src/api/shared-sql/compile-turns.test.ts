import { expect, it } from "vitest";
import { systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import { FairTurns } from "../../lib/queues/fair-turns.ts";
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

it("compiles waiting queries one at a time, so that the event loop serves other requests in between", async () => {
  let nowMs = 0;
  let iteration = 0;
  const limits = { ...DEFAULT_LIMITS, quickQueries: 1, concurrentQueries: 1 };
  const turns = new FairTurns(() => nowMs);
  const queue = queryQueue(limits);
  const shared = new SharedSql({
    ...{ reader: { engine: null as never, chains: [] }, limits, queue, turns },
    clock: systemClock,
  });
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
  const asked = Promise.allSettled(Array.from({ length: 20 }, (_, i) => ask(i)));
  const count = () => {
    iteration++;
    if (compiled.length < 20) setImmediate(count);
  };
  setImmediate(count);
  await asked;
  expect(new Set(compiled).size).toBe(20);
});
