import type { Chain } from "../../chains/chain.ts";
import { withAbort } from "../../lib/async/abort.ts";
import type { Clock, Moment } from "../../lib/async/clock.ts";
import { partsOf } from "../../lib/collections/parts.ts";
import { BaseError } from "../../lib/error.ts";
import { ThreadFailed } from "../../lib/threads/thread-pool.ts";
import { CallPace } from "../rpc/call-pace.ts";
import { ConcurrencyWindow } from "../rpc/concurrency-window.ts";
import {
  type BodyReader,
  HttpClient,
  RateLimited,
  RequestTimeout,
  type RpcResponses,
} from "../rpc/http-client.ts";
import { BatchRefused, type RpcCall } from "../rpc/json-rpc.ts";
import type { RpcLimits } from "../rpc/limits.ts";
import type { EndpointUrl } from "../rpc/url.ts";
import { CHAIN_ID_CALL, requireChain, WrongChain } from "./chain-id.ts";
import { EndpointError } from "./endpoint-error.ts";
import { HEALTHY, type Health, type HealthReport, rateLimited, reported } from "./health.ts";
import type { Report } from "./report.ts";
import type { Standing } from "./selection.ts";
import { type EndpointCounts, EndpointTraffic } from "./traffic.ts";
import type { EndpointWarnings } from "./warnings.ts";

/** The state of an endpoint, for status pages and metrics. */
export interface EndpointStatus extends EndpointCounts {
  /** Without credentials and keys. */
  url: string;
  /** Moving average; null before the first response. */
  latencyMs: number | null;
  /** End of the current backoff or of the wait for Retry-After, in Unix seconds; null if there is none. */
  avoidedUntil: number | null;
}

export interface EndpointOptions {
  chain: Chain;
  limits: RpcLimits;
  clock: Clock;
  warnings: EndpointWarnings;
}

export interface SendOptions {
  /** The reader that is tried first on each response body. */
  reader?: BodyReader | undefined;
  /** True for calls that find new blocks. They may overtake other calls that wait for the rate limit. */
  isUrgent?: boolean;
}

/** Sends requests to one RPC URL, and keeps the state that `report` derives from the results. */
export class Endpoint {
  readonly url: EndpointUrl;
  readonly name: string;
  readonly #options: EndpointOptions;
  readonly #client: HttpClient;
  readonly #pace: CallPace;
  readonly #window: ConcurrencyWindow;
  readonly #traffic: EndpointTraffic;
  readonly #unsupported = new Set<string>();
  #batchCalls: number;
  #health: Health = HEALTHY;
  #newest: number | null = null;
  #isChecked = false;
  #exclusion: string | null = null;

  constructor(url: EndpointUrl, options: EndpointOptions) {
    const { limits, clock } = options;
    this.url = url;
    this.name = url.masked;
    this.#options = options;
    this.#client = new HttpClient(url, limits, clock);
    this.#pace = new CallPace(limits.callsPerSecond, clock);
    this.#window = new ConcurrencyWindow(limits.initialConcurrency, limits.maxConcurrency, clock);
    this.#traffic = new EndpointTraffic(clock);
    this.#batchCalls = Math.min(limits.maxBatchCalls, this.#pace.maxBatchCalls);
  }

  /** Newest block that the endpoint is known to have; null if none is known yet. */
  get newest(): number | null {
    return this.#newest;
  }

  /**
   * Why the endpoint can never be used: it serves the wrong chain, or lacks methods that verification needs.
   * Null if it can be used.
   */
  get exclusion(): string | null {
    return this.#exclusion;
  }

  standing(): Standing {
    return {
      isChecked: this.#isChecked,
      isExcluded: this.#exclusion !== null,
      backoffUntil: this.#health.backoffUntil,
      retryAt: this.#health.retryAt,
      newest: this.#newest,
      load: (this.#window.load + this.#pace.waiting / this.#window.limit) * (this.#traffic.latencyMs ?? 1),
    };
  }

  status(): EndpointStatus {
    const { counts, latencyMs } = this.#traffic;
    const { clock } = this.#options;
    const avoidedMs = Math.max(this.#health.backoffUntil, this.#health.retryAt) - clock.monotonic();
    return {
      url: this.name,
      ...counts,
      latencyMs: latencyMs === null ? null : Math.round(latencyMs),
      avoidedUntil: avoidedMs > 0 ? Math.ceil((clock.now() + avoidedMs) / 1000) : null,
    };
  }

  /** Returns why the endpoint cannot be used now; null while it is usable. */
  outage(): string | null {
    const { outageAfterMs, silenceMs } = this.#options.limits;
    return this.#exclusion ?? this.#traffic.outage(outageAfterMs, silenceMs);
  }

  hasRespondedWithin(ms: number): boolean {
    return this.#traffic.hasRespondedWithin(ms);
  }

  takeSummary(): string | null {
    return this.#traffic.takeSummary();
  }

  /** Returns false once the endpoint has rejected the method as unknown. */
  supports(method: string): boolean {
    return !this.#unsupported.has(method);
  }

  /** Records what a caller observed, and updates the state of the endpoint. */
  report(report: Report): void {
    switch (report.kind) {
      case "ok":
        this.#update("ok");
        break;
      case "invalid":
      case "missing":
        this.#traffic.countBadBlock(report.kind);
        this.#update(report.kind);
        this.#options.warnings.badBlock(this.name, report.block, report.kind, report.problem);
        break;
      case "timeout":
        this.#traffic.failed(new RequestTimeout(report.afterMs).message, "timeout");
        this.#update("timeout");
        break;
      case "usable":
        this.#traffic.usable();
        break;
      case "unusable":
        this.#traffic.unusable(report.reason);
        this.#update("unusable");
        break;
      case "head":
        this.#newest = report.block;
        break;
      case "block":
        this.#newest = Math.max(this.#newest ?? 0, report.block);
        break;
      case "unsupported":
        this.#unsupported.add(report.method);
        break;
      case "unsuitable":
        this.#exclusion = report.reason;
    }
  }

  /**
   * Sends calls in as few HTTP requests as the endpoint allows.
   *
   * @throws EndpointError if a request fails, or if any call is refused because of a rate limit
   */
  async send(
    calls: readonly RpcCall[],
    signal: AbortSignal | undefined,
    options: SendOptions = {},
  ): Promise<RpcResponses> {
    const batches = partsOf(calls, this.#batchCalls);
    const responses = await Promise.all(batches.map((batch) => this.#sendBatch(batch, signal, options)));
    return {
      outcomes: responses.flatMap(({ outcomes }) => outcomes),
      size: responses.reduce((sum, { size }) => sum + size, 0),
    };
  }

  /**
   * @throws EndpointError if the requests take longer than the timeout plus the longest wait for the rate
   * limit
   */
  async withTimeout<T>(
    timeoutMs: number,
    signal: AbortSignal,
    request: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return withAbort([signal], async (controller) => {
      const withWaitMs = timeoutMs + this.#pace.longestWaitMs;
      const cancelTimeout = this.#options.clock.after(withWaitMs, () => controller.abort());
      try {
        return await request(controller.signal);
      } catch (error) {
        if (!controller.signal.aborted || signal.aborted) throw error;
        this.report({ kind: "timeout", afterMs: timeoutMs });
        throw new EndpointError(this.name, new RequestTimeout(timeoutMs).message, error);
      } finally {
        cancelTimeout();
      }
    });
  }

  /**
   * Checks that the endpoint serves the right chain.
   *
   * @throws WrongChain, EndpointError
   */
  async check(signal: AbortSignal): Promise<void> {
    const { outcomes } = await this.send([CHAIN_ID_CALL], signal);
    try {
      requireChain(this.name, outcomes[0], this.#options.chain);
    } catch (error) {
      if (error instanceof WrongChain) this.report({ kind: "unsuitable", reason: error.message });
      throw error;
    }
    this.#isChecked = true;
    this.report({ kind: "usable" });
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  /**
   * Sends a batch. If the endpoint refuses the batch, halves the batch size for these calls and for all later
   * ones.
   */
  async #sendBatch(
    batch: RpcCall[],
    signal: AbortSignal | undefined,
    options: SendOptions,
  ): Promise<RpcResponses> {
    try {
      return await this.#sendAdmitted(batch, signal, options);
    } catch (error) {
      if (!(error instanceof BatchRefused)) throw error;
      this.#batchCalls = Math.min(this.#batchCalls, halfOf(batch.length));
      return this.send(batch, signal, options);
    }
  }

  async #sendAdmitted(
    calls: RpcCall[],
    signal: AbortSignal | undefined,
    { reader, isUrgent = false }: SendOptions,
  ): Promise<RpcResponses> {
    // Waits here first. Otherwise, all requests that wait for the end of a rate limit would already be
    // through `#pace`, and would then be sent at once.
    await this.#untilRetry(signal);
    await this.#pace.enter(calls.length, { isUrgent, signal });
    await this.#window.enter(signal);
    try {
      // A rate limit may have arrived while this request waited for admission.
      await this.#untilRetry(signal);
      return await this.#sendMeasured(calls, signal, reader);
    } finally {
      this.#window.leave();
    }
  }

  async #untilRetry(signal: AbortSignal | undefined): Promise<void> {
    const { clock } = this.#options;
    const waitMs = this.#health.retryAt - clock.monotonic();
    if (waitMs > 0) await clock.sleep(waitMs, signal);
  }

  async #sendMeasured(
    calls: RpcCall[],
    signal: AbortSignal | undefined,
    reader: BodyReader | undefined,
  ): Promise<RpcResponses> {
    const { clock } = this.#options;
    const startedAt = clock.monotonic();
    const exchange = this.#traffic.begin();
    try {
      const received = await this.#client.exchange(calls, signal);
      const latencyMs = clock.monotonic() - startedAt;
      // The endpoint has responded, so the time that a thread takes to parse must not count as silence.
      this.#traffic.end(exchange);
      const responses = await this.#client.read(received, calls, reader);
      this.#traffic.responded(latencyMs);
      this.#window.widen();
      return responses;
    } catch (error) {
      if (signal?.aborted || error instanceof BatchRefused || error instanceof ThreadFailed) throw error;
      const failure = new EndpointError(this.name, networkReasonOf(error), error);
      const isCongested = error instanceof RateLimited || error instanceof RequestTimeout;
      if (isCongested) this.#window.halve(startedAt);
      this.#fail(failure, exchange.startedAt);
      throw failure;
    } finally {
      this.#traffic.end(exchange);
    }
  }

  #fail({ reason, cause }: EndpointError, since: Moment): void {
    if (cause instanceof RateLimited) {
      const { limits, clock } = this.#options;
      const waitMs = Math.min(cause.waitMs ?? limits.minRetryDelayMs, limits.maxRetryAfterMs);
      this.#traffic.failed(reason, "rate-limited", since);
      this.#health = rateLimited(this.#health, clock.monotonic() + waitMs);
    } else {
      this.#traffic.failed(reason, cause instanceof RequestTimeout ? "timeout" : "other", since);
      this.#update("failed");
    }
  }

  #update(kind: HealthReport): void {
    this.#health = reported(this.#health, kind, this.#options.clock.monotonic(), this.#options.limits);
  }
}

/**
 * Returns half the size of a batch: an even number if possible, so that a block and its receipts stay in the
 * same batch.
 */
function halfOf(calls: number): number {
  const half = calls >> 1;
  return half > 1 ? half - (half % 2) : 1;
}

/** Returns the reason for a failed request. Network errors of Node.js may have a code but no message. */
function networkReasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && !(error instanceof BaseError) ? String(error.code) : "";
  if (error.message.includes(code)) return error.message || error.name;
  return [error.message, code].filter((part) => part !== "").join(" ");
}
