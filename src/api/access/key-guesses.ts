import type { Clock } from "../../lib/async/clock.ts";
import { HttpError } from "../errors/errors.ts";

const WINDOW_MS = 60_000;

/**
 * Maximum number of remembered addresses. The address that was added first is forgotten first, and its
 * clients may then guess again.
 */
const MAX_ADDRESSES = 10_000;

/** Maximum number of remembered keys per address: a proxy may have many clients. */
const MAX_KEYS = 1_000;

interface Address {
  wrong: number;
  /** End of the minute in which `wrong` is counted, by the monotonic clock. */
  untilMs: number;
  /**
   * Valid keys sent from this address. They stay usable after too many wrong keys, because several clients
   * may share the address.
   */
  right: Set<string>;
}

/**
 * Counts wrong keys per address. After too many wrong keys in a minute, an address may use only the valid
 * keys that it has used before.
 */
export class KeyGuesses {
  readonly #most: number;
  readonly #addresses = new Map<string, Address>();
  readonly #clock: Clock;

  /** @param most maximum number of wrong keys that an address may send in a minute */
  constructor(most: number, clock: Clock) {
    this.#most = most;
    this.#clock = clock;
  }

  /**
   * @param from address or network, as returned by `clientGroup`
   * @param key identifies the given key; undefined if that key is not valid
   * @throws HttpError 429 when the address has sent too many wrong keys
   */
  check(from: string, key: string | undefined): void {
    const address = this.#recordOf(from);
    if (key !== undefined && address.right.has(key)) return;
    if (address.wrong >= this.#most) throw this.#tooMany(address);
    if (key === undefined) address.wrong++;
    else if (address.right.size < MAX_KEYS) address.right.add(key);
  }

  #recordOf(from: string): Address {
    const now = this.#clock.monotonic();
    const known = this.#addresses.get(from);
    if (known !== undefined) {
      if (now >= known.untilMs) Object.assign(known, { wrong: 0, untilMs: now + WINDOW_MS });
      return known;
    }
    const [oldest] = this.#addresses.keys();
    if (oldest !== undefined && this.#addresses.size >= MAX_ADDRESSES) this.#addresses.delete(oldest);
    const address: Address = { wrong: 0, untilMs: now + WINDOW_MS, right: new Set() };
    this.#addresses.set(from, address);
    return address;
  }

  #tooMany({ untilMs }: Address): HttpError {
    const seconds = Math.max(1, Math.ceil((untilMs - this.#clock.monotonic()) / 1000));
    return new HttpError(
      429,
      `Your address sent too many wrong API keys: at most ${this.#most} per minute are allowed. Try again in ${seconds} s.`,
      { "retry-after": String(seconds) },
    );
  }
}
