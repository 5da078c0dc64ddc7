import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { timeoutOf } from "../../lib/async/timeout.ts";
import type { Engine } from "../store.ts";
import { acquireLease, type WriterLease } from "./writer-lease.ts";

/**
 * How long a process that is shutting down tries to end its writes whose answers were lost. Orchestrators
 * kill a process about 30 seconds after they request the shutdown.
 */
const SETTLE_MS = 10_000;

/** The leases of a process on one server. */
export class HeldLeases {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #leases = new Map<string, WriterLease>();

  constructor(engine: Engine, clock: Clock = systemClock) {
    this.#engine = engine;
    this.#clock = clock;
  }

  /**
   * Acquires the lease of a chain. A chain that is opened again keeps its lease: otherwise, this process
   * would wait for itself.
   */
  async hold(chain: string): Promise<WriterLease> {
    const lease = this.#leases.get(chain) ?? (await acquireLease(this.#engine, chain));
    this.#leases.set(chain, lease);
    await lease.regain();
    return lease;
  }

  get(chain: string): WriterLease | undefined {
    return this.#leases.get(chain);
  }

  /**
   * Releases all leases, or lets them expire if a write of this process may still be running because its
   * answer was lost.
   */
  async release(): Promise<void> {
    const leases = [...this.#leases.values()];
    const isSettled = leases.length === 0 || (await this.#settle());
    await Promise.all(leases.map((lease) => (isSettled ? lease.release() : lease.expire())));
  }

  async #settle(): Promise<boolean> {
    if (this.#engine.hasLostWrites !== true) return true;
    const late = timeoutOf(SETTLE_MS, false, this.#clock);
    const settled = Promise.resolve(this.#engine.settleWrites?.()).then(
      () => true,
      () => false,
    );
    return Promise.race([settled, late.elapsed]).finally(late.cancel);
  }
}
