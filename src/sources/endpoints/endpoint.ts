import { type Dispatcher, Pool } from "undici";
import { BaseError } from "../../lib/error.ts";
import { partsOf } from "../../lib/parts.ts";
import { readText, retryAfterMs } from "../rpc/http-response.ts";
import {
  BatchRefused,
  decodeAnswers,
  encodeCalls,
  type RpcCall,
  type RpcOutcome,
  type RpcRefusal,
} from "../rpc/json-rpc.ts";
import type { RpcLimits } from "../rpc/limits.ts";
import { sleepUnlessAborted, stoppable } from "../rpc/retry.ts";
import type { EndpointUrl } from "../rpc/url.ts";
import { ConcurrencyWindow } from "./concurrency-window.ts";
import { type EndpointCounts, EndpointRecord } from "./traffic.ts";

/** How an endpoint does, for status pages and metrics. */
export interface EndpointStatus extends EndpointCounts {
  /** Without credentials and keys. */
  url: string;
  /** Moving average; null before the first answer. */
  latencyMs: number | null;
  /** Unix seconds until which others are preferred; null: in good standing. */
  avoidedUntil: number | null;
}

export interface Answers {
  outcomes: RpcOutcome[];
  /** Size of all bodies, in characters. */
  size: number;
}

/** One RPC URL: its connections, its standing, and what was found out about it. */
export class Endpoint {
  readonly name: string;
  /** The chain id was asked for and is right. */
  isChecked = false;
  /** Why it is never asked again: it serves another chain, or cannot give what proofs need. */
  refusedFor: string | null = null;
  hasBlockReceipts = true;
  hasTransactionReceipts = true;
  /** Before this time (Date.now) it asked not to be asked. */
  restUntil = 0;
  /** Before this time others are preferred. */
  avoidUntil = 0;
  /** Newest block that it has shown; null before the first. */
  newest: number | null = null;

  readonly url: EndpointUrl;
  readonly record = new EndpointRecord();
  readonly #limits: RpcLimits;
  readonly #pool: Pool;
  readonly #window: ConcurrencyWindow;
  #batchCalls: number;
  #troubles = 0;
  #liedAt = 0;

  constructor(url: EndpointUrl, limits: RpcLimits) {
    this.url = url;
    this.name = url.masked;
    this.#limits = limits;
    this.#batchCalls = limits.maxBatchCalls;
    this.#window = new ConcurrencyWindow(limits.initialConcurrency, limits.maxConcurrency);
    this.#pool = new Pool(this.url.origin, {
      connections: limits.maxConcurrency,
      connect: { timeout: limits.connectTimeoutMs },
      // The request's own timer covers the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Preference among endpoints: smaller is better. */
  get load(): number {
    return this.#window.load * (this.record.latencyMs ?? 1);
  }

  /** It failed, lied, or asked for a pause, and its time is not up. */
  get isLeftAlone(): boolean {
    return Math.max(this.avoidUntil, this.restUntil) > Date.now();
  }

  get isInGoodStanding(): boolean {
    return this.isChecked && this.refusedFor === null && !this.isLeftAlone;
  }

  status(): EndpointStatus {
    const { counts, latencyMs } = this.record;
    return {
      url: this.name,
      ...counts,
      latencyMs: latencyMs === null ? null : Math.round(latencyMs),
      avoidedUntil: this.avoidUntil > Date.now() ? Math.ceil(this.avoidUntil / 1000) : null,
    };
  }

  /** Why it cannot be used now; null while it can, for all that is known. */
  outage(): string | null {
    const { outageAfterMs, silenceMs } = this.#limits;
    return this.refusedFor ?? this.record.outage({ failingMs: outageAfterMs, silentMs: silenceMs });
  }

  /**
   * Sends calls in as few HTTP requests as the endpoint takes.
   *
   * @throws EndpointError when a request fails, or any call is refused for its rate
   */
  async send(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<Answers> {
    const batches = partsOf(calls, this.#batchCalls);
    const answers = await Promise.all(batches.map((batch) => this.#sendBatch(batch, signal)));
    return {
      outcomes: answers.flatMap((answer) => answer.outcomes),
      size: answers.reduce((sum, answer) => sum + answer.size, 0),
    };
  }

  /**
   * What is asked of it, unless it takes longer than that.
   *
   * @throws EndpointError when it does
   */
  async within<T>(ms: number, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return stoppable([signal], async (stop) => {
      const timer = setTimeout(() => stop.abort(), ms);
      try {
        return await ask(stop.signal);
      } catch (error) {
        if (!stop.signal.aborted || signal.aborted) throw error;
        this.neglect(ms);
        throw new EndpointError(this.name, new RequestTimeout(ms).message, error);
      } finally {
        clearTimeout(timer);
      }
    });
  }

  /** It answered well: what it did before is forgiven, but for a lie of late. */
  praise(): void {
    if (Date.now() - this.#liedAt > this.#limits.maxAvoidMs) this.#troubles = 0;
  }

  /** It sent a block that cannot be, or showed a head that is not there. */
  blame(): void {
    this.record.counts.lies++;
    this.#liedAt = Date.now();
    this.#avoid();
  }

  /** It lacks a block that it had shown. */
  miss(): void {
    this.record.counts.missing++;
    this.#avoid();
  }

  /** It let others wait, and its request was given up before its time. */
  neglect(afterMs: number): void {
    this.record.counts.failures++;
    this.record.counts.timeouts++;
    this.distrust(new RequestTimeout(afterMs).message);
  }

  /** It answered with something of no use. Those that failed or asked for a pause are avoided already. */
  distrust(reason: string): void {
    this.record.failed(reason);
    if (!this.isLeftAlone) this.#avoid();
  }

  /** It has shown this block. */
  showed(number: number): void {
    this.newest = Math.max(this.newest ?? 0, number);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #sendBatch(batch: RpcCall[], signal: AbortSignal | undefined): Promise<Answers> {
    try {
      return await this.#post(batch, signal);
    } catch (error) {
      if (!(error instanceof BatchRefused)) throw error;
      this.#batchCalls = Math.max(1, Math.min(this.#batchCalls, batch.length >> 1));
      return this.send(batch, signal);
    }
  }

  async #post(calls: RpcCall[], signal: AbortSignal | undefined): Promise<Answers> {
    await this.#window.enter(signal);
    try {
      // It may have asked for a pause while this request waited for its place.
      await sleepUnlessAborted(this.restUntil - Date.now(), signal);
      return await this.#measured(calls, signal);
    } finally {
      this.#window.leave();
    }
  }

  async #measured(calls: RpcCall[], signal: AbortSignal | undefined): Promise<Answers> {
    const startedAt = performance.now();
    const exchange = this.record.begin();
    try {
      const answers = await this.#exchange(calls, signal);
      this.record.answered(performance.now() - startedAt);
      this.#window.widen();
      return answers;
    } catch (error) {
      if (signal?.aborted || error instanceof BatchRefused) throw error;
      const failure = this.#failed(error, startedAt);
      this.record.failed(failure.reason, exchange.startedAt);
      throw failure;
    } finally {
      this.record.end(exchange);
    }
  }

  async #exchange(calls: RpcCall[], signal: AbortSignal | undefined): Promise<Answers> {
    const deadline = new AbortController();
    const timer = setTimeout(
      () => deadline.abort(new RequestTimeout(this.#limits.requestTimeoutMs)),
      this.#limits.requestTimeoutMs,
    );
    const stop = (): void => deadline.abort(signal?.reason);
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const response = await this.#pool.request({
        path: this.url.path,
        method: "POST",
        headers: this.#headers(),
        body: encodeCalls(calls),
        signal: deadline.signal,
      });
      const body = await readText(response, this.#limits.maxResponseBytes);
      return this.#understand(response, body, calls.length);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }

  #headers(): Record<string, string> {
    const headers = { "content-type": "application/json", "accept-encoding": "gzip" };
    return this.url.authorization === null ? headers : { ...headers, authorization: this.url.authorization };
  }

  #understand(response: Dispatcher.ResponseData, body: string, count: number): Answers {
    const { statusCode, headers } = response;
    const waitMs = retryAfterMs(headers["retry-after"], Date.now());
    if (statusCode === 429 || (statusCode === 503 && waitMs !== null))
      throw new RateLimited(`HTTP ${statusCode}`, waitMs);
    // Some nodes answer refused calls with 400 or 500 and JSON-RPC in the body.
    if (statusCode >= 300 && !/^\s*[[{]/.test(body)) throw httpFailure(response, count);
    const outcomes = decodeAnswers(body, count);
    const busy = outcomes.flatMap((outcome) => ("refusal" in outcome ? [outcome.refusal] : [])).find(isRate);
    if (busy !== undefined) throw new RateLimited(`"${busy.message}"`, waitMs);
    return { outcomes, size: body.length };
  }

  #failed(error: unknown, startedAt: number): EndpointError {
    const { counts } = this.record;
    counts.failures++;
    if (error instanceof RateLimited || error instanceof RequestTimeout) this.#window.cut(startedAt);
    if (error instanceof RequestTimeout) counts.timeouts++;
    if (error instanceof RateLimited) {
      counts.rateLimited++;
      const waitMs = error.waitMs ?? this.#limits.minRetryDelayMs;
      this.restUntil = Math.max(this.restUntil, Date.now() + Math.min(waitMs, this.#limits.maxRetryAfterMs));
    } else this.#avoid();
    return new EndpointError(this.name, reasonOf(error), error);
  }

  #avoid(): void {
    const { minAvoidMs, maxAvoidMs } = this.#limits;
    this.avoidUntil = Date.now() + Math.min(maxAvoidMs, minAvoidMs * 2 ** this.#troubles);
    this.#troubles++;
  }
}

/** Node's network errors may have a code and no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && !(error instanceof BaseError) ? String(error.code) : "";
  if (error.message.includes(code)) return error.message || error.name;
  return [error.message, code].filter((part) => part !== "").join(" ");
}

function isRate(refusal: RpcRefusal): boolean {
  return refusal.kind === "rate";
}

function httpFailure({ statusCode, headers }: Dispatcher.ResponseData, count: number): BaseError {
  const refusal: RpcRefusal = { kind: "size", code: statusCode, message: `HTTP ${statusCode}` };
  return count > 1 && (statusCode === 400 || statusCode === 413)
    ? new BatchRefused(refusal)
    : new HttpError(statusCode, headers.location === undefined ? "" : REDIRECTED);
}

/** Not followed: a redirected POST may lose its body, and another host may be another chain. */
const REDIRECTED = ": it redirects elsewhere; give the URL that answers itself";

/** A request to an endpoint failed; the message names the endpoint and says how. */
export class EndpointError extends BaseError {
  readonly endpoint: string;
  /** The message without the endpoint's name. */
  readonly reason: string;

  constructor(endpoint: string, reason: string, cause?: unknown) {
    super("endpoint", `${endpoint}: ${reason}`, { retryable: true, cause });
    this.endpoint = endpoint;
    this.reason = reason;
  }
}

class HttpError extends BaseError {
  constructor(statusCode: number, note: string) {
    super("endpoint", `HTTP ${statusCode}${note}`, { retryable: true });
  }
}

class RateLimited extends BaseError {
  readonly waitMs: number | null;

  constructor(how: string, waitMs: number | null) {
    super("endpoint", `too many requests (${how})`, { retryable: true });
    this.waitMs = waitMs;
  }
}

class RequestTimeout extends BaseError {
  constructor(timeoutMs: number) {
    super("timeout", `no answer within ${timeoutMs} ms`, { retryable: true });
  }
}
