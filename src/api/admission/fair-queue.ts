import { type Clock, systemClock } from "../../lib/clock.ts";
import { BaseError } from "../../lib/error.ts";
import { WaitQueue } from "../../lib/wait-queue.ts";

/** Who sent a request; the signal aborts when they disconnect. */
export interface Caller {
  /** The client's key, or its address where the service has no keys. */
  client: string;
  signal: AbortSignal;
}

/** A queue in front of a limited number of running tasks. */
export interface AdmissionQueue {
  readonly running: number;
  readonly waiting: number;
  /** Number of tasks that found the queue full or waited too long. */
  readonly rejected: number;
  /**
   * Runs a task when its turn comes. The task must stop when its signal aborts.
   *
   * @throws Overloaded, ClientClosed, and what the task throws
   */
  run<T>(caller: Caller, task: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** The queues of requests, by cost. */
export type AdmissionQueues = Record<"query" | "read", AdmissionQueue>;

interface FairQueueLimits {
  running: number;
  waiting: number;
  waitMs: number;
}

/**
 * Limits the running tasks, the waiting tasks and the time a task may wait; further tasks are rejected at
 * once. The client with the fewest running tasks goes first, then the oldest task, so no client can take all
 * slots.
 */
export class FairQueue implements AdmissionQueue {
  readonly #limits: FairQueueLimits;
  /** The client of each running task. */
  readonly #running: string[] = [];
  readonly #waiting: WaitQueue<void, string>;
  #rejected = 0;

  constructor(limits: FairQueueLimits, clock: Clock = systemClock) {
    this.#limits = limits;
    this.#waiting = new WaitQueue(clock);
  }

  get running(): number {
    return this.#running.length;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get rejected(): number {
    return this.#rejected;
  }

  async run<T>(caller: Caller, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    await this.enter(caller);
    try {
      return await task(caller.signal);
    } finally {
      this.leave(caller);
    }
  }

  /** Waits for a slot; `leave` gives it back. @throws Overloaded, ClientClosed */
  async enter(caller: Caller): Promise<void> {
    const { client, signal } = caller;
    if (signal.aborted) throw new ClientClosed();
    if (this.tryEnter(caller)) return;
    if (this.#waiting.size >= this.#limits.waiting) throw this.#overloaded();
    await this.#waiting.wait(client, {
      signal,
      abortError: () => new ClientClosed(),
      timeoutMs: this.#limits.waitMs,
      timeoutError: () => this.#overloaded(),
    });
  }

  /** Takes a slot if one is free now. */
  tryEnter({ client }: Caller): boolean {
    if (this.#running.length >= this.#limits.running) return false;
    this.#running.push(client);
    return true;
  }

  /** Hands the slot to the next task at once, so that a new request cannot take it first. */
  leave({ client }: Caller): void {
    this.#running.splice(this.#running.indexOf(client), 1);
    const next = this.#waiting.next((waiting) => this.#slotsOf(waiting));
    if (next === undefined) return;
    this.#running.push(next.tag);
    next.serve();
  }

  #slotsOf(client: string): number {
    return this.#running.filter((running) => running === client).length;
  }

  #overloaded(): Overloaded {
    this.#rejected++;
    return new Overloaded();
  }
}

class Overloaded extends BaseError {
  constructor() {
    super("busy", "Too many requests are running and waiting. Try again in a second.", { retryable: true });
  }
}

/** The client disconnected before its response was ready. */
export class ClientClosed extends BaseError {
  constructor() {
    super("timeout", "The client closed the connection before the response was ready.");
  }
}
