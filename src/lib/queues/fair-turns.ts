/**
 * Time for which the event loop serves turns before it looks for new events: enough for about twenty small
 * requests, and short enough not to delay other work.
 */
const TURN_MS = 3;

/**
 * Shares the time of the event loop between clients. Work continues at once while the loop has time left.
 * After that, it waits, and clients take turns, regardless of how much work each one has.
 *
 * While clients connect, no turn begins, but this pause is at most as long as the last turns took. The loop
 * accepts one connection in each iteration, so the last of a hundred new clients would otherwise wait for a
 * hundred turns before it could send its request.
 */
export class FairTurns {
  readonly #nowMs: () => number;
  /** Waiting work by client, in the order in which clients are served. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #size = 0;
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
    return this.#waiting.get(client)?.length ?? 0;
  }

  /**
   * Resolves when it is the turn of this work; a client's work is served in order. Returns null if the work
   * may continue at once.
   */
  next(client: string): Promise<void> | null {
    if (this.#size === 0 && this.#hasTime()) return null;
    return new Promise((serve) => {
      const work = this.#waiting.get(client);
      if (work === undefined) this.#waiting.set(client, [serve]);
      else work.push(serve);
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
      this.#serveNext();
      await untilMicrotasksEnd();
    }
  }

  #serveNext(): void {
    const [next] = this.#waiting;
    if (next === undefined) return;
    const [client, work] = next;
    this.#waiting.delete(client);
    const serve = work.shift();
    if (work.length > 0) this.#waiting.set(client, work);
    this.#size--;
    serve?.();
  }
}

/**
 * Waits until the resumed work has run, so that its time counts. Node runs all microtasks before the
 * callbacks of `process.nextTick`.
 */
function untilMicrotasksEnd(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));
}
