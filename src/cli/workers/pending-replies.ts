import { type Clock, systemClock } from "../../lib/async/clock.ts";

/** Requests to another process that wait for its replies. */
export class PendingReplies<T> {
  readonly #clock: Clock;
  readonly #pending = new Map<number, (reply: T) => void>();
  #lastId = 0;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Sends a request, and resolves with the reply to it. */
  async request(send: (id: number) => void): Promise<T> {
    this.#lastId += 1;
    const id = this.#lastId;
    const replied = new Promise<T>((resolve) => this.#pending.set(id, resolve));
    send(id);
    try {
      return await replied;
    } finally {
      this.#pending.delete(id);
    }
  }

  /** Like `request`, but if there is no reply in time, resolves with the value of `otherwise`. */
  async requestWithin(timeoutMs: number, send: (id: number) => void, otherwise: () => T): Promise<T> {
    let cancelTimeout = () => {};
    try {
      return await this.request((id) => {
        cancelTimeout = this.#clock.after(timeoutMs, () => this.resolve(id, otherwise()));
        send(id);
      });
    } finally {
      cancelTimeout();
    }
  }

  resolve(id: number, reply: T): void {
    this.#pending.get(id)?.(reply);
  }

  resolveAll(reply: T): void {
    for (const resolve of this.#pending.values()) resolve(reply);
  }
}
