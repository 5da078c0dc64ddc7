import type { Caller } from "./fair-queue.ts";

type Work = Pick<Caller, "client" | "kind">;

/**
 * Maximum number of remembered kinds: about 2 MB. A forgotten kind counts as quick until it is slow again.
 */
const MAX_WORKS = 10_000;

/**
 * Records which kinds of requests were slow when a client last sent them. Kept per client, so that one
 * client's load does not make another client's requests count as slow.
 */
export class SlowWork {
  /** The client and the kind of each slow request, as one string; the least recently added comes first. */
  readonly #works = new Set<string>();

  has(work: Work): boolean {
    return this.#works.has(nameOf(work));
  }

  add(work: Work): void {
    const name = nameOf(work);
    this.#works.delete(name);
    this.#works.add(name);
    const [oldest] = this.#works;
    if (this.#works.size > MAX_WORKS && oldest !== undefined) this.#works.delete(oldest);
  }

  delete(work: Work): void {
    this.#works.delete(nameOf(work));
  }
}

function nameOf({ client, kind }: Work): string {
  return `${client} ${kind}`;
}
