import { Sums } from "../../../lib/collections/sums.ts";
import { RecentUsers } from "../../../lib/queues/recent-users.ts";
import { WaitQueue } from "../../../lib/queues/wait-queue.ts";
import { traced } from "../../../lib/tracing/tracing.ts";
import type { StatementUser } from "../../store.ts";
import { EngineBusy, EngineClosed } from "../engine-failure.ts";

interface PoolOptions {
  /** How many callers may wait for a session; more are rejected with `busy`. */
  maxWaiting: number;
  /** Number of sessions that only the service itself may use; default: 0. */
  own?: number;
}

interface UseOptions {
  /** Aborting it ends the wait for a session, not the run. */
  signal?: AbortSignal;
  /** Default: the service itself. */
  user?: StatementUser | undefined;
}

/**
 * Sessions that each run one statement at a time. The service itself goes first, then the user with the
 * fewest sessions, then the caller that has waited longest. While several users are active, each may have
 * half of its share.
 */
export class SessionPool<T> {
  readonly #idle: T[];
  readonly #size: number;
  readonly #options: Required<PoolOptions>;
  readonly #queue = new WaitQueue<T, StatementUser | undefined>();
  readonly #closing = new WaitQueue();
  /** Number of sessions in use, by user. */
  readonly #used = new Sums();
  readonly #active = new RecentUsers();
  #closed = false;

  constructor(sessions: readonly T[], { maxWaiting, own = 0 }: PoolOptions) {
    this.#idle = [...sessions];
    this.#size = sessions.length;
    this.#options = { maxWaiting, own };
  }

  /** Runs a function with exclusive use of a session. */
  async use<R>(run: (session: T) => Promise<R>, { signal, user }: UseOptions = {}): Promise<R> {
    const session = await this.#acquire(user, signal);
    try {
      return await run(session);
    } finally {
      this.#release(session, user);
    }
  }

  /** Rejects waiting and new callers, and resolves when every session is idle. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#queue.rejectAll(new EngineClosed());
    if (this.#idle.length < this.#size) await this.#closing.wait(undefined);
  }

  async #acquire(user: StatementUser | undefined, signal?: AbortSignal): Promise<T> {
    if (this.#closed) throw new EngineClosed();
    signal?.throwIfAborted();
    // If other users have become inactive, the user may have more sessions. Its waiting callers go first.
    if (user !== undefined && this.#queue.size > 0 && this.#mayUse(user)) this.#serveWaiting();
    if (this.#mayUse(user)) {
      const session = this.#idle.pop();
      if (session !== undefined) {
        this.#count(user, 1);
        return session;
      }
    }
    if (this.#queue.size >= this.#options.maxWaiting) throw new EngineBusy();
    return traced("wait for a session", () => this.#queue.wait(user, { signal }));
  }

  #release(session: T, user: StatementUser | undefined): void {
    this.#count(user, -1);
    this.#idle.push(session);
    this.#serveWaiting();
    if (this.#idle.length === this.#size) this.#closing.serveAll();
  }

  #serveWaiting(): void {
    while (this.#idle.length > 0) {
      const next = this.#queue.next((user) => this.#rankOf(user));
      if (next === undefined || !this.#mayUse(next.tag)) return;
      const session = this.#idle.pop();
      if (session === undefined) return;
      // Counted before the caller continues, because other callers may run first.
      this.#count(next.tag, 1);
      next.serve(session);
    }
  }

  #rankOf(user: StatementUser | undefined): number {
    if (user === undefined) return -1;
    return this.#mayUse(user) ? this.#used.of(user.name) : Number.POSITIVE_INFINITY;
  }

  #mayUse(user: StatementUser | undefined): boolean {
    if (user === undefined) return true;
    const forUsers = this.#size - this.#options.own;
    const most = Math.ceil(forUsers * this.#active.shareOf(user.name, user.share));
    return this.#idle.length > this.#ownIdle() && this.#used.of(user.name) < most;
  }

  /** Number of idle sessions to keep for the service itself, which may already be using some of its own. */
  #ownIdle(): number {
    const own = this.#size - this.#idle.length - this.#used.total;
    return Math.max(0, this.#options.own - own);
  }

  #count(user: StatementUser | undefined, change: number): void {
    if (user === undefined) return;
    this.#used.add(user.name, change);
    if (this.#used.of(user.name) === 0) this.#active.stop(user.name);
    else this.#active.start(user.name);
  }
}
