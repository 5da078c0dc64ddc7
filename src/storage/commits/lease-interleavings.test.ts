import { expect, it } from "vitest";
import { seeded } from "../../../test/support/seeded.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import type { Claim, LeaseLine } from "./lease-line.ts";
import { type LeaseTimes, leaseFrom, type WriterLease } from "./writer-lease.ts";

const times: LeaseTimes = { leaseMs: 30_000, renewMs: 8_000, retryMs: 3_000 };
const PROCESSES = 4;
const RUN_MS = 600_000;
const STEP_MS = 200;
const SEEDS = 40;

type Random = () => number;

/** The table of claims, whose server takes a random time for each step of a statement. */
class SlowServer {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #claims = new Map<string, Claim & { expiresAt: number }>();

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  async write(claim: Claim, forMs: number, isConditional: boolean): Promise<void> {
    await this.#step();
    const now = this.#clock.now();
    if (isConditional && (this.#claims.get(claim.holder)?.expiresAt ?? 0) <= now) return;
    const row = { ...claim, expiresAt: now + forMs };
    await this.#step();
    const stored = this.#claims.get(claim.holder);
    if (stored === undefined || stored.version < row.version) this.#claims.set(claim.holder, row);
  }

  async read() {
    await this.#step();
    const readAt = this.#clock.now();
    await this.#step();
    const live = [...this.#claims.values()].filter(({ expiresAt }) => expiresAt > readAt);
    return live.map(({ version: _, ...claim }) => ({ ...claim, readAt }));
  }

  #step(): Promise<void> {
    const longestMs = this.#random() < 0.03 ? 40_000 : 60;
    return this.#clock.sleep(Math.floor(this.#random() * longestMs));
  }
}

/**
 * A process that is suspended now and then: meanwhile its timers and answers wait, and time goes on. If its
 * whole system is suspended, its monotonic clock stops.
 */
class Process {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #server: SlowServer;
  readonly #standstills: { fromMs: number; toMs: number }[] = [];
  #resumesMs = 0;

  constructor(clock: Clock, random: Random, server: SlowServer) {
    this.#clock = clock;
    this.#random = random;
    this.#server = server;
  }

  /** After this, the process never runs again. */
  die(): void {
    this.#resumesMs = Number.POSITIVE_INFINITY;
  }

  readonly clock: Clock = {
    now: () => this.#clock.now(),
    monotonic: () => this.#monotonic(),
    sleep: (delayMs) => this.#wait(delayMs),
    after: (delayMs, callback) => {
      let isCancelled = false;
      void this.#wait(delayMs).then(() => {
        if (!isCancelled) callback();
      });
      return () => {
        isCancelled = true;
      };
    },
  };

  #monotonic(): number {
    const nowMs = this.#clock.monotonic();
    const stoodMs = this.#standstills.map(
      ({ fromMs, toMs }) => Math.min(nowMs, toMs) - Math.min(nowMs, fromMs),
    );
    return nowMs - stoodMs.reduce((sum, ms) => sum + ms, 0);
  }

  async #wait(delayMs: number): Promise<void> {
    const dueMs = this.#monotonic() + delayMs;
    do {
      await this.#clock.sleep(dueMs - this.#monotonic());
      await this.#running();
    } while (this.#monotonic() < dueMs);
  }

  get line(): LeaseLine {
    return {
      claim: (claim, forMs) => this.#request(() => this.#server.write(claim, forMs, false)),
      prolong: (claim, forMs) => this.#request(() => this.#server.write(claim, forMs, true)),
      liveClaims: () => this.#request(() => this.#server.read()),
    };
  }

  /** A request whose connection breaks may still run on the server. */
  async #request<T>(send: () => Promise<T>): Promise<T> {
    await this.#running();
    const isLost = this.#random() < 0.02;
    const answer = send();
    if (!isLost) {
      const received = await answer;
      await this.#running();
      return received;
    }
    await this.clock.sleep(1_000);
    throw new Error("the connection broke");
  }

  async #running(): Promise<void> {
    if (this.#random() < 0.02) this.#suspend();
    if (this.#resumesMs === Number.POSITIVE_INFINITY) await new Promise<never>(() => {});
    while (this.#clock.monotonic() < this.#resumesMs)
      await this.#clock.sleep(this.#resumesMs - this.#clock.monotonic());
  }

  #suspend(): void {
    const fromMs = Math.max(this.#resumesMs, this.#clock.monotonic());
    const toMs = this.#clock.monotonic() + this.#random() * 90_000;
    if (toMs <= fromMs) return;
    if (this.#random() < 0.5) this.#standstills.push({ fromMs, toMs });
    this.#resumesMs = toMs;
  }
}

/** Acquires, loses, regains and releases a lease over and over, in processes that may die. */
async function useLease(world: World): Promise<void> {
  const { clock, random, server, leases } = world;
  while (clock.monotonic() < RUN_MS) {
    const process = new Process(clock, random, server);
    const lease = await leaseFrom(process.line, "eth", { times, clock: process.clock }).catch(() => null);
    if (lease === null) continue;
    leases.add(lease);
    world.acquired++;
    requireOneHolder(world);
    await clock.sleep(random() * 60_000);
    if (random() < 0.5) await lease.regain().catch(() => undefined);
    requireOneHolder(world);
    await clock.sleep(random() * 20_000);
    if (random() < 0.3) process.die();
    else await lease.release();
  }
}

interface World {
  clock: ManualClock;
  random: Random;
  server: SlowServer;
  leases: Set<WriterLease>;
  acquired: number;
  /** Times at which several processes had the lease. */
  conflictsMs: number[];
}

function requireOneHolder({ leases, conflictsMs, clock }: World): void {
  if ([...leases].filter(({ isHeld }) => isHeld).length > 1) conflictsMs.push(clock.monotonic());
}

async function run(seed: number): Promise<World> {
  const clock = new ManualClock();
  const random = seeded(seed);
  const server = new SlowServer(clock, random);
  const world: World = { clock, random, server, leases: new Set(), acquired: 0, conflictsMs: [] };
  for (let i = 0; i < PROCESSES; i++) void useLease(world);
  while (clock.monotonic() < RUN_MS) {
    await clock.advance(STEP_MS);
    requireOneHolder(world);
  }
  return world;
}

it("has one holder at most, whatever is slow, suspended or lost", async () => {
  let acquired = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const world = await run(seed);
    expect(world.conflictsMs, `seed ${seed}`).toEqual([]);
    acquired += world.acquired;
  }
  expect(acquired).toBeGreaterThan(5 * SEEDS);
});
