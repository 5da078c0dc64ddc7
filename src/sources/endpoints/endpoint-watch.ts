import { unlessAborted } from "../../lib/async/abort.ts";
import type { Clock } from "../../lib/async/clock.ts";
import type { RpcLimits } from "../rpc/limits.ts";
import type { Endpoint } from "./endpoint.ts";
import type { SourceLogger } from "./warnings.ts";

/**
 * Interval at which the watch looks for endpoints that are down. While an endpoint stays down, the probes
 * become less and less frequent.
 */
const WATCH_INTERVAL_MS = 2_000;

interface WatchOptions {
  limits: RpcLimits;
  clock: Clock;
  signal: AbortSignal;
  logger: SourceLogger;
  /** Checks an endpoint, and reports the result to it. */
  probe: (endpoint: Endpoint) => Promise<void>;
}

/** Detects endpoints that go down or come back, and logs summaries of failures, until the signal aborts. */
export function watchEndpoints(endpoints: readonly Endpoint[], options: WatchOptions): void {
  const { limits, clock, signal, logger, probe } = options;
  const watch = new OutageWatch(endpoints, limits, clock);
  void every(WATCH_INTERVAL_MS, clock, signal, () => {
    for (const endpoint of watch.takeSuspects()) void probe(endpoint);
  });
  void every(limits.summaryIntervalMs, clock, signal, () => {
    for (const endpoint of endpoints) logSummary(endpoint, logger);
  });
}

/**
 * Chooses which endpoints to probe. If an endpoint is down and none has responded lately, all endpoints to
 * which requests may be sent are probed, because idle endpoints may also be down. An endpoint that has come
 * back is then noticed quickly.
 */
class OutageWatch {
  readonly #endpoints: readonly Endpoint[];
  readonly #limits: RpcLimits;
  readonly #clock: Clock;
  #intervalMs = WATCH_INTERVAL_MS;
  #nextAt = 0;

  constructor(endpoints: readonly Endpoint[], limits: RpcLimits, clock: Clock) {
    this.#endpoints = endpoints;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Returns the endpoints to probe now. */
  takeSuspects(): Endpoint[] {
    const now = this.#clock.monotonic();
    const isWell = this.#isWell();
    if (isWell) this.#intervalMs = WATCH_INTERVAL_MS;
    if (isWell || now < this.#nextAt) return [];
    this.#nextAt = now + this.#intervalMs;
    this.#intervalMs = Math.min(this.#limits.maxRetryDelayMs, this.#intervalMs * 2);
    return this.#endpoints.filter((endpoint) => {
      const { isExcluded, retryAt } = endpoint.standing();
      return !isExcluded && retryAt <= now;
    });
  }

  #isWell(): boolean {
    return (
      this.#endpoints.some((endpoint) => endpoint.hasRespondedWithin(this.#limits.silenceMs)) ||
      this.#endpoints.every((endpoint) => endpoint.outage() === null)
    );
  }
}

async function every(intervalMs: number, clock: Clock, signal: AbortSignal, run: () => void): Promise<void> {
  while (!signal.aborted) {
    await unlessAborted(signal, () => clock.sleep(intervalMs, signal));
    if (!signal.aborted) run();
  }
}

function logSummary(endpoint: Endpoint, logger: SourceLogger): void {
  const summary = endpoint.takeSummary();
  if (summary === null) return;
  const { url, latencyMs: _, avoidedUntil: __, ...counts } = endpoint.status();
  logger.info({ endpoint: url, ...counts }, `${url}: ${summary}`);
}
