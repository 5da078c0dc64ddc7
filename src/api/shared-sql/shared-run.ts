import type { Commit, ReadableChain } from "../../reads/snapshot/snapshot.ts";
import { type Caller, ClientClosed } from "../admission/fair-queue.ts";
import type { BufferedAnswer } from "../answers/unread/buffered-answer.ts";
import type { SqlAnswer, SqlFacts, SqlRequest } from "./sql-answer.ts";

/** A request that waits for its answer. */
export interface SqlWaiter {
  request: SqlRequest;
  caller: Caller;
  /** Monotonic time. */
  arrivedMs: number;
  /** Runs work as part of the request's trace span. */
  inSpan<T>(work: () => T): T;
  /** The run that will produce the answer; it changes when a request joins another request's run. */
  run: SharedRun | null;
  resolve(answer: SqlAnswer): void;
  reject(error: unknown): void;
}

/** A running query, with the commit that it reads and its start time. */
export interface Execution {
  readable: ReadableChain | null;
  commit: Commit | null;
  usesNow: boolean;
  /** Monotonic time. */
  startedMs: number;
}

/** The result of a run; its body may have several readers. */
export interface RunResult extends SqlFacts {
  body: BufferedAnswer;
}

/**
 * A request's place in the queue, the query that runs when its turn comes, and all requests that wait for the
 * answer.
 */
export class SharedRun {
  /** The request to which the place belongs. */
  readonly owner: SqlWaiter;
  /** True if this run must keep its place in the queue, even while another run may produce its answer. */
  keepsPlace: boolean;
  /** Null while the run waits in the queue, including after a preemption. */
  execution: Execution | null = null;
  readonly #waiters = new Set<SqlWaiter>();
  readonly #stop = new AbortController();

  constructor(owner: SqlWaiter, keepsPlace: boolean) {
    this.owner = owner;
    this.keepsPlace = keepsPlace;
    this.add(owner);
  }

  get request(): SqlRequest {
    return this.owner.request;
  }

  /** Aborts when no request is waiting for the answer any longer. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** True while the run waits in the queue. */
  get isWaiting(): boolean {
    return this.execution === null && this.#waiters.size > 0;
  }

  /** The current execution; null unless its answer can still be shared. */
  get running(): Execution | null {
    return this.#stop.signal.aborted ? null : this.execution;
  }

  add(waiter: SqlWaiter): void {
    this.#waiters.add(waiter);
    waiter.run = this;
  }

  /** Takes the requests of another run, which leaves the queue if it is waiting there. */
  takeOver(other: SharedRun): void {
    for (const waiter of other.release()) this.add(waiter);
    other.#stop.abort(new ClientClosed());
  }

  /** Removes a request whose client disconnected. */
  leave(waiter: SqlWaiter): void {
    this.#waiters.delete(waiter);
    if (this.#waiters.size === 0) this.#stop.abort(new ClientClosed());
  }

  /** Removes and returns the waiting requests. */
  release(): SqlWaiter[] {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    return waiters;
  }

  /** Removes and returns the waiting requests other than the owner's. */
  releaseOthers(): SqlWaiter[] {
    const others = [...this.#waiters].filter((waiter) => waiter !== this.owner);
    for (const waiter of others) this.#waiters.delete(waiter);
    return others;
  }

  /** Ends a run whose requests have been answered, and frees its place. */
  end(): void {
    this.#stop.abort(new ClientClosed());
  }
}

/** Gives every request its own reader of the answer. */
export function distribute(
  { body, ...facts }: RunResult,
  waiters: readonly SqlWaiter[],
  { startedMs, endedMs }: { startedMs: number; endedMs: number },
): void {
  if (waiters.length === 0) body.destroy();
  const readers = waiters.map(({ caller }, i) => (i === 0 ? body : body.copy(caller.client)));
  for (const [i, reader] of readers.entries()) {
    const waiter = waiters[i];
    const elapsedMs = endedMs - Math.max(startedMs, waiter?.arrivedMs ?? 0);
    waiter?.resolve({ ...facts, body: reader, elapsedMs });
  }
}
