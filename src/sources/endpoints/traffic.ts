import { type Clock, type Moment, momentOf } from "../../lib/async/clock.ts";

export interface EndpointCounts {
  /** HTTP requests sent, and how many of them failed for any reason. */
  requests: number;
  failures: number;
  /** Failures caused by a rate limit. */
  rateLimited: number;
  /** Failures caused by a timeout. */
  timeouts: number;
  /** Blocks that contradicted their own header, and reported heads that did not exist. */
  lies: number;
  /** Blocks or receipts that the endpoint lacked at or below its reported head. */
  missing: number;
}

const NONE: EndpointCounts = {
  requests: 0,
  failures: 0,
  rateLimited: 0,
  timeouts: 0,
  lies: 0,
  missing: 0,
};

/** Weight of the newest request in the moving average of the latency. */
const LATENCY_WEIGHT = 0.1;

/** An endpoint counts as silent only after this many times its average latency. */
const SILENT_LATENCIES = 5;

export interface Exchange {
  readonly startedAt: Moment;
}

export type ExchangeFailure = "rate-limited" | "timeout" | "other";

/** Tracks the requests to one endpoint: counts, latency, and since when the endpoint has been unusable. */
export class EndpointTraffic {
  readonly #clock: Clock;
  readonly #counts: EndpointCounts = { ...NONE };
  #summarized: EndpointCounts = { ...NONE };
  #latencyMs: number | null = null;
  /** Time of the last response, on the monotonic clock. */
  #respondedAt = Number.NEGATIVE_INFINITY;
  /** Requests in progress, in the order in which they began. */
  readonly #inProgress = new Set<Exchange>();
  #failure: { message: string; since: Moment } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get counts(): EndpointCounts {
    return { ...this.#counts };
  }

  /** Moving average; null before the first response. */
  get latencyMs(): number | null {
    return this.#latencyMs;
  }

  begin(): Exchange {
    const exchange = { startedAt: momentOf(this.#clock) };
    this.#counts.requests++;
    this.#inProgress.add(exchange);
    return exchange;
  }

  /** Must be called whether the exchange succeeded or failed. */
  end(exchange: Exchange): void {
    this.#inProgress.delete(exchange);
  }

  responded(tookMs: number): void {
    this.#respondedAt = this.#clock.monotonic();
    const before = this.#latencyMs ?? tookMs;
    this.#latencyMs = before + (tookMs - before) * LATENCY_WEIGHT;
  }

  /** Counts a failed request. An outage is dated from `since`, which is usually when the request was sent. */
  failed(message: string, kind: ExchangeFailure, since = momentOf(this.#clock)): void {
    this.#counts.failures++;
    if (kind === "rate-limited") this.#counts.rateLimited++;
    if (kind === "timeout") this.#counts.timeouts++;
    this.unusable(message, since);
  }

  countBadBlock(kind: "invalid" | "missing"): void {
    this.#counts[kind === "invalid" ? "lies" : "missing"]++;
  }

  /** Records that the last request gave no usable result. */
  unusable(message: string, since = momentOf(this.#clock)): void {
    this.#failure = { message, since: this.#failure?.since ?? since };
  }

  /** Records that the last request gave a usable result. */
  usable(): void {
    this.#failure = null;
  }

  hasRespondedWithin(ms: number): boolean {
    return this.#clock.monotonic() - this.#respondedAt < ms;
  }

  /**
   * Returns why the endpoint cannot be used, and since when; null until it has failed for `failingMs` or been
   * silent for at least `silentMs`.
   */
  outage(failingMs: number, silentMs: number): string | null {
    const now = this.#clock.monotonic();
    if (this.#failure !== null && now - this.#failure.since.monotonicMs >= failingMs) {
      return `${this.#failure.message}, since ${dateOf(this.#failure.since)}`;
    }
    // A request that began before the last response is merely slow. The endpoint is not silent.
    const unanswered = [...this.#inProgress].find(
      ({ startedAt }) => startedAt.monotonicMs >= this.#respondedAt,
    );
    if (unanswered === undefined) return null;
    const { startedAt: silentSince } = unanswered;
    if (now - silentSince.monotonicMs < Math.max(silentMs, SILENT_LATENCIES * (this.#latencyMs ?? 0)))
      return null;
    return `no response since ${dateOf(silentSince)}`;
  }

  /** Returns a line that describes the failures since the last call; null if there were none. */
  takeSummary(): string | null {
    const before = this.#summarized;
    this.#summarized = this.counts;
    const since = (name: keyof EndpointCounts) => this.#counts[name] - before[name];
    if (since("failures") + since("lies") + since("missing") === 0) return null;
    const latency = this.#latencyMs === null ? "" : `; average latency: ${Math.round(this.#latencyMs)} ms`;
    return (
      `${since("failures")} of ${since("requests")} requests failed (timeouts: ${since("timeouts")}, ` +
      `rate limits: ${since("rateLimited")}); invalid blocks: ${since("lies")}; missing: ${since("missing")}${latency}`
    );
  }
}

/** Formats a time in UTC, to the second. */
function dateOf({ unixMs }: Moment): string {
  return new Date(unixMs).toISOString().replace(/\.\d+Z$/, "Z");
}
