import { SHORT_CLASSES, TURN_CLASSES, type TurnOwner, TurnTimes } from "./turn-times.ts";
import { WaitingWork } from "./waiting-work.ts";

/**
 * Time for which the event loop serves turns before it looks for new events: enough for about twenty small
 * requests, and short enough not to delay other work.
 */
const TURN_MS = 3;

/** Turns from this time on are followed by a rest. */
const LONG_TURN_MS = 8;
/** Length of a rest, as a part of the turn before it. */
const REST_SHARE = 0.5;
const LONGEST_REST_MS = 50;

/** Least number of unwanted pieces of work that are removed together. */
const LEAST_REMOVED = 32;

/**
 * Shares the time of the event loop between clients. Work continues at once while the loop has time left.
 * After that, it waits, and clients take turns, regardless of how much work each one has. Work whose turns
 * take about the same time is a class, and classes have equal shares of the time. So short work waits for
 * little long work, however many clients have it.
 *
 * After a long turn, only short ones are served for a while, because other work of the process, such as
 * indexing a block, takes many steps, of which each would wait for another long turn.
 *
 * While clients connect, no turn begins, but this pause is at most as long as the last turns took. The loop
 * accepts one connection in each iteration, so the last of a hundred new clients would otherwise wait for a
 * hundred turns before it could send its request.
 */
export class FairTurns {
  readonly #nowMs: () => number;
  readonly #after: (ms: number, call: () => void) => void;
  readonly #times = new TurnTimes();
  readonly #waiting: WaitingWork;
  /** Number of waiting pieces of work that have been reported as unwanted. */
  #unwanted = 0;
  /**
   * Time from which the current iteration of the event loop serves no more work. Null until the iteration has
   * work.
   */
  #endsAtMs: number | null = null;
  /** Whether a client has connected since an iteration last ended. */
  #hasArrival = false;
  /** Whether only short turns are served. */
  #isResting = false;

  constructor(nowMs: () => number = () => performance.now(), after = callAfter) {
    this.#nowMs = nowMs;
    this.#after = after;
    this.#waiting = new WaitingWork(TURN_CLASSES, (owner) => this.#times.classOf(owner));
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  waitingOf(client: string): number {
    return this.#waiting.sizeOf(client);
  }

  /** Returns whether the client has had short turns for work of this kind. */
  areShort(owner: TurnOwner): boolean {
    return this.#times.areShort(owner);
  }

  /**
   * Resolves when it is the turn of this work; a client's work of one kind is served in order. Returns null if
   * the work may continue at once.
   *
   * @param kind what the work does, from a small set: the time of its turns is expected to be that of earlier
   *   work of this kind
   * @param isWanted returns whether the work still has to be done; if not, its turn may never come
   */
  next(client: string, kind: string, isWanted: () => boolean = () => true): Promise<void> | null {
    if (this.waiting === 0 && this.#hasTime()) {
      void this.#measure({ client, kind });
      return null;
    }
    return new Promise((serve) => {
      this.#waiting.add({ client, kind, serve, isWanted });
      this.#endsAtMs ??= this.#begin();
    });
  }

  /**
   * Must be called when waiting work is no longer wanted. Looks at all work only once a part of it is unwanted,
   * so that each piece costs little.
   */
  noteUnwanted(): void {
    this.#unwanted++;
    if (this.#unwanted < Math.max(LEAST_REMOVED, this.waiting / 4)) return;
    this.#waiting.removeUnwanted();
    this.#unwanted = 0;
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
    if (this.waiting > 0) void this.#serve();
  }

  async #serve(): Promise<void> {
    // Without work that may be served, the iteration must not begin.
    while (this.#waiting.has(this.#classes) && this.#hasTime()) {
      const next = this.#waiting.takeNext(this.#classes);
      if (next === null) return;
      const measured = this.#measure(next);
      next.serve();
      const ms = await measured;
      next.count(ms);
      if (ms >= LONG_TURN_MS && !this.#isResting) this.#rest(Math.min(LONGEST_REST_MS, REST_SHARE * ms));
    }
  }

  /** Number of classes that are served. */
  get #classes(): number {
    return this.#isResting ? SHORT_CLASSES : TURN_CLASSES;
  }

  #rest(ms: number): void {
    this.#isResting = true;
    this.#after(ms, () => {
      this.#isResting = false;
      this.#endsAtMs ??= this.#begin();
    });
  }

  /** Measures the work that begins now, and returns its time in milliseconds. */
  async #measure(owner: TurnOwner): Promise<number> {
    const startMs = this.#nowMs();
    await untilMicrotasksEnd();
    const ms = this.#nowMs() - startMs;
    this.#times.add(owner, ms);
    return ms;
  }
}

/**
 * Waits until the resumed work has run, so that its time counts. Node runs all microtasks before the
 * callbacks of `process.nextTick`.
 */
function untilMicrotasksEnd(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}

function callAfter(ms: number, call: () => void): void {
  setTimeout(call, ms);
}
