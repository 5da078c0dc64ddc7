import { type Dispatcher, Pool } from "undici";
import { withAbort } from "../../lib/async/abort.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { retryAfterMs } from "../../lib/async/retry-after.ts";
import { BaseError } from "../../lib/error.ts";
import { traced } from "../../lib/tracing/tracing.ts";
import { type ResponseBody, readBody } from "./http-response.ts";
import {
  BatchRefused,
  decodeResponses,
  encodeCalls,
  type RpcCall,
  type RpcOutcome,
  type RpcRefusal,
} from "./json-rpc.ts";
import type { RpcLimits } from "./limits.ts";
import type { EndpointUrl } from "./url.ts";

export interface RpcResponses {
  /** The outcome of each call, in the order of the calls. */
  outcomes: RpcOutcome[];
  /** Total size of the response bodies, in characters. */
  size: number;
}

/** Reads a response body in its own way. Returns null if the body must be parsed as text instead. */
export type BodyReader = (body: ResponseBody, calls: readonly RpcCall[]) => Promise<RpcResponses | null>;

/** A complete response, with its body as received. */
export interface Received {
  response: Dispatcher.ResponseData;
  body: ResponseBody;
}

/** Sends JSON-RPC over HTTP to one URL, with each list of calls in one request. */
export class HttpClient {
  readonly #url: EndpointUrl;
  readonly #limits: RpcLimits;
  readonly #clock: Clock;
  readonly #pool: Pool;

  constructor(url: EndpointUrl, limits: RpcLimits, clock: Clock) {
    this.#url = url;
    this.#limits = limits;
    this.#clock = clock;
    this.#pool = new Pool(url.origin, {
      connections: limits.maxConcurrency,
      connect: { timeout: limits.connectTimeoutMs },
      // The timer in `#exchange` covers the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** @throws RequestTimeout, ResponseTooLarge, or a network error */
  exchange(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<Received> {
    const { method = "none" } = calls[0] ?? {};
    const facts = { "rpc.method": method, "quarry.calls": calls.length, "quarry.endpoint": this.#url.masked };
    return traced(method, () => this.#exchange(calls, signal), { facts, kind: "client" });
  }

  async #exchange(calls: readonly RpcCall[], signal: AbortSignal | undefined): Promise<Received> {
    const { requestTimeoutMs, maxResponseBytes } = this.#limits;
    return withAbort([signal], async (controller) => {
      const cancelTimeout = this.#clock.after(requestTimeoutMs, () =>
        controller.abort(new RequestTimeout(requestTimeoutMs)),
      );
      try {
        const response = await this.#pool.request({
          path: this.#url.path,
          method: "POST",
          headers: this.#headers(),
          body: encodeCalls(calls),
          signal: controller.signal,
        });
        return { response, body: await readBody(response, maxResponseBytes) };
      } finally {
        cancelTimeout();
      }
    });
  }

  /**
   * Reads a response.
   *
   * @param reader is tried first if the status is 200
   * @throws BatchRefused if the calls need smaller batches
   * @throws RateLimited, even if only one of the calls was limited
   * @throws HttpError, MalformedResponse, ResponseTooLarge
   */
  async read(
    { response, body }: Received,
    calls: readonly RpcCall[],
    reader?: BodyReader,
  ): Promise<RpcResponses> {
    const read = response.statusCode === 200 ? await reader?.(body, calls) : null;
    return read ?? this.#readText(response, await body.text(), calls.length);
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  #headers(): Record<string, string> {
    const { authorization, isLocal } = this.#url;
    // On the same machine, compression costs more time than it saves.
    const headers = { "content-type": "application/json", "accept-encoding": isLocal ? "identity" : "gzip" };
    return authorization === null ? headers : { ...headers, authorization };
  }

  #readText(response: Dispatcher.ResponseData, body: string, count: number): RpcResponses {
    const { statusCode, headers } = response;
    const waitMs = retryAfterMs(headers["retry-after"], this.#clock.now());
    if (statusCode === 429 || (statusCode === 503 && waitMs !== null))
      throw new RateLimited(`HTTP ${statusCode}`, waitMs);
    // Some nodes respond to refused calls with status 400 or 500 and JSON-RPC in the body.
    if (statusCode >= 300 && !/^\s*[[{]/.test(body)) throw httpFailure(response, count);
    const outcomes = decodeResponses(body, count);
    const limited = outcomes
      .flatMap((outcome) => ("refusal" in outcome ? [outcome.refusal] : []))
      .find(({ kind }) => kind === "rate");
    if (limited !== undefined) throw new RateLimited(`"${limited.message}"`, waitMs);
    return { outcomes, size: body.length };
  }
}

function httpFailure({ statusCode, headers }: Dispatcher.ResponseData, count: number): BaseError {
  const refusal: RpcRefusal = { kind: "size", code: statusCode, message: `HTTP ${statusCode}` };
  return count > 1 && (statusCode === 400 || statusCode === 413)
    ? new BatchRefused(refusal)
    : new HttpError(statusCode, headers.location === undefined ? "" : REDIRECTED);
}

/**
 * Redirects are not followed: a redirected POST may lose its body, and another host may serve another chain.
 */
const REDIRECTED = ": redirects to another URL; give the final URL";

class HttpError extends BaseError {
  constructor(statusCode: number, note: string) {
    super("endpoint", `HTTP ${statusCode}${note}`, { retryable: true });
  }
}

export class RateLimited extends BaseError {
  /** The wait that the server requests with Retry-After; null without that header. */
  readonly waitMs: number | null;

  constructor(source: string, waitMs: number | null) {
    super("endpoint", `too many requests (${source})`, { retryable: true });
    this.waitMs = waitMs;
  }
}

export class RequestTimeout extends BaseError {
  constructor(timeoutMs: number) {
    super("timeout", `no response within ${timeoutMs} ms`, { retryable: true });
  }
}
