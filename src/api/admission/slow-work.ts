import { type Clock, systemClock } from "../../lib/async/clock.ts";
import type { Caller } from "./fair-queue.ts";

type Work = Pick<Caller, "client" | "kind">;

/**
 * Maximum number of remembered kinds: about 2 MB. A forgotten kind counts as quick until it is slow again.
 */
const MAX_WORKS = 10_000;

/**
 * Time after which a kind counts as quick again. A quick request may be slow once, while other clients keep
 * the engine busy; without this limit, all later ones would wait for a long slot, which others may hold for
 * half a minute. A kind that is slow indeed takes a quick slot for a second in each such time.
 */
const REMEMBERED_MS = 5_000;

/**
 * Records which kinds of requests were slow when a client last sent them. Kept per client, so that one
 * client's load does not make another client's requests count as slow.
 */
export class SlowWork {
  readonly #clock: Clock;
  /** Times at which the client and the kind, as one string, were slow; the least recently added comes first. */
  readonly #works = new Map<string, number>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  has(work: Work): boolean {
    const addedMs = this.#works.get(nameOf(work));
    return addedMs !== undefined && this.#clock.monotonic() - addedMs < REMEMBERED_MS;
  }

  add(work: Work): void {
    const name = nameOf(work);
    this.#works.delete(name);
    this.#works.set(name, this.#clock.monotonic());
    const [oldest] = this.#works.keys();
    if (this.#works.size > MAX_WORKS && oldest !== undefined) this.#works.delete(oldest);
  }

  delete(work: Work): void {
    this.#works.delete(nameOf(work));
  }
}

function nameOf({ client, kind }: Work): string {
  return `${client} ${kind}`;
}
