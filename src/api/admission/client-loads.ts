import type { Clock } from "../../lib/async/clock.ts";
import { RecentUsers } from "../../lib/queues/recent-users.ts";

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

/** The numbers of tasks in a queue by client, and the last start of a task of each client. */
export class ClientLoads {
  readonly #loads = new Map<string, ClientLoad>();
  readonly #active: RecentUsers;
  /** Number of each client's newest start. Starts are numbered across all clients; the oldest comes first. */
  readonly #lastStarts = new Map<string, number>();
  #starts = 0;
  /** The number of the newest start that was forgotten; 0 if none was. */
  #forgotten = 0;

  constructor(clock?: Clock) {
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
   * Returns the number of the client's newest start, or of the newest forgotten one if the client is not
   * remembered: if unknown clients went first, many of them could keep another one waiting forever.
   */
  lastStartOf(client: string): number {
    return this.#lastStarts.get(client) ?? this.#forgotten;
  }

  start(client: string): void {
    this.#starts++;
    this.#changed(client, { running: 1 });
    this.#lastStarts.delete(client);
    this.#lastStarts.set(client, this.#starts);
    this.#forgetOldest();
  }

  end(client: string): void {
    this.#changed(client, { running: -1 });
  }

  wait(client: string): void {
    this.#changed(client, { waiting: 1 });
  }

  stopWaiting(client: string): void {
    this.#changed(client, { waiting: -1 });
  }

  #forgetOldest(): void {
    const [oldest] = this.#lastStarts;
    if (oldest === undefined || this.#lastStarts.size <= MAX_REMEMBERED) return;
    const [client, start] = oldest;
    this.#lastStarts.delete(client);
    this.#forgotten = start;
  }

  #changed(client: string, { running = 0, waiting = 0 }: Partial<ClientLoad>): void {
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
