import { rm } from "node:fs/promises";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import { createLock, readLock, replaceLock, takeOverLock, touchedAt, touchLock } from "./lock-file.ts";
import {
  type Holder,
  holderOf,
  isElsewhere,
  isRunning,
  isSameHolder,
  type Reachable,
  thisProcess,
} from "./lock-holder.ts";

export type { Reachable } from "./lock-holder.ts";

/**
 * Maximum number of attempts. If several processes find a dead lock at the same time, one of them gets it
 * within a few attempts.
 */
const MAX_ATTEMPTS = 50;
const RETRY_MS = 20;

/** How often a holder touches its lock, for processes that cannot look up the holder. */
const TOUCH_MS = 2_000;
/** After this many periods without a touch, a lock is dead. */
const MISSED_TOUCHES = 4;

export interface LockOptions {
  clock?: Clock;
  touchMs?: number;
  /**
   * Called when another process has taken over the lock, which can happen if this process runs in another
   * container and was suspended. This process must then exit at once.
   */
  onLost?(error: LockLost): void;
}

/** A lock file that this process holds, and touches until it is released. */
export class HeldLock {
  readonly #file: string;
  readonly #options: Required<LockOptions>;
  #holder: Holder;
  #isReleased = false;
  #cancelTouch: () => void = () => {};

  constructor(file: string, holder: Holder, options: Required<LockOptions>) {
    this.#file = file;
    this.#holder = holder;
    this.#options = options;
    this.#touchLater();
  }

  /** Writes into the lock how this process can be reached, for processes that find it held. */
  async publish(reachable: Reachable): Promise<void> {
    if ((await this.#isOwn()) === false) return this.#options.onLost(new LockLost(this.#file));
    this.#holder = { ...this.#holder, ...reachable };
    await replaceLock(this.#file, this.#holder);
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    this.#cancelTouch();
    if ((await this.#isOwn()) === true) await rm(this.#file, { force: true });
  }

  #touchLater(): void {
    if (this.#isReleased) return;
    const { clock, touchMs } = this.#options;
    this.#cancelTouch = clock.after(touchMs, () => void this.#touch());
  }

  /** Touches the lock. Ignores errors, because a brief disk failure is no reason to give up the lock. */
  async #touch(): Promise<void> {
    const isOwn = await this.#isOwn().catch(() => undefined);
    if (isOwn === false && !this.#isReleased) return this.#options.onLost(new LockLost(this.#file));
    await touchLock(this.#file, this.#options.clock.now()).catch(() => {});
    this.#touchLater();
  }

  /** Returns whether the lock is this process's; undefined if there is no lock. */
  async #isOwn(): Promise<boolean | undefined> {
    const text = await readLock(this.#file);
    if (text === undefined) return undefined;
    const holder = holderOf(text);
    return holder !== undefined && isSameHolder(holder, this.#holder);
  }
}

/**
 * Acquires a lock file for this process. The lock of a process that has ended is taken over. If the holder is
 * in another container, its lock counts as dead after `MISSED_TOUCHES` periods without a touch.
 *
 * @throws LockHeld if a living process holds it
 */
export async function acquireLock(file: string, given: LockOptions = {}): Promise<HeldLock> {
  const options = { clock: systemClock, touchMs: TOUCH_MS, onLost: fail, ...given };
  const own = await thisProcess();
  const isAlive = (lock: string, text: string) => isHeld(lock, text, own, options);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (await createLock(file, own)) return new HeldLock(file, own, options);
    const found = await readLock(file);
    if (found === undefined) continue;
    if (await isAlive(file, found)) throw new LockHeld(file, holderOf(found), own);
    if (await takeOverLock(file, found, { own, isAlive })) return new HeldLock(file, own, options);
    await options.clock.sleep(RETRY_MS);
  }
  throw new LockHeld(file, undefined, own);
}

/**
 * Checks that a lock is free, without acquiring it.
 *
 * @throws LockHeld if a living process holds it
 */
export async function requireFree(file: string, given: LockOptions = {}): Promise<void> {
  const options = { clock: systemClock, touchMs: TOUCH_MS, ...given };
  const found = await readLock(file);
  if (found === undefined) return;
  const own = await thisProcess();
  if (await isHeld(file, found, own, options)) throw new LockHeld(file, holderOf(found), own);
}

type Watch = Pick<Required<LockOptions>, "clock" | "touchMs">;

async function isHeld(file: string, text: string, own: Holder, watch: Watch): Promise<boolean> {
  const holder = holderOf(text);
  if (holder === undefined) return false;
  return isElsewhere(holder, own) ? isTouched(file, watch) : isRunning(holder);
}

/**
 * Returns whether a holder elsewhere touches the lock. The clocks of machines differ, so the time of a touch
 * is compared only with the time of an earlier touch.
 */
async function isTouched(file: string, { clock, touchMs }: Watch): Promise<boolean> {
  const before = await touchedAt(file);
  for (let waitedMs = 0; waitedMs < MISSED_TOUCHES * touchMs; waitedMs += touchMs / 2) {
    await clock.sleep(touchMs / 2);
    const now = await touchedAt(file);
    if (now !== before) return now !== undefined;
  }
  return false;
}

function fail(error: LockLost): void {
  throw error;
}

/**
 * A living process holds the lock (`data-directory`). The message includes the process id, if it is known.
 */
export class LockHeld extends BaseError {
  /** URL of the holder's API; null if unknown. */
  readonly address: string | null;
  /** Socket of the holder's engine; null if it does not offer one. */
  readonly socket: string | null;
  /** Name of the holder, for messages. */
  readonly holder: string;

  constructor(file: string, holder: Holder | undefined, own: Holder) {
    super(
      "data-directory",
      `The data directory is in use by ${nameOf(holder, own)} (lock ${file}). Stop that process, or use another --data directory.`,
    );
    this.address = holder?.address ?? null;
    this.socket = holder?.socket ?? null;
    this.holder = nameOf(holder, own);
  }
}

function nameOf(holder: Holder | undefined, own: Holder): string {
  if (holder === undefined) return "another process that is starting";
  const where = isElsewhere(holder, own) ? " in another container or on another machine" : "";
  return `process ${holder.pid}${where}`;
}

/**
 * `data-directory`: another process has taken over the lock, because this one did not touch it for too long.
 */
export class LockLost extends BaseError {
  constructor(file: string) {
    super(
      "data-directory",
      `Another process has taken over the data directory (lock ${file}), because this process was suspended. This process exits, so that only one process writes.`,
    );
  }
}
