import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Clock, type Moment, momentOf, systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { Engine } from "../store.ts";
import { type Claim, type LeaseLine, type LiveClaim, openLine } from "./lease-line.ts";

export interface LeaseTimes {
  /**
   * How long a lease is valid without renewal, and therefore how long a successor waits after the holder has
   * died.
   */
  leaseMs: number;
  renewMs: number;
  /** How often a starting process checks whether the lease is free. */
  retryMs: number;
}

/** A holder may miss two renewals in a row, and a crash costs at most half a minute. */
const LEASE_TIMES: LeaseTimes = { leaseMs: 30_000, renewMs: 8_000, retryMs: 1_000 };

/** A right that only one of many processes has at a time. */
export interface Lease {
  /** False once it could not be renewed in time: another process may have it by now. */
  readonly isHeld: boolean;
  /** @throws LeaseLost unless it is held */
  requireHeld(): void;
  release(): Promise<void>;
}

/** The right to write a chain on a server that many processes share. */
export interface WriterLease extends Lease {
  readonly chain: string;
  /** Increases whenever the lease is acquired: another process may have written in between. */
  readonly term: number;
  /**
   * Acquires the lease if it is lost, for example because the server was down. Data that was read from the
   * tables earlier may then be outdated.
   *
   * @throws ChainIsWritten if a living process keeps the lease
   */
  regain(): Promise<void>;
  /**
   * Gives up the lease, but leaves the claim until it expires: a write of this process may still be running,
   * and no other process may write before it has ended.
   */
  expire(): Promise<void>;
}

/**
 * Acquires the lease of a chain. If the current holder no longer renews it, waits until it expires. The
 * server has no compare-and-set, so this is Lamport's bakery algorithm: every starting process announces that
 * it is choosing, draws a ticket with a higher number than all others, and waits while another process is
 * choosing or has a lower ticket. That is safe only if a process's claim is visible to all others without a
 * gap: a process whose claim may have expired for a moment draws a new ticket. All times are the server's, so
 * the clocks of processes may differ.
 *
 * @throws ChainIsWritten if a living process keeps the lease
 */
export async function acquireLease(
  engine: Engine,
  chain: string,
  { times = LEASE_TIMES, clock = systemClock }: { times?: LeaseTimes; clock?: Clock } = {},
): Promise<WriterLease> {
  return leaseFrom(await openLine(engine, chain), chain, { times, clock });
}

/** Like `acquireLease`, in a given line. */
export async function leaseFrom(
  line: LeaseLine,
  chain: string,
  { times, clock }: { times: LeaseTimes; clock: Clock },
): Promise<WriterLease> {
  const lease = new RenewedLease(line, chain, times, clock);
  try {
    await lease.acquire();
    return lease;
  } catch (error) {
    await lease.release();
    throw error;
  }
}

/**
 * Like `acquireLease`, for work that other processes can do as well: returns null, instead of waiting, if a
 * living process has the lease or waits for it.
 */
export async function acquireFreeLease(engine: Engine, name: string): Promise<Lease | null> {
  const line = await openLine(engine, name);
  const held = await line.liveClaims();
  return held.length > 0 ? null : leaseFrom(line, name, { times: LEASE_TIMES, clock: systemClock });
}

class RenewedLease implements WriterLease {
  readonly chain: string;
  readonly #line: LeaseLine;
  readonly #times: LeaseTimes;
  readonly #clock: Clock;
  readonly #holder = randomUUID();
  /** 0 until a ticket is drawn. */
  #ticket = 0;
  #term = 0;
  #regaining: Promise<void> | null = null;
  #version = 0;
  /** Server time until which all other processes see this process's claim; 0 if they may not see it. */
  #seenUntil = 0;
  #heldUntil = EXPIRED;
  #isReleased = false;
  #cancelRenewal: () => void = () => undefined;
  #renewing: Promise<void> = Promise.resolve();

  constructor(line: LeaseLine, chain: string, times: LeaseTimes, clock: Clock) {
    this.#line = line;
    this.chain = chain;
    this.#times = times;
    this.#clock = clock;
  }

  get term(): number {
    return this.#term;
  }

  /**
   * Acquires the lease. A claim alone is not enough: the lease is held only once no other process is ahead.
   */
  async acquire(): Promise<void> {
    this.#cancelRenewal();
    // A renewal that began before the loss would otherwise change the lease that this acquires.
    await this.#renewing;
    try {
      this.#heldUntil = await this.#waitInLine();
    } catch (error) {
      await this.#giveUp();
      throw error;
    }
    this.#term++;
    this.#scheduleRenewal();
  }

  async regain(): Promise<void> {
    if (this.isHeld) return;
    this.#regaining ??= this.acquire().finally(() => {
      this.#regaining = null;
    });
    await this.#regaining;
  }

  /** Waits until this process is first in line, and returns the time until which its claim is valid. */
  async #waitInLine(): Promise<Moment> {
    const deadlineMs = this.#clock.monotonic() + 2 * this.#times.leaseMs;
    for (let place = await this.#join(); ; place = (await this.#prolong()) ?? (await this.#join())) {
      const ahead = place === null ? undefined : firstAhead(place.claims, place.own);
      if (this.#isReleased) throw new LeaseLost(this.chain);
      // The answer may have come too late, because this process was suspended.
      const until = place?.until ?? EXPIRED;
      if (ahead === undefined && this.#isBefore(until)) return until;
      if (this.#clock.monotonic() > deadlineMs)
        throw ahead === undefined ? new LeaseLost(this.chain) : new ChainIsWritten(this.chain, ahead.process);
      await this.#clock.sleep(this.#times.retryMs);
    }
  }

  /** Takes the last place in the line; returns null if the claim expired meanwhile. */
  async #join(): Promise<Place | null> {
    this.#ticket = 0;
    await this.#line.claim(this.#nextClaim(), this.#times.leaseMs);
    const claims = await this.#line.liveClaims();
    const own = claims.find(({ holder }) => holder === this.#holder);
    if (own === undefined) return null;
    this.#seenUntil = own.expiresAt;
    this.#ticket = Math.max(...claims.map(({ ticket }) => ticket)) + 1;
    return this.#prolong();
  }

  /**
   * Prolongs the claim; returns null if other processes may have seen it expire. The server computes a
   * claim's expiry before others can see the claim, so it is not enough that the new claim is live: the
   * previous claim must not have expired before the new one could be read.
   */
  async #prolong(): Promise<Place | null> {
    const sent = momentOf(this.#clock);
    await this.#line.prolong(this.#nextClaim(), this.#times.leaseMs);
    const claims = await this.#line.liveClaims();
    const own = claims.find(({ holder }) => holder === this.#holder);
    const isSeen = own !== undefined && own.readAt < this.#seenUntil;
    this.#seenUntil = isSeen ? own.expiresAt : 0;
    return isSeen ? { claims, own, until: later(sent, this.#times.leaseMs) } : null;
  }

  requireHeld(): void {
    if (!this.isHeld) throw new LeaseLost(this.chain);
  }

  async release(): Promise<void> {
    await this.expire();
    await this.#giveUp();
  }

  async expire(): Promise<void> {
    this.#isReleased = true;
    await Promise.allSettled([this.#renewing, this.#regaining]);
    this.#cancelRenewal();
  }

  get isHeld(): boolean {
    return !this.#isReleased && this.#isBefore(this.#heldUntil);
  }

  /**
   * Returns whether a moment is still in the future. Both clocks must agree: one stops while the system is
   * suspended, and the other may be set back.
   */
  #isBefore({ monotonicMs, unixMs }: Moment): boolean {
    return this.#clock.monotonic() < monotonicMs && this.#clock.now() < unixMs;
  }

  /**
   * Renews the lease at intervals while it is held, even after a failed renewal. Once it is no longer held,
   * there may be a successor.
   */
  #scheduleRenewal(): void {
    this.#cancelRenewal = this.#clock.after(this.#times.renewMs, () => {
      if (!this.isHeld) return;
      this.#renewing = this.#renew().catch(() => undefined);
      void this.#renewing.then(() => {
        if (this.isHeld) this.#scheduleRenewal();
      });
    });
  }

  /** Renews by the server's time, because the machine's clock may have stood still while it was suspended. */
  async #renew(): Promise<void> {
    const place = await this.#prolong();
    this.#heldUntil = place === null || !this.isHeld ? EXPIRED : place.until;
  }

  /** Makes the claim expire at once. If that fails, other processes wait until it expires by itself. */
  async #giveUp(): Promise<void> {
    this.#seenUntil = 0;
    await this.#line.claim(this.#nextClaim(), 0).catch(() => undefined);
  }

  #nextClaim(): Claim {
    const name = `${hostname()} process ${process.pid}`;
    return { holder: this.#holder, process: name, ticket: this.#ticket, version: ++this.#version };
  }
}

/** A place in the line, which all other processes have seen without a gap since its ticket was drawn. */
interface Place {
  claims: readonly LiveClaim[];
  own: LiveClaim;
  /** Time of this machine until which the place is certain. */
  until: Moment;
}

const EXPIRED: Moment = { monotonicMs: 0, unixMs: 0 };

function later({ monotonicMs, unixMs }: Moment, byMs: number): Moment {
  return { monotonicMs: monotonicMs + byMs, unixMs: unixMs + byMs };
}

/**
 * Returns the first of the claims ahead of `own`: claims of processes that are still choosing, have lower
 * tickets, or have the same ticket and a lower id.
 */
function firstAhead(claims: readonly LiveClaim[], own: LiveClaim): LiveClaim | undefined {
  const ahead = claims.filter((claim) => isBefore(claim, own));
  // A process that is still choosing may end up last, so it is named only if there is no other.
  return ahead.sort(
    (a, b) => Number(a.ticket === 0) - Number(b.ticket === 0) || (isBefore(a, b) ? -1 : 1),
  )[0];
}

function isBefore(a: LiveClaim, b: LiveClaim): boolean {
  return a.ticket < b.ticket || (a.ticket === b.ticket && a.holder < b.holder);
}

class ChainIsWritten extends BaseError {
  constructor(chain: string, holder: string) {
    super(
      "data-directory",
      `Chain ${chain} is being written by another process (${holder}), and a chain has only one writer. Stop that ` +
        `process, or serve from here with "quarry serve".`,
    );
  }
}

class LeaseLost extends BaseError {
  constructor(chain: string) {
    super(
      "data-directory",
      `The lease for writing chain ${chain} could not be renewed in time, so another process may be writing it by now. ` +
        "Nothing was written. Try again.",
      { retryable: true },
    );
  }
}
