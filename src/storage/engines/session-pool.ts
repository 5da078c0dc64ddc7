import { WaitQueue } from "../../lib/async/wait-queue.ts";
import { EngineBusy, EngineClosed } from "./engine-failure.ts";

/** Sessions that each run one statement at a time, assigned to callers in order of arrival. */
export class SessionPool<T> {
  readonly #idle: T[];
  readonly #size: number;
  readonly #maxWaiting: number;
  readonly #queue = new WaitQueue<T>();
  readonly #closing = new WaitQueue();
  #closed = false;

  /** @param maxWaiting how many callers may wait for a session; more are rejected with `busy` */
  constructor(sessions: readonly T[], maxWaiting: number) {
    this.#idle = [...sessions];
    this.#size = sessions.length;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Runs a function that has a session to itself. Aborting the signal ends the wait for a session, not the
   * run.
   */
  async use<R>(run: (session: T) => Promise<R>, signal?: AbortSignal): Promise<R> {
    const session = await this.#acquire(signal);
    try {
      return await run(session);
    } finally {
      this.#release(session);
    }
  }

  /** Rejects waiting and new callers, and resolves when every session is idle. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.rejectAll(new EngineClosed());
    if (this.#idle.length < this.#size) await this.#closing.wait(undefined);
  }

  async #acquire(signal?: AbortSignal): Promise<T> {
    if (this.#closed) throw new EngineClosed();
    signal?.throwIfAborted();
    const session = this.#idle.pop();
    if (session !== undefined) return session;
    if (this.#queue.size >= this.#maxWaiting) throw new EngineBusy();
    return this.#queue.wait(undefined, { signal });
  }

  #release(session: T): void {
    const next = this.#queue.next();
    if (next !== undefined) {
      next.serve(session);
      return;
    }
    this.#idle.push(session);
    if (this.#idle.length === this.#size) this.#closing.serveAll();
  }
}
