import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { Engine } from "../store.ts";
import { type Claim, type LeaseLine, openLine } from "./lease-line.ts";

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

/** A holder may miss three renewals, and a crash costs at most half a minute. */
const LEASE_TIMES: LeaseTimes = { leaseMs: 30_000, renewMs: 8_000, retryMs: 1_000 };

/** A right that only one of many processes has. */
export interface Lease {
  /** False once it could not be renewed in time: another process may have it by now. */
  readonly isHeld: boolean;
  /** @throws LeaseLost unless it is held */
  requireHeld(): void;
  release(): Promise<void>;
}

/** The right to write a chain on a server that many processes share. */
export interface WriterLease extends Lease {
  /** Grows whenever the lease is acquired: another process may have written in between. */
  readonly term: number;
  /**
   * Acquires the lease if it is lost, for example because the server was down. Data that was read from the
   * tables before may then be outdated. @throws ChainIsWritten if a living process keeps the lease
   */
  regain(): Promise<void>;
}

/**
 * Acquires the lease of a chain. If another lease is no longer renewed, waits until it expires. The server
 * has no compare-and-set, so this is Lamport's bakery algorithm: every starting process announces that it is
 * choosing, draws a ticket above all others, and waits while another process is choosing or has a lower
 * ticket. All times are the server's, so the clocks of processes may differ.
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

/** Like `acquireLease`, from a given line. */
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
 * Like `acquireLease`, for work that other processes can do as well: returns null while a living process has
 * the lease, instead of waiting for it.
 */
export async function acquireFreeLease(engine: Engine, name: string): Promise<Lease | null> {
  const line = await openLine(engine, name);
  const held = await line.liveClaims();
  return held.length > 0 ? null : leaseFrom(line, name, { times: LEASE_TIMES, clock: systemClock });
}

class RenewedLease implements WriterLease {
  readonly #line: LeaseLine;
  readonly #chain: string;
  readonly #times: LeaseTimes;
  readonly #clock: Clock;
  readonly #holder = randomUUID();
  /** 0 until a ticket is drawn. */
  #ticket = 0;
  #term = 0;
  #regaining: Promise<void> | null = null;
  #version = 0;
  #heldUntilMs = 0;
  #cancelRenewal: () => void = () => undefined;
  #renewing: Promise<void> = Promise.resolve();

  constructor(line: LeaseLine, chain: string, times: LeaseTimes, clock: Clock) {
    this.#line = line;
    this.#chain = chain;
    this.#times = times;
    this.#clock = clock;
  }

  get term(): number {
    return this.#term;
  }

  /** The lease is held only once no other process is ahead, whatever this one has claimed. */
  async acquire(): Promise<void> {
    this.#cancelRenewal();
    try {
      this.#heldUntilMs = await this.#waitInLine();
    } catch (error) {
      await this.#claim(0).catch(() => undefined);
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
  async #waitInLine(): Promise<number> {
    const deadlineMs = this.#clock.monotonic() + 2 * this.#times.leaseMs;
    this.#ticket = 0;
    await this.#claim(this.#times.leaseMs);
    this.#ticket = (await this.#highestTicket()) + 1;
    for (;;) {
      const untilMs = await this.#claim(this.#times.leaseMs);
      const ahead = await this.#firstAhead();
      if (ahead === undefined) return untilMs;
      if (this.#clock.monotonic() > deadlineMs) throw new ChainIsWritten(this.#chain, ahead);
      await this.#clock.sleep(this.#times.retryMs);
    }
  }

  requireHeld(): void {
    if (!this.isHeld) throw new LeaseLost(this.#chain);
  }

  async release(): Promise<void> {
    this.#heldUntilMs = 0;
    this.#cancelRenewal();
    await this.#renewing;
    await this.#claim(0).catch(() => undefined);
  }

  get isHeld(): boolean {
    return this.#clock.monotonic() < this.#heldUntilMs;
  }

  /** Retries a failed renewal while the lease is held. After that there may be a successor. */
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
    const sentMs = this.#clock.monotonic();
    await this.#line.prolong(this.#nextClaim(), this.#times.leaseMs);
    const isLost = !(await this.#line.liveClaims()).some(({ holder }) => holder === this.#holder);
    this.#heldUntilMs = isLost || !this.isHeld ? 0 : sentMs + this.#times.leaseMs;
  }

  /** Returns the time until which it is valid. */
  async #claim(forMs: number): Promise<number> {
    const sentMs = this.#clock.monotonic();
    await this.#line.claim(this.#nextClaim(), forMs);
    return sentMs + forMs;
  }

  #nextClaim(): Claim {
    const process_ = `${hostname()} process ${process.pid}`;
    return { holder: this.#holder, process: process_, ticket: this.#ticket, version: ++this.#version };
  }

  async #highestTicket(): Promise<number> {
    return Math.max(0, ...(await this.#line.liveClaims()).map(({ ticket }) => ticket));
  }

  /** Describes the process that is first in line; undefined if none is ahead of this one. */
  async #firstAhead(): Promise<string | undefined> {
    const ahead = (await this.#line.liveClaims()).filter(
      ({ ticket, holder }) =>
        holder !== this.#holder &&
        (ticket < this.#ticket || (ticket === this.#ticket && holder < this.#holder)),
    );
    return ahead[0]?.process;
  }
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
