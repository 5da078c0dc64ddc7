import { type Clock, systemClock } from "../async/clock.ts";

/** A user counts as active for this long after it has stopped, so that short pauses do not matter. */
const ACTIVE_MS = 1_000;

/** The users of something that are active now or were a moment ago. */
export class RecentUsers {
  readonly #clock: Clock;
  readonly #using = new Set<string>();
  /** Time at which each user stopped, the oldest first. */
  readonly #stopped = new Map<string, number>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  start(user: string): void {
    this.#stopped.delete(user);
    this.#using.add(user);
  }

  stop(user: string): void {
    this.#using.delete(user);
    this.#stopped.delete(user);
    this.#stopped.set(user, this.#clock.monotonic());
    this.#forgetInactive();
  }

  /** Returns the share of a resource that a user may have: half of its own while other users are active. */
  shareOf(user: string, own: number): number {
    return this.#hasOther(user) ? own / 2 : own;
  }

  #hasOther(user: string): boolean {
    this.#forgetInactive();
    return isOther(this.#using, user) || isOther(this.#stopped, user);
  }

  #forgetInactive(): void {
    const since = this.#clock.monotonic() - ACTIVE_MS;
    for (const [user, stoppedMs] of this.#stopped) {
      if (stoppedMs > since) return;
      this.#stopped.delete(user);
    }
  }
}

function isOther(users: Pick<ReadonlySet<string>, "has" | "size">, user: string): boolean {
  return users.size > (users.has(user) ? 1 : 0);
}
