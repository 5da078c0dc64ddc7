/**
 * Time for which the event loop serves turns before it looks for new events: enough for about twenty small
 * requests, and short enough not to delay other work.
 */
const TURN_MS = 3;

/** Least number of waiting pieces of work at which unwanted ones are removed. */
const MIN_FULL_SIZE = 64;

/**
 * Shares the time of the event loop between clients. Work continues at once while the loop has time left.
 * After that, it waits, and clients take turns, regardless of how much work each one has. Clients with short
 * turns get every second one, so that they do not wait for a round of all the others.
 *
 * While clients connect, no turn begins, but this pause is at most as long as the last turns took. The loop
 * accepts one connection in each iteration, so the last of a hundred new clients would otherwise wait for a
 * hundred turns before it could send its request.
 */
export class FairTurns {
  readonly #nowMs: () => number;
  readonly #times: TurnTimes = new TurnTimes();
  /** Waiting work of clients with short turns, in the order in which they are served. */
  readonly #short: WaitingWork = new Map();
  /** Waiting work of all other clients. */
  readonly #long: WaitingWork = new Map();
  #size = 0;
  /** Size from which on unwanted work is removed. */
  #fullSize = MIN_FULL_SIZE;
  #wasLong = false;
  /**
   * Time from which the current iteration of the event loop serves no more work. Null until the iteration has
   * work.
   */
  #endsAtMs: number | null = null;
  /** Whether a client has connected since an iteration last ended. */
  #hasArrival = false;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  get waiting(): number {
    return this.#size;
  }

  waitingOf(client: string): number {
    return this.#workOf(client)?.length ?? 0;
  }

  /**
   * Resolves when it is the turn of this work; a client's work is served in order. Returns null if the work
   * may continue at once.
   *
   * @param isWanted returns whether the work still has to be done; if not, its turn may never come
   */
  next(client: string, isWanted: () => boolean = () => true): Promise<void> | null {
    if (this.#size === 0 && this.#hasTime()) return null;
    if (this.#size >= this.#fullSize) this.#removeUnwanted();
    return new Promise((serve) => {
      const work = this.#workOf(client);
      if (work === undefined) this.#add(client, [{ serve, isWanted }]);
      else work.push({ serve, isWanted });
      this.#size++;
    });
  }

  /** Must be called for each new connection. */
  noteArrival(): void {
    this.#hasArrival = true;
  }

  #hasTime(): boolean {
    this.#endsAtMs ??= this.#begin();
    return this.#nowMs() < this.#endsAtMs;
  }

  #begin(): number {
    const startMs = this.#nowMs();
    setImmediate(() => {
      const endMs = this.#nowMs();
      this.#continue(endMs + (endMs - startMs));
    });
    return startMs + TURN_MS;
  }

  /**
   * Serves the next turns. If a client has connected, waits for another iteration first, but not beyond
   * `latestMs`.
   */
  #continue(latestMs: number): void {
    if (this.#hasArrival && this.#nowMs() < latestMs) {
      this.#hasArrival = false;
      setImmediate(() => this.#continue(latestMs));
      return;
    }
    this.#endsAtMs = null;
    if (this.#size > 0) void this.#serve();
  }

  async #serve(): Promise<void> {
    while (this.#size > 0 && this.#hasTime()) {
      const startMs = this.#nowMs();
      const client = this.#serveNext();
      await untilMicrotasksEnd();
      if (client !== null) this.#times.add(client, this.#nowMs() - startMs);
    }
  }

  /** Begins the next turn, and returns its client. */
  #serveNext(): string | null {
    const queue = this.#nextQueue();
    const [next] = queue;
    if (next === undefined) return null;
    const [client, work] = next;
    queue.delete(client);
    const first = work.shift();
    if (work.length > 0) this.#add(client, work);
    this.#size--;
    first?.serve();
    return client;
  }

  /** Looks at all work only once it has doubled since the last time, so that each piece costs little. */
  #removeUnwanted(): void {
    for (const queue of [this.#short, this.#long]) {
      for (const [client, work] of queue) {
        const wanted = work.filter(({ isWanted }) => isWanted());
        this.#size -= work.length - wanted.length;
        if (wanted.length > 0) queue.set(client, wanted);
        else queue.delete(client);
      }
    }
    this.#fullSize = Math.max(MIN_FULL_SIZE, 2 * this.#size);
  }

  #nextQueue(): WaitingWork {
    if (this.#short.size === 0) return this.#long;
    if (this.#long.size === 0) return this.#short;
    this.#wasLong = !this.#wasLong;
    return this.#wasLong ? this.#long : this.#short;
  }

  #workOf(client: string): Work[] | undefined {
    return this.#short.get(client) ?? this.#long.get(client);
  }

  #add(client: string, work: Work[]): void {
    const queue = this.#times.areShort(client) ? this.#short : this.#long;
    queue.set(client, work);
  }
}

interface Work {
  /** Begins the turn. */
  serve(): void;
  isWanted(): boolean;
}

type WaitingWork = Map<string, Work[]>;

/** Turns are short if they take less than this on average: several times as long as most requests take. */
const SHORT_TURN_MS = 20;
/** Weight of the newest turn in the average. Even small requests take long now and then, on a busy machine. */
const NEWEST_WEIGHT = 1 / 8;
/** Maximum number of clients whose average is remembered: about a megabyte. */
const MAX_REMEMBERED = 10_000;

/** How long the turns of each client take on average. */
class TurnTimes {
  /** The client whose last turn was longest ago comes first. */
  readonly #averages = new Map<string, number>();

  /** Returns whether the client's turns are known to be short: those of a new client are not. */
  areShort(client: string): boolean {
    return (this.#averages.get(client) ?? SHORT_TURN_MS) < SHORT_TURN_MS;
  }

  add(client: string, ms: number): void {
    const before = this.#averages.get(client) ?? SHORT_TURN_MS;
    this.#averages.delete(client);
    this.#averages.set(client, before + (ms - before) * NEWEST_WEIGHT);
    const [oldest] = this.#averages.keys();
    if (this.#averages.size > MAX_REMEMBERED && oldest !== undefined) this.#averages.delete(oldest);
  }
}

/**
 * Waits until the resumed work has run, so that its time counts. Node runs all microtasks before the
 * callbacks of `process.nextTick`.
 */
function untilMicrotasksEnd(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
