import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { integer, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { Engine } from "../store.ts";
import { tableEngine } from "../tables/table-engine.ts";

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

function createWriters(engine: Engine): Promise<void> {
  return engine.execute(sql`CREATE TABLE IF NOT EXISTS writers
    (chain String, holder String, process String, ticket UInt64, expires_at UInt64, version UInt64)
    ${tableEngine(engine, sql`ReplacingMergeTree(version)`, sql`ORDER BY (chain, holder)`)}`);
}

const SERVER_NOW = sql`toUnixTimestamp64Milli(now64(3))`;

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
  await createWriters(engine);
  const lease = new RenewedLease(engine, chain, times, clock);
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
  await createWriters(engine);
  const held = await engine.query(sql`SELECT 1 AS held FROM writers FINAL WHERE ${isLive(name)} LIMIT 1`);
  return held.length > 0 ? null : acquireLease(engine, name);
}

function isLive(name: string): Sql {
  return sql`chain = ${text(name)} AND expires_at > ${SERVER_NOW}`;
}

class RenewedLease implements WriterLease {
  readonly #engine: Engine;
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

  constructor(engine: Engine, chain: string, times: LeaseTimes, clock: Clock) {
    this.#engine = engine;
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
    const own = sql`FROM writers FINAL WHERE ${isLive(this.#chain)} AND holder = ${text(this.#holder)}`;
    const untilMs = await this.#claim(this.#times.leaseMs, own);
    const isLost = (await this.#engine.query(sql`SELECT 1 AS live ${own}`)).length === 0;
    this.#heldUntilMs = isLost || !this.isHeld ? 0 : untilMs;
  }

  /**
   * @param from a FROM clause: the claim is written for each of its rows; default: it is written once
   * @returns the time until which it is valid
   */
  async #claim(forMs: number, from: Sql = sql``): Promise<number> {
    const sentMs = this.#clock.monotonic();
    await this.#engine.execute(sql`INSERT INTO writers SELECT ${text(this.#chain)}, ${text(this.#holder)},
      ${text(`${hostname()} process ${process.pid}`)}, ${integer(this.#ticket)},
      ${SERVER_NOW} + ${integer(forMs)}, ${integer(++this.#version)} ${from}`);
    return sentMs + forMs;
  }

  async #highestTicket(): Promise<number> {
    const [row] = await this.#engine.query<{ highest: number }>(
      sql`SELECT max(ticket) AS highest FROM writers FINAL WHERE ${isLive(this.#chain)}`,
    );
    return row?.highest ?? 0;
  }

  /** Describes the process that is first in line; undefined if none is ahead of this one. */
  async #firstAhead(): Promise<string | undefined> {
    const own = sql`(${integer(this.#ticket)}, ${text(this.#holder)})`;
    const [first] = await this.#engine.query<{ process: string }>(sql`SELECT process FROM writers FINAL
      WHERE ${isLive(this.#chain)} AND holder != ${text(this.#holder)} AND (ticket, holder) < ${own}
      ORDER BY ticket = 0, ticket, holder LIMIT 1`);
    return first?.process;
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
