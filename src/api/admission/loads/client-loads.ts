import { type Clock, systemClock } from "../../../lib/async/clock.ts";
import { RecentUsers } from "../../../lib/queues/recent-users.ts";

/** Numbers of tasks of one client in a queue. */
export interface ClientLoad {
  running: number;
  waiting: number;
}

/**
 * Maximum number of clients for which the last start of a task is remembered, even while they have no tasks,
 * so that a client that sends one request after another does not count as new each time. Their entries take
 * about a megabyte.
 */
const MAX_REMEMBERED = 10_000;

/** Half-life of a client's use of slots: after this time, use counts half as much. */
const USE_HALF_LIFE_MS = 10_000;
/** Use of slots within which clients count as equal: small requests of one client take less in ten seconds. */
const SMALL_USE_MS = 250;
/** A new client may send many tasks like the first tasks of others: this many count against it. */
const FIRST_TASKS = 8;
/** Maximum use that new clients count with, so that they still go before those known to be slow. */
const MOST_FIRST_USE_MS = 7_000;
/** Weight of the newest first task in the average of first tasks. */
const NEWEST_WEIGHT = 1 / 8;
/** Number of levels of use. At the highest, a client had thousands of slots for the last ten seconds. */
export const USE_LEVELS = 16;

/** The time for which a client had slots, as of a time. */
interface SlotUse {
  ms: number;
  /** Monotonic time. */
  atMs: number;
}

/**
 * The numbers of tasks in a queue by client, the last start of a task of each client, and how much it has
 * used its slots.
 */
export class ClientLoads {
  readonly #clock: Clock;
  readonly #loads = new Map<string, ClientLoad>();
  readonly #active: RecentUsers;
  /** Of the same clients as `#lastStarts`. */
  readonly #uses = new Map<string, SlotUse>();
  /** Clients that are running their first task. */
  readonly #firstTasks = new Set<string>();
  /** Number of each client's newest start. Starts are numbered across all clients; the oldest comes first. */
  readonly #lastStarts = new Map<string, number>();
  /**
   * Of waiting clients whose last start is not remembered: the number of the newest start but one when they
   * came. So they go before a client that started last, even if it came before them.
   */
  readonly #arrivals = new Map<string, number>();
  /** The use that a new client counts with. It follows from the first tasks of recent clients. */
  #firstUseMs = SMALL_USE_MS;
  #starts = 0;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#active = new RecentUsers(clock);
  }

  get clients(): number {
    return this.#loads.size;
  }

  of(client: string): Readonly<ClientLoad> {
    return this.#loads.get(client) ?? NO_LOAD;
  }

  /** Returns the share of the slots that a client may have, which depends on whether others are active. */
  shareOf(client: string, own: number): number {
    return this.#active.shareOf(client, own);
  }

  /**
   * Returns the number of the client's newest start. If the client is not remembered, it counts as started
   * shortly before it came: if unknown clients went first, many of them could keep another one waiting
   * forever.
   */
  lastStartOf(client: string): number {
    return this.#lastStarts.get(client) ?? this.#arrivals.get(client) ?? this.#starts;
  }

  /**
   * Returns for how long the client has had slots lately, as a level from 0 to below `USE_LEVELS`. Each level
   * is about twice the time of the level before. How a new client counts depends on the first tasks of
   * others: clients that use a new address for each slow task would otherwise go before those whose tasks are
   * known to be short.
   */
  useLevelOf(client: string): number {
    const ms = this.#uses.has(client) ? this.#useOf(client).ms : this.#firstUseMs;
    return Math.min(USE_LEVELS - 1, Math.floor(Math.log2(1 + ms / SMALL_USE_MS)));
  }

  /** Counts more use of slots than the client's tasks have taken. */
  addUse(client: string, moreMs: number): void {
    // A client that was forgotten while its task ran must not be remembered forever.
    if (!this.#lastStarts.has(client)) return;
    const { ms, atMs } = this.#useOf(client);
    this.#uses.set(client, { ms: ms + moreMs, atMs });
  }

  /**
   * Returns the client whose waiting tasks have the highest weight, and that weight; null if no task is
   * waiting.
   */
  heaviestWaiting(): { client: string; weight: number } | null {
    const heaviest = { client: "", weight: 0 };
    for (const [client, { waiting }] of this.#loads) {
      const weight = this.weightOf(client, waiting);
      if (weight > heaviest.weight) Object.assign(heaviest, { client, weight });
    }
    return heaviest.weight === 0 ? null : heaviest;
  }

  /**
   * Returns the weight of a number of the client's tasks, which grows with its use of slots. Those of a client
   * that is not known yet weigh twice as much: many clients without a history must not keep out one with a
   * good one.
   */
  weightOf(client: string, tasks: number): number {
    return tasks * 2 ** (this.useLevelOf(client) + (this.#uses.has(client) ? 0 : 1));
  }

  start(client: string): void {
    if (!this.#lastStarts.has(client)) this.#firstTasks.add(client);
    this.#starts++;
    this.#lastStarts.delete(client);
    this.#lastStarts.set(client, this.#starts);
    this.#arrivals.delete(client);
    this.#changed(client, { running: 1 });
    this.#forgetOldest();
  }

  end(client: string): void {
    this.#changed(client, { running: -1 });
    if (!this.#firstTasks.delete(client)) return;
    const taskMs = this.#useOf(client).ms - SMALL_USE_MS;
    const ms = Math.min(MOST_FIRST_USE_MS, Math.max(SMALL_USE_MS, FIRST_TASKS * taskMs));
    this.#firstUseMs += (ms - this.#firstUseMs) * NEWEST_WEIGHT;
  }

  wait(client: string): void {
    if (!this.#lastStarts.has(client) && !this.#arrivals.has(client))
      this.#arrivals.set(client, this.#starts - 1);
    this.#changed(client, { waiting: 1 });
  }

  stopWaiting(client: string): void {
    this.#changed(client, { waiting: -1 });
    if (this.of(client).waiting === 0) this.#arrivals.delete(client);
  }

  #forgetOldest(): void {
    const [oldest] = this.#lastStarts;
    if (oldest === undefined || this.#lastStarts.size <= MAX_REMEMBERED) return;
    const [client] = oldest;
    this.#lastStarts.delete(client);
    this.#uses.delete(client);
  }

  /** Returns the client's use of slots until now; earlier use counts less. */
  #useOf(client: string): SlotUse {
    const atMs = this.#clock.monotonic();
    const before = this.#uses.get(client);
    // Many new clients must not go before one whose tasks are known to be short.
    if (before === undefined) return { ms: SMALL_USE_MS, atMs };
    const passedMs = atMs - before.atMs;
    const kept = before.ms * 2 ** (-passedMs / USE_HALF_LIFE_MS);
    return { ms: kept + this.of(client).running * passedMs, atMs };
  }

  #changed(client: string, { running = 0, waiting = 0 }: Partial<ClientLoad>): void {
    if (running !== 0) this.addUse(client, 0);
    const load = this.#loads.get(client) ?? { ...NO_LOAD };
    load.running += running;
    load.waiting += waiting;
    if (load.running + load.waiting === 0) {
      this.#loads.delete(client);
      this.#active.stop(client);
    } else {
      this.#loads.set(client, load);
      this.#active.start(client);
    }
  }
}

const NO_LOAD: ClientLoad = { running: 0, waiting: 0 };
