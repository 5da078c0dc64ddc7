import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import { WaitQueue } from "../../lib/queues/wait-queue.ts";
import { traced } from "../../lib/tracing/tracing.ts";
import { ClientLoads, USE_LEVELS } from "./loads/client-loads.ts";
import { ClientOverload, ServiceOverload } from "./overload.ts";

/** The sender of a request; the signal aborts when it disconnects. */
export interface Caller {
  /** Id of the client's key, or its address if the service has no keys. */
  client: string;
  /** Identifies what the request does. Requests of the same client and kind take about the same time. */
  kind: string;
  /** True if the task may go on for seconds after its signal aborts. Default: false. */
  stopsLate?: boolean;
  signal: AbortSignal;
}

/** The slot of a running task. */
export interface Slot {
  readonly client: string;
  /** Keeps the slot taken until the promise settles, even if the task ends earlier. */
  keepUntil(ended: Promise<unknown>): void;
}

export type QueuedTask<T> = (signal: AbortSignal, slot: Slot) => Promise<T>;

/** A queue in front of a limited number of running tasks. */
export interface AdmissionQueue {
  readonly running: number;
  readonly waiting: number;
  /** Number of clients with running or waiting tasks. */
  readonly clients: number;
  /** Number of tasks that were rejected because a limit was reached or they waited too long. */
  readonly rejected: number;
  /**
   * The queues for quick and for long tasks; absent if there is one queue for both, or if the queues are in
   * another process.
   */
  readonly tiers?: Record<"quick" | "long", QueueState>;
  /**
   * Runs a task when its turn comes. The task must stop when its signal aborts.
   *
   * @throws ClientOverload, ServiceOverload, ClientClosed, and whatever the task throws
   */
  run<T>(caller: Caller, task: QueuedTask<T>): Promise<T>;
}

/** The queues of requests, by cost. */
export type AdmissionQueues = Record<"query" | "read", AdmissionQueue>;

/** The current load and the limits of a queue. */
export interface QueueState {
  running: number;
  runningLimit: number;
  waiting: number;
  waitingLimit: number;
  clients: number;
  rejected: number;
}

export interface FairQueueLimits {
  running: number;
  waiting: number;
  waitMs: number;
  /**
   * Maximum share of the running tasks that one client may have; half of it while other clients are active.
   * The number of tasks is rounded up.
   */
  clientShare: number;
  /** Maximum number of waiting tasks per client. */
  clientWaiting: number;
}

/**
 * Limits the running and the waiting tasks, both in total and per client, and the time that a task may wait.
 * A task that may neither run nor wait is rejected immediately. If all places are taken, a client with few
 * or quick waiting tasks gets the newest place of the client whose tasks weigh the most: their number times
 * the time that its tasks have taken lately. The next task is the oldest one of the client with the fewest
 * running tasks. Ties go to the client whose tasks have taken the least time lately, then to the one whose
 * last start was longest ago. Clients therefore take turns, however many tasks each has, and short tasks do
 * not wait for a round of long ones.
 */
export class FairQueue implements AdmissionQueue {
  readonly #limits: FairQueueLimits;
  readonly #loads: ClientLoads;
  readonly #waiting: WaitQueue<void, string>;
  #running = 0;
  #rejected = 0;

  constructor(limits: FairQueueLimits, clock: Clock = systemClock) {
    this.#limits = limits;
    this.#loads = new ClientLoads(clock);
    this.#waiting = new WaitQueue(clock);
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get clients(): number {
    return this.#loads.clients;
  }

  get rejected(): number {
    return this.#rejected;
  }

  get state(): QueueState {
    const { running: runningLimit, waiting: waitingLimit } = this.#limits;
    const { running, waiting, clients, rejected } = this;
    return { running, runningLimit, waiting, waitingLimit, clients, rejected };
  }

  async run<T>(caller: Caller, task: QueuedTask<T>): Promise<T> {
    await this.enter(caller);
    const slot = new TakenSlot(caller.client);
    try {
      return await task(caller.signal, slot);
    } finally {
      slot.free(() => this.leave(caller));
    }
  }

  /** Waits for a slot, which `leave` frees. @throws ClientOverload, ServiceOverload, ClientClosed */
  async enter(caller: Caller): Promise<void> {
    const { client, signal } = caller;
    if (signal.aborted) throw new ClientClosed();
    // If other clients have become inactive, the client may have more slots. Its waiting tasks go first.
    if (this.#loads.of(client).waiting > 0 && this.#mayRun(client)) this.#serveWaiting();
    if (this.tryEnter(caller)) return;
    this.#requireRoom(client);
    this.#loads.wait(client);
    try {
      await traced("wait in the queue", () =>
        this.#waiting.wait(client, {
          signal,
          abortError: () => new ClientClosed(),
          timeoutMs: this.#limits.waitMs,
          timeoutError: () => this.#waitedTooLong(client),
        }),
      );
    } finally {
      this.#loads.stopWaiting(client);
    }
  }

  /** Takes a slot if the client may have one now. Returns whether a slot was taken. */
  tryEnter({ client }: Caller): boolean {
    if (!this.#mayRun(client)) return false;
    this.#start(client);
    return true;
  }

  /** Passes the slot to the next task immediately, so that a new request cannot take it first. */
  leave({ client }: Caller): void {
    this.#running--;
    this.#loads.end(client);
    this.#serveWaiting();
  }

  /** Lets other clients go first for a while: counts a running task as if it had taken longer. */
  charge({ client }: Caller, moreMs: number): void {
    this.#loads.addUse(client, moreMs);
  }

  #serveWaiting(): void {
    while (this.#running < this.#limits.running) {
      const next = this.#waiting.next((waiting) => this.#rankOf(waiting));
      if (next === undefined || !this.#mayRun(next.tag)) return;
      this.#start(next.tag);
      next.serve();
    }
  }

  #start(client: string): void {
    this.#running++;
    this.#loads.start(client);
  }

  #mayRun(client: string): boolean {
    return this.#running < this.#limits.running && this.#loads.of(client).running < this.#mostOf(client);
  }

  /** Returns how many tasks of the client may run at once. */
  #mostOf(client: string): number {
    const { running, clientShare } = this.#limits;
    return Math.ceil(running * this.#loads.shareOf(client, clientShare));
  }

  #rankOf(client: string): number {
    const { running } = this.#loads.of(client);
    if (running >= this.#mostOf(client)) return Number.POSITIVE_INFINITY;
    const level = this.#loads.useLevelOf(client);
    return (running * USE_LEVELS + level) * STARTS + this.#loads.lastStartOf(client);
  }

  #requireRoom(client: string): void {
    const { running, waiting } = this.#limits;
    const clientWaiting = Math.min(this.#limits.clientWaiting, waiting);
    if (this.#loads.of(client).waiting >= clientWaiting) {
      throw this.#rejection(new ClientOverload(`at most ${clientWaiting} of this kind may wait at once`));
    }
    if (this.#waiting.size < waiting || this.#displaceFor(client)) return;
    const reason = `it runs at most ${running} requests of this kind at once, and queues at most ${waiting}`;
    throw this.#rejection(new ServiceOverload(reason));
  }

  /**
   * Rejects the newest waiting task of the client whose tasks weigh the most, if those of the other client
   * then still weigh less. Otherwise a few clients with many tasks, or many clients with slow ones, could
   * keep the queue full, and every other client out.
   */
  #displaceFor(client: string): boolean {
    const heaviest = this.#loads.heaviestWaiting();
    const weight = this.#loads.weightOf(client, this.#loads.of(client).waiting + 1);
    if (heaviest === null || heaviest.weight <= weight) return false;
    const displaced = this.#waiting.newest(heaviest.client);
    if (displaced === undefined) return false;
    const reason = `it queues at most ${this.#limits.waiting} requests of this kind, and those of this client are the most or take the longest`;
    displaced.reject(this.#rejection(new ServiceOverload(reason)));
    return true;
  }

  /** Returns a 429 error if the client has running tasks of its own, otherwise a 503 error. */
  #waitedTooLong(client: string): BaseError {
    const reason = `the request waited in the queue for ${this.#limits.waitMs / 1000} s, the maximum`;
    const isOwnLoad = this.#loads.of(client).running > 0;
    return this.#rejection(isOwnLoad ? new ClientOverload(reason) : new ServiceOverload(reason));
  }

  #rejection(error: BaseError): BaseError {
    this.#rejected++;
    return error;
  }
}

export class TakenSlot implements Slot {
  readonly client: string;
  readonly #work: Promise<unknown>[] = [];

  constructor(client: string) {
    this.client = client;
  }

  keepUntil(ended: Promise<unknown>): void {
    this.#work.push(ended);
  }

  /** Calls `leave` when all work has ended, or immediately if there is none. */
  free(leave: () => void): void {
    if (this.#work.length === 0) leave();
    else void Promise.allSettled(this.#work).then(leave);
  }
}

/** More starts than a process ever has, but few enough that doubles represent ranks exactly. */
const STARTS = 2 ** 36;

/** The client disconnected before its response was ready. */
export class ClientClosed extends BaseError {
  constructor() {
    super("timeout", "The client closed the connection before the response was ready.");
  }
}
