/** How often what happened. */
export interface EndpointCounts {
  /** HTTP requests sent, and those that failed in whatever way. */
  requests: number;
  failures: number;
  /** Failures because the endpoint asked to be asked less. */
  rateLimited: number;
  /** Failures because no answer came in time. */
  timeouts: number;
  /** Blocks that contradicted their own header, and heads that were not there. */
  lies: number;
  /** Blocks or receipts that it did not have, though it had shown a head at or above them. */
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

/** An answer may take so many times the usual before its absence counts as silence. */
const PATIENCE = 5;

/** A request that waits for its answer. */
export interface Exchange {
  readonly startedAt: number;
}

/** What an endpoint did: counted, and whether it answers at present. Times are Date.now(). */
export class EndpointRecord {
  readonly counts: EndpointCounts = { ...NONE };
  #summarized: EndpointCounts = { ...NONE };
  #latencyMs: number | null = null;
  #answeredAt = 0;
  /** In the order in which they began. */
  readonly #underWay = new Set<Exchange>();
  #failure: { message: string; since: number } | null = null;

  /** Moving average; null before the first answer. */
  get latencyMs(): number | null {
    return this.#latencyMs;
  }

  begin(): Exchange {
    const exchange = { startedAt: Date.now() };
    this.counts.requests++;
    this.#underWay.add(exchange);
    return exchange;
  }

  /** The exchange is over, however it went. */
  end(exchange: Exchange): void {
    this.#underWay.delete(exchange);
  }

  answered(tookMs: number): void {
    this.#answeredAt = Date.now();
    const before = this.#latencyMs ?? tookMs;
    this.#latencyMs = before + (tookMs - before) * LATENCY_WEIGHT;
  }

  /** The last thing asked of it could not be had. */
  failed(message: string, since = Date.now()): void {
    this.#failure = { message, since: this.#failure?.since ?? since };
  }

  /** The last thing asked of it was had. */
  succeeded(): void {
    this.#failure = null;
  }

  /** Whether it has answered anything lately. */
  hasAnsweredWithin(ms: number): boolean {
    return Date.now() - this.#answeredAt < ms;
  }

  /** Why it cannot be used, and since when, once nothing was had from it for that long; null before, and while it can. */
  outage({ failingMs, silentMs }: { failingMs: number; silentMs: number }): string | null {
    const now = Date.now();
    if (this.#failure !== null && now - this.#failure.since >= failingMs) {
      return `${this.#failure.message}, since ${dateOf(this.#failure.since)}`;
    }
    // What was asked before the last answer is slow, which is no silence.
    const unheard = [...this.#underWay].find(({ startedAt }) => startedAt >= this.#answeredAt);
    if (unheard === undefined) return null;
    const silentSince = unheard.startedAt;
    if (now - silentSince < Math.max(silentMs, PATIENCE * (this.#latencyMs ?? 0))) return null;
    return `no answer since ${dateOf(silentSince)}`;
  }

  /** One sentence about what went wrong since the last call; null when nothing did. */
  summary(): string | null {
    const before = this.#summarized;
    this.#summarized = { ...this.counts };
    const since = (name: keyof EndpointCounts) => this.counts[name] - before[name];
    if (since("failures") + since("lies") + since("missing") === 0) return null;
    const latency = this.#latencyMs === null ? "" : `; ${Math.round(this.#latencyMs)} ms a request`;
    return (
      `${since("failures")} of ${since("requests")} requests failed (${since("timeouts")} without an answer in time, ` +
      `${since("rateLimited")} for their rate), ${since("lies")} false blocks, ${since("missing")} missing${latency}`
    );
  }
}

/** As UTC, to the second. */
function dateOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}
