import { EngineBusy, EngineClosed } from "./engine-failure.ts";

interface Waiter<T> {
  take(session: T): void;
  refuse(error: unknown): void;
}

interface PoolOptions {
  /** How many callers may wait for a session before the next is told `busy`. */
  maxWaiting: number;
}

/** Sessions that run one statement at a time each, lent out in the order of asking. */
export class SessionPool<T> {
  readonly #idle: T[];
  readonly #size: number;
  readonly #maxWaiting: number;
  readonly #waiting: Waiter<T>[] = [];
  #closed = false;
  #onIdle: (() => void) | undefined;

  constructor(sessions: readonly T[], options: PoolOptions) {
    this.#idle = [...sessions];
    this.#size = sessions.length;
    this.#maxWaiting = options.maxWaiting;
  }

  /** Runs with a session of its own. An aborted signal ends the waiting, not the run. */
  async use<R>(run: (session: T) => Promise<R>, signal?: AbortSignal): Promise<R> {
    const session = await this.#take(signal);
    try {
      return await run(session);
    } finally {
      this.#giveBack(session);
    }
  }

  /** Refuses new callers and resolves when every session has come back. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const waiter of this.#waiting.splice(0)) waiter.refuse(new EngineClosed());
    if (this.#idle.length === this.#size) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  async #take(signal?: AbortSignal): Promise<T> {
    if (this.#closed) throw new EngineClosed();
    signal?.throwIfAborted();
    const session = this.#idle.pop();
    if (session !== undefined) return session;
    if (this.#waiting.length >= this.#maxWaiting) throw new EngineBusy();
    return this.#wait(signal);
  }

  #wait(signal?: AbortSignal): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal?.reason);
      };
      const settle = () => signal?.removeEventListener("abort", leave);
      const waiter: Waiter<T> = {
        take: (session) => {
          settle();
          resolve(session);
        },
        refuse: (error) => {
          settle();
          reject(error);
        },
      };
      this.#waiting.push(waiter);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  #giveBack(session: T): void {
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next.take(session);
      return;
    }
    this.#idle.push(session);
    if (this.#idle.length === this.#size) this.#onIdle?.();
  }
}
