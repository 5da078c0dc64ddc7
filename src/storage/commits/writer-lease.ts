import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { integer, type Sql, sql, text } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import type { Engine } from "../store.ts";

export interface LeaseTimes {
  /** How long a lease holds without being renewed: what a successor waits for when its holder died. */
  leaseMs: number;
  renewMs: number;
  /** How often a starter looks whether the lease is free. */
  lookMs: number;
}

/** A holder may miss three renewals, and a crash costs half a minute at most. */
const LEASE_TIMES: LeaseTimes = { leaseMs: 30_000, renewMs: 8_000, lookMs: 1_000 };

/** The right to write a chain on a server that many processes share. */
export interface WriterLease {
  /** @throws LeaseLost when it could not be renewed in time: another process may be writing by now */
  requireHeld(): void;
  release(): Promise<void>;
}

const CREATE: Sql = sql`CREATE TABLE IF NOT EXISTS writers
  (chain String, holder String, process String, ticket UInt64, expires_at UInt64, version UInt64)
  ENGINE = ReplacingMergeTree(version) ORDER BY (chain, holder)`;

const SERVER_NOW = sql`toUnixTimestamp64Milli(now64(3))`;

interface Claim {
  process: string;
}

/**
 * Takes the lease of a chain; waits for one that runs out. The server has no compare-and-set, so this is Lamport's
 * bakery: every starter says that it is choosing, draws a ticket above all others, and waits while another is
 * choosing or has a lower one. Times are the server's, so that no clock has to agree with another.
 *
 * @throws ChainIsWritten when a living process keeps the lease
 */
export async function acquireLease(
  engine: Engine,
  chain: string,
  times: LeaseTimes = LEASE_TIMES,
): Promise<WriterLease> {
  await engine.execute(CREATE);
  const lease = new Lease(engine, chain, times);
  try {
    await lease.acquire();
    return lease;
  } catch (error) {
    await lease.release();
    throw error;
  }
}

class Lease implements WriterLease {
  readonly #engine: Engine;
  readonly #chain: string;
  readonly #times: LeaseTimes;
  readonly #holder = randomUUID();
  /** 0 while it is being drawn. */
  #ticket = 0;
  #version = 0;
  #heldUntilMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> = Promise.resolve();

  constructor(engine: Engine, chain: string, times: LeaseTimes) {
    this.#engine = engine;
    this.#chain = chain;
    this.#times = times;
  }

  async acquire(): Promise<void> {
    const givenUpMs = Date.now() + 2 * this.#times.leaseMs;
    await this.#claim(this.#times.leaseMs);
    this.#ticket = (await this.#highestTicket()) + 1;
    for (;;) {
      await this.#claim(this.#times.leaseMs);
      const ahead = await this.#firstAhead();
      if (ahead === undefined) break;
      if (Date.now() > givenUpMs) throw new ChainIsWritten(this.#chain, ahead);
      await sleep(this.#times.lookMs);
    }
    this.#timer = setInterval(() => this.#renew(), this.#times.renewMs);
    this.#timer.unref();
  }

  requireHeld(): void {
    if (performance.now() >= this.#heldUntilMs) throw new LeaseLost(this.#chain);
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    await this.#claim(0).catch(() => undefined);
    this.#heldUntilMs = 0;
  }

  /** A renewal that fails is tried again at the next turn; requireHeld() tells when that is too late. */
  #renew(): void {
    this.#renewing = this.#renewing.then(() => this.#claim(this.#times.leaseMs)).catch(() => undefined);
  }

  async #claim(forMs: number): Promise<void> {
    const askedMs = performance.now();
    await this.#engine.execute(sql`INSERT INTO writers SELECT ${text(this.#chain)}, ${text(this.#holder)},
      ${text(`${hostname()} process ${process.pid}`)}, ${integer(this.#ticket)},
      ${SERVER_NOW} + ${integer(forMs)}, ${integer(++this.#version)}`);
    this.#heldUntilMs = askedMs + forMs;
  }

  async #highestTicket(): Promise<number> {
    const [row] = await this.#engine.query<{ highest: number }>(
      sql`SELECT max(ticket) AS highest FROM writers FINAL WHERE ${this.#isLive()}`,
    );
    return row?.highest ?? 0;
  }

  async #firstAhead(): Promise<Claim | undefined> {
    const own = sql`(${integer(this.#ticket)}, ${text(this.#holder)})`;
    const claims = await this.#engine.query<Claim>(sql`SELECT process FROM writers FINAL
      WHERE ${this.#isLive()} AND holder != ${text(this.#holder)} AND (ticket, holder) < ${own}
      ORDER BY ticket = 0, ticket, holder LIMIT 1`);
    return claims[0];
  }

  #isLive(): Sql {
    return sql`chain = ${text(this.#chain)} AND expires_at > ${SERVER_NOW}`;
  }
}

class ChainIsWritten extends BaseError {
  constructor(chain: string, { process: holder }: Claim) {
    super(
      "data-directory",
      `Chain ${chain} is being written by another process (${holder}): a chain has one writer. Stop that one, ` +
        `or serve from here with "quarry serve".`,
    );
  }
}

class LeaseLost extends BaseError {
  constructor(chain: string) {
    super(
      "data-directory",
      `The right to write chain ${chain} could not be renewed in time, so another process may be writing it by now. ` +
        "Nothing was written. Start again.",
    );
  }
}
