import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { BaseError } from "../../lib/error.ts";
import { type S3Requests, StoreFailed } from "./s3-requests.ts";
import { TargetInUse } from "./target-errors.ts";

const KEY = "lock.json";

/** How often a holder renews its lock. */
const RENEW_MS = 60_000;
/** A lock that was not renewed for this long, by the clock of the store, belongs to a process that ended. */
const DEAD_AFTER_MS = 10 * RENEW_MS;

const NOT_FOUND = 404;
/** Statuses with which stores reject a condition that they do not know. */
const UNKNOWN_CONDITION: ReadonlySet<number> = new Set([400, 501]);
const CONFLICTS = [409, 412];

/**
 * Acquires the lock of a bucket. Stores that support conditional writes give it to exactly one process. For
 * others, processes that start at the same moment see each other's lock when they read it back.
 *
 * @throws TargetInUse
 */
export async function lockBucket(
  requests: S3Requests,
  onLost: (error: Error) => void,
): Promise<{ release(): Promise<void> }> {
  const lock = new BucketLock(requests, onLost);
  await lock.acquire();
  return lock;
}

interface StoredLock {
  token: string;
  holder: string;
  ageMs: number;
}

class BucketLock {
  readonly #requests: S3Requests;
  readonly #onLost: (error: Error) => void;
  readonly #token = randomUUID();
  #cancelRenewal: () => void = () => {};

  constructor(requests: S3Requests, onLost: (error: Error) => void) {
    this.#requests = requests;
    this.#onLost = onLost;
  }

  async acquire(): Promise<void> {
    const before = await this.#read();
    if (before !== null && before.ageMs < DEAD_AFTER_MS) throw this.#inUse(before);
    await this.#write(before === null);
    const after = await this.#read();
    if (after?.token !== this.#token) throw this.#inUse(after);
    this.#renewLater();
  }

  async release(): Promise<void> {
    this.#cancelRenewal();
    if ((await this.#read())?.token === this.#token)
      await this.#requests.send({ method: "DELETE", key: KEY, accepts: [NOT_FOUND] });
  }

  #renewLater(): void {
    this.#cancelRenewal = this.#requests.clock.after(RENEW_MS, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    try {
      if ((await this.#read())?.token !== this.#token)
        return this.#onLost(new LockLost(this.#requests.place));
      await this.#write(false);
    } catch {
      // The next renewal may succeed; the copying reports a store that fails for longer.
    }
    this.#renewLater();
  }

  async #read(): Promise<StoredLock | null> {
    const response = await this.#requests.send({ method: "GET", key: KEY, accepts: [NOT_FOUND] });
    const text = await response.text();
    if (response.status === NOT_FOUND) return null;
    const times = ["date", "last-modified"].map((name) => Date.parse(response.headers.get(name) ?? ""));
    const [nowMs = 0, writtenMs = 0] = times;
    return { ...contentOf(text), ageMs: nowMs - writtenMs };
  }

  /** @param mustBeFirst true: the write fails if another process has written a lock */
  async #write(mustBeFirst: boolean): Promise<void> {
    const body = JSON.stringify({ token: this.#token, holder: `${hostname()} process ${process.pid}` });
    const write = (headers: Record<string, string>) =>
      this.#requests.send({ method: "PUT", key: KEY, body, headers, accepts: CONFLICTS });
    try {
      await write(mustBeFirst ? { "if-none-match": "*" } : {});
    } catch (error) {
      if (!mustBeFirst || !(error instanceof StoreFailed) || !UNKNOWN_CONDITION.has(error.status))
        throw error;
      await write({});
    }
  }

  #inUse(lock: StoredLock | null): TargetInUse {
    return new TargetInUse(this.#requests.place, lock?.holder ?? "another process");
  }
}

function contentOf(text: string): { token: string; holder: string } {
  try {
    const { token, holder } = JSON.parse(text) as Record<string, unknown>;
    return { token: String(token), holder: String(holder) };
  } catch {
    return { token: "", holder: "another process" };
  }
}

class LockLost extends BaseError {
  constructor(place: string) {
    super("busy", `Another backup has taken over ${place}, because this process was suspended for too long.`);
  }
}
