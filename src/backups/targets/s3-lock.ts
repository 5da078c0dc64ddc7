import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { BaseError } from "../../lib/error.ts";
import type { S3Requests } from "./s3-requests.ts";
import { TargetInUse } from "./target-errors.ts";

const KEY = "lock.json";

/** Interval at which a holder renews its lock. */
const RENEW_MS = 60_000;
/** Age, by the store's clock, at which a lock counts as abandoned. Its process should have renewed it. */
const DEAD_AFTER_MS = 10 * RENEW_MS;

/**
 * Used for stores without conditional writes. A process that finds no live lock writes its own. If reading
 * and writing take at most `SOON_MS` together, it waits for `SETTLE_MS` and reads the lock again. If all such
 * processes write within `SOON_MS`, each of them then sees the lock of the last one.
 */
const SOON_MS = 10_000;
const SETTLE_MS = 15_000;
/**
 * How long a process waits if it took longer than `SOON_MS` to write. It may have replaced the lock of a
 * running process, which notices within this time.
 */
const NOTICED_MS = 2 * RENEW_MS;

const NOT_FOUND = 404;
/** Statuses with which stores reject a condition that they do not support. */
const UNKNOWN_CONDITION = [400, 501];
const CONFLICTS = [409, 412];

/**
 * Acquires the lock of a bucket, even if a process that has ended still holds it. Stores that support
 * conditional writes give it to exactly one process. On other stores, acquiring takes at least 15 seconds
 * longer, and the last of several processes to write gets the lock.
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
  /** Identifies the stored content, for conditions. */
  tag: string;
}

/** Headers with which a write succeeds only if no other process has written since the lock was read. */
type Condition = Record<string, string>;

/** `unknown`: the store does not support the condition. */
type Written = "written" | "refused" | "unknown";

class BucketLock {
  readonly #requests: S3Requests;
  readonly #onLost: (error: Error) => void;
  readonly #token = randomUUID();
  #hasConditions = false;
  /**
   * Number of renewals, as written in the lock. It makes the content of each renewal differ from the one
   * before, so that a condition on the earlier content fails.
   */
  #renewals = 0;
  #cancelRenewal: () => void = () => {};

  constructor(requests: S3Requests, onLost: (error: Error) => void) {
    this.#requests = requests;
    this.#onLost = onLost;
  }

  async acquire(): Promise<void> {
    const startedMs = this.#requests.clock.monotonic();
    const before = await this.#read();
    if (before !== null && before.ageMs < DEAD_AFTER_MS) throw this.#inUse(before);
    await this.#writeFirst(unchanged(before));
    if (!this.#hasConditions) await this.#settle(startedMs);
    const after = await this.#read();
    if (after?.token !== this.#token) throw this.#inUse(after);
    this.#renewLater();
  }

  async release(): Promise<void> {
    this.#cancelRenewal();
    if ((await this.#read())?.token === this.#token)
      await this.#requests.send({ method: "DELETE", key: KEY, accepts: [NOT_FOUND] });
  }

  /**
   * Writes the lock, and finds out whether the store checks conditions. If so, it refuses a second write with
   * the same condition. Some stores ignore conditions.
   */
  async #writeFirst(condition: Condition): Promise<void> {
    const first = await this.#write(condition);
    if (first === "unknown") await this.#write({});
    else this.#hasConditions = first === "refused" || (await this.#write(condition)) === "refused";
  }

  /** Waits until any other process that found no live lock has written its own, or sees this one. */
  async #settle(startedMs: number): Promise<void> {
    const { clock } = this.#requests;
    const isSoon = clock.monotonic() - startedMs <= SOON_MS;
    await clock.sleep(isSoon ? SETTLE_MS : NOTICED_MS);
  }

  #renewLater(): void {
    this.#cancelRenewal = this.#requests.clock.after(RENEW_MS, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    // If this fails, the next renewal may succeed. If the store keeps failing, the backup fails with the
    // error.
    if (await this.#isRenewed().catch(() => true)) this.#renewLater();
    else this.#onLost(new LockLost(this.#requests.place));
  }

  /** Returns false if another process has the lock or may be taking it over. */
  async #isRenewed(): Promise<boolean> {
    const before = await this.#read();
    if (before?.token !== this.#token) return false;
    if (!this.#hasConditions && before.ageMs >= DEAD_AFTER_MS) return false;
    this.#renewals++;
    const written = await this.#write(this.#hasConditions ? unchanged(before) : {});
    // If the response to a successful write was lost, the repeated write is refused.
    return written === "written" || (await this.#read())?.token === this.#token;
  }

  async #read(): Promise<StoredLock | null> {
    const response = await this.#requests.send({ method: "GET", key: KEY, accepts: [NOT_FOUND] });
    const text = await this.#requests.text(response);
    if (response.status === NOT_FOUND) return null;
    return { ...contentOf(text), ageMs: ageOf(response.headers), tag: response.headers.get("etag") ?? "" };
  }

  async #write(condition: Condition): Promise<Written> {
    const holder = `${hostname()} process ${process.pid}`;
    const body = JSON.stringify({ token: this.#token, holder, renewals: this.#renewals });
    const accepts = [...CONFLICTS, ...(isEmpty(condition) ? [] : UNKNOWN_CONDITION)];
    const { status } = await this.#requests.send({
      method: "PUT",
      key: KEY,
      body,
      headers: condition,
      accepts,
    });
    if (UNKNOWN_CONDITION.includes(status)) return "unknown";
    return CONFLICTS.includes(status) ? "refused" : "written";
  }

  #inUse(lock: StoredLock | null): TargetInUse {
    return new TargetInUse(this.#requests.place, lock?.holder ?? "another process");
  }
}

/**
 * Returns the age of a response's object. If the store does not report the time, the object counts as new.
 */
function ageOf(headers: Headers): number {
  const timeIn = (name: string) => Date.parse(headers.get(name) ?? "");
  const ageMs = timeIn("date") - timeIn("last-modified");
  return Number.isNaN(ageMs) ? 0 : ageMs;
}

/** Returns the headers with which a request fails if the lock changed after it was read. */
function unchanged(read: StoredLock | null): Condition {
  if (read === null) return { "if-none-match": "*" };
  // A tag that was weakened, for example by a proxy that compresses, would never match.
  return { "if-match": read.tag.replace(/^W\//, "") };
}

function isEmpty(condition: Condition): boolean {
  return Object.keys(condition).length === 0;
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
