import { setMaxListeners } from "node:events";
import type { Chain } from "../../chains/chain.ts";
import { onAbort, withAbort } from "../../lib/async/abort.ts";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import { RequestTimeout } from "../rpc/http-client.ts";
import type { RpcLimits } from "../rpc/limits.ts";
import { retrying } from "../rpc/retry.ts";
import type { EndpointUrl } from "../rpc/url.ts";
import { WrongChain } from "./chain-id.ts";
import { Endpoint, type EndpointStatus } from "./endpoint.ts";
import { EndpointChecks } from "./endpoint-checks.ts";
import { EndpointError, reasonOf, UnsuitableEndpoint } from "./endpoint-error.ts";
import { watchEndpoints } from "./endpoint-watch.ts";
import { bestOf, isAvailable, isUsable } from "./selection.ts";
import { EndpointWarnings, type SourceLogger } from "./warnings.ts";

export interface PoolOptions {
  urls: EndpointUrl[];
  chain: Chain;
  limits: RpcLimits;
  logger: SourceLogger;
  clock?: Clock | undefined;
  /** Aborts calls that are made without a signal. */
  signal?: AbortSignal | undefined;
}

interface RunOptions {
  signal: AbortSignal;
  /** Newest block that is needed. Endpoints that are known to be behind it are used last. */
  block?: number | undefined;
  /** Returns whether an endpoint may be chosen; default: all may. */
  isEligible?: ((endpoint: Endpoint) => boolean) | undefined;
  /** Returns whether to retry after this many failures; default: retries until the signal aborts. */
  shouldRetry?: (failures: number, error: BaseError) => boolean;
}

export interface EndpointResult<T> {
  endpoint: Endpoint;
  result: T;
}

export interface EndpointFailure {
  endpoint: Endpoint;
  /** Why the endpoint returned no result, without its name. */
  reason: string;
}

/** The endpoints of one chain. Chooses the one to use for each request, and retries with another. */
export class EndpointPool {
  readonly limits: RpcLimits;
  readonly clock: Clock;
  /**
   * Signal for calls that are made without one. Aborts when the pool is closed or the signal in the options
   * aborts.
   */
  readonly signal: AbortSignal;
  readonly warnings: EndpointWarnings;
  readonly #endpoints: Endpoint[];
  readonly #checks: EndpointChecks;
  readonly #end = new AbortController();
  readonly #removeListener: () => void;

  constructor({ urls, chain, limits, logger, clock = systemClock, signal: outer }: PoolOptions) {
    this.limits = limits;
    this.clock = clock;
    this.signal = this.#end.signal;
    // Each request and each wait adds a listener, and removes it when done.
    setMaxListeners(0, this.signal);
    this.#removeListener = onAbort(outer, () => this.#end.abort(outer?.reason));
    this.warnings = new EndpointWarnings(logger, limits.warningIntervalMs, clock);
    const shared = { chain, limits, logger, clock, signal: this.signal, warnings: this.warnings };
    this.#endpoints = urls.map((url) => new Endpoint(url, shared));
    this.#checks = new EndpointChecks(shared);
    watchEndpoints(this.#endpoints, { ...shared, probe: (endpoint) => this.#checks.probe(endpoint) });
  }

  status(): EndpointStatus[] {
    return this.#endpoints.map((endpoint) => endpoint.status());
  }

  /** Returns the endpoints that are known to serve the right chain. */
  checked(): Endpoint[] {
    return this.#endpoints.filter((endpoint) => {
      const { isChecked, isExcluded } = endpoint.standing();
      return isChecked && !isExcluded;
    });
  }

  /** Returns the endpoints of the right chain that are not in backoff. */
  available(): Endpoint[] {
    const now = this.clock.monotonic();
    return this.#endpoints.filter((endpoint) => isAvailable(endpoint.standing(), now));
  }

  /** Returns why no endpoint can be used, with the reason for each; null while at least one can. */
  outage(): string | null {
    const reasons = this.#endpoints.map((endpoint) => [endpoint.name, endpoint.outage()] as const);
    if (reasons.some(([, reason]) => reason === null)) return null;
    return reasons.map(([name, reason]) => `${name}: ${reason}`).join("; ");
  }

  /**
   * Checks each endpoint's chain id.
   *
   * @throws WrongChain if one serves another chain; an "endpoint" error if none can be reached
   */
  async open(): Promise<void> {
    await this.#checks.open(this.#endpoints);
  }

  /**
   * Runs the request with the best endpoint. Retries transient failures, each time with the endpoint that is
   * best at that time.
   */
  async run<T>(request: (endpoint: Endpoint) => Promise<T>, options: RunOptions): Promise<T> {
    const { signal, shouldRetry = () => true } = options;
    return retrying(async () => this.#runOn(await this.#choose(options), request), {
      limits: this.limits,
      clock: this.clock,
      signal,
      shouldRetry: (failures, error) => {
        if (error instanceof EndpointError) this.warnings.failedRequest(error);
        return shouldRetry(failures, error);
      },
    });
  }

  /** Like `run`, but for calls that are made without a signal. Makes at most `maxCallAttempts` attempts. */
  async runBriefly<T>(
    request: (endpoint: Endpoint) => Promise<T>,
    options: Pick<RunOptions, "block" | "isEligible"> = {},
  ): Promise<T> {
    const shouldRetry = (failures: number) => failures < this.limits.maxCallAttempts;
    return this.run(request, { ...options, signal: this.signal, shouldRetry });
  }

  /**
   * Sends a small request to all endpoints that are neither excluded nor in backoff, and returns the results.
   * If there are several endpoints, waits at most `silenceMs` for the first result, and then `headTimeoutMs`
   * for the others.
   */
  async requestAll<T>(
    request: (endpoint: Endpoint, signal: AbortSignal) => Promise<T>,
  ): Promise<EndpointResult<T>[]> {
    return withAbort([this.signal], async (controller) => {
      const results: EndpointResult<T>[] = [];
      const now = this.clock.monotonic();
      const usable = this.#endpoints.filter((endpoint) => isUsable(endpoint.standing(), now));
      const requests = usable.map(async (endpoint) => {
        results.push({ endpoint, result: await this.#requestOne(endpoint, request, controller.signal) });
      });
      const waits =
        requests.length > 1 ? [this.#waitForOthers(Promise.any(requests), controller.signal)] : [];
      await Promise.race([Promise.allSettled(requests), ...waits]).finally(() => controller.abort());
      this.signal.throwIfAborted();
      return results;
    });
  }

  /**
   * Sends a small request to all endpoints that are not excluded, even if they are in backoff, and waits at
   * most `silenceMs`. Returns the results, and the endpoints that returned none.
   */
  async requestEach<T>(
    request: (endpoint: Endpoint, signal: AbortSignal) => Promise<T>,
  ): Promise<{ results: EndpointResult<T>[]; failures: EndpointFailure[] }> {
    const { silenceMs } = this.limits;
    return withAbort([this.signal], async (controller) => {
      const { signal } = controller;
      const results: EndpointResult<T>[] = [];
      const failures: EndpointFailure[] = [];
      const ask = async (endpoint: Endpoint) => {
        try {
          results.push({ endpoint, result: await this.#requestOne(endpoint, request, signal) });
        } catch (error) {
          const reason = signal.aborted ? new RequestTimeout(silenceMs).message : reasonOf(error);
          failures.push({ endpoint, reason });
        }
      };
      const cancelTimeout = this.clock.after(silenceMs, () => controller.abort());
      const included = this.#endpoints.filter(({ exclusion }) => exclusion === null);
      await Promise.all(included.map(ask)).finally(cancelTimeout);
      this.signal.throwIfAborted();
      return { results, failures: failures.filter(({ endpoint }) => endpoint.exclusion === null) };
    });
  }

  async close(): Promise<void> {
    this.#removeListener();
    this.#end.abort();
    await Promise.all(this.#endpoints.map((endpoint) => endpoint.close()));
  }

  /** Resolves when there is no need to wait any longer for the remaining endpoints. */
  async #waitForOthers(first: Promise<unknown>, signal: AbortSignal): Promise<void> {
    const hasResult = first.then(
      () => true,
      () => false,
    );
    const isSilent = this.clock.sleep(this.limits.silenceMs, signal).then(() => false);
    if (await Promise.race([hasResult, isSilent])) await this.clock.sleep(this.limits.headTimeoutMs, signal);
  }

  async #requestOne<T>(
    endpoint: Endpoint,
    request: (endpoint: Endpoint, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const startedAt = this.clock.monotonic();
    try {
      if (!endpoint.standing().isChecked) await endpoint.check(signal);
      const result = await request(endpoint, signal);
      endpoint.report({ kind: "usable" });
      return result;
    } catch (error) {
      if (error instanceof WrongChain) this.warnings.excluded(endpoint.name, error.message);
      else if (!signal.aborted) {
        endpoint.report({ kind: "unusable", reason: reasonOf(error) });
        if (error instanceof EndpointError) this.warnings.failedRequest(error);
      } else if (!this.signal.aborted)
        endpoint.report({ kind: "timeout", afterMs: Math.round(this.clock.monotonic() - startedAt) });
      throw error;
    }
  }

  /**
   * Runs the request, and reports to the `Endpoint` whether the caller could use the response. After a
   * response that is valid but useless, other endpoints are preferred for a while.
   */
  async #runOn<T>(endpoint: Endpoint, request: (endpoint: Endpoint) => Promise<T>): Promise<T> {
    try {
      const result = await request(endpoint);
      endpoint.report({ kind: "usable" });
      return result;
    } catch (error) {
      if (error instanceof UnsuitableEndpoint) endpoint.report({ kind: "unsuitable", reason: error.message });
      if (error instanceof BaseError && error.retryable)
        endpoint.report({ kind: "unusable", reason: reasonOf(error) });
      throw error;
    }
  }

  async #choose({ signal, block, isEligible = () => true }: RunOptions): Promise<Endpoint> {
    for (;;) {
      const now = this.clock.monotonic();
      const eligible = this.#endpoints.filter(isEligible);
      const candidates = eligible.map((endpoint) => ({ endpoint, ...endpoint.standing() }));
      const best = bestOf(candidates, now, block);
      if (best === undefined) throw new NoneUsable(eligible);
      const { endpoint, retryAt, isChecked } = best;
      if (retryAt > now) await this.clock.sleep(retryAt - now, signal);
      else if (isChecked || (await this.#checks.checkLate(endpoint))) return endpoint;
    }
  }
}

class NoneUsable extends BaseError {
  constructor(endpoints: readonly Endpoint[]) {
    super("bad-config", `no usable RPC endpoint: ${endpoints.map(({ exclusion }) => exclusion).join("; ")}`);
  }
}
