import type { Caller } from "./fair-queue.ts";

type Work = Pick<Caller, "client" | "kind">;

/** About 2 MB. A kind that was forgotten is treated as quick until it is slow again. */
const MAX_WORKS = 10_000;

/**
 * The kinds of requests that took long when a client last sent them. They are kept for each client, so that
 * no client's load makes the requests of another one count as slow.
 */
export class SlowWork {
  /** The oldest first. */
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
