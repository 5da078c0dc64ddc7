import { systemClock } from "../../lib/async/clock.ts";
import { timeoutOf } from "../../lib/async/timeout.ts";
import { EngineUnreachable } from "../engines/engine-failure.ts";
import type { Commit, CommitLog, Engine, QueryLimits } from "../store.ts";
import { chainCommits } from "./commit-log.ts";

/** Maximum time for a server to return the newest commit. */
const RESPONSE_MS = 5_000;

/**
 * If the response is late, the newest commit is not requested again for this long, or until that response
 * arrives. Meanwhile, requests about the chain fail at once, so that they do not hold up requests about other
 * chains.
 */
const PAUSE_MS = 30_000;

/** Returns the commits of a chain on a server, which may stop responding without closing its connections. */
export function serverCommits(engine: Engine, chain: string): CommitLog {
  return new ServerCommits(chainCommits(engine, chain));
}

const LATE = Symbol("late");

class ServerCommits implements CommitLog {
  readonly #log: CommitLog;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(log: CommitLog) {
    this.#log = log;
  }

  get chain(): string {
    return this.#log.chain;
  }

  from(sequence: number, most: number, limits?: QueryLimits): Promise<Commit[]> {
    return this.#log.from(sequence, most, limits);
  }

  /** @throws EngineUnreachable if the server is late */
  async committed(limits?: QueryLimits): Promise<Commit | null> {
    if (systemClock.monotonic() < this.#pausedUntilMs) throw new EngineUnreachable(new LateResponse());
    const reading = this.#log.committed(limits);
    const late = timeoutOf<typeof LATE>(RESPONSE_MS, LATE, systemClock);
    try {
      const first = await Promise.race([reading, late.elapsed]);
      if (first !== LATE) return first;
    } finally {
      late.cancel();
    }
    this.#pauseUntil(reading);
    throw new EngineUnreachable(new LateResponse());
  }

  #pauseUntil(response: Promise<unknown>): void {
    const untilMs = systemClock.monotonic() + PAUSE_MS;
    this.#pausedUntilMs = untilMs;
    const end = () => {
      if (this.#pausedUntilMs === untilMs) this.#pausedUntilMs = Number.NEGATIVE_INFINITY;
    };
    response.then(end, end);
  }
}

class LateResponse extends Error {
  constructor() {
    super(`no response within ${RESPONSE_MS} ms`);
  }
}
