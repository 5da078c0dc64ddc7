import { BaseError } from "../../lib/error.ts";
import type { Log } from "../../schema/block.ts";
import type { LogFilter } from "../../schema/log-filter.ts";
import { CHAIN_ID_CALL } from "../endpoints/chain-id.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { EndpointError } from "../endpoints/endpoint-error.ts";
import type { EndpointPool } from "../endpoints/endpoint-pool.ts";
import type { SourceLogger } from "../endpoints/warnings.ts";
import { isTimeout, requestLogs } from "./log-request.ts";
import { type FoundLogs, LogSearches } from "./log-searches.ts";

/**
 * After a whole-range request with an incomplete result, no further whole-range request is made for this many
 * times its duration, because indexing waits for such requests.
 */
const PAUSE_FACTOR = 20;

/**
 * Finds logs of blocks that are not indexed. They cannot be checked against a block, so they are useful only
 * if their own content proves them. If an endpoint refuses the whole range, searches it in parts, in the
 * background. Some endpoints refuse even the parts or have no old logs, so nothing may depend on a result.
 */
export class PastLogs {
  readonly #pool: EndpointPool;
  readonly #searches: LogSearches;
  /**
   * Endpoints that refused a whole range, or took too long for it. They get no further whole-range requests.
   */
  readonly #refusing = new Set<Endpoint>();
  #retryAt = 0;

  constructor(pool: EndpointPool, logger: SourceLogger) {
    this.#pool = pool;
    this.#searches = new LogSearches(pool, logger);
  }

  /**
   * Returns the logs that the endpoints return for the whole range, merged with the logs that the search has
   * found so far; null if there are none. Makes no request for ids that are being searched or were recently
   * not found.
   *
   * @throws an "endpoint" error if no endpoint responds, not even to a smaller request, because that does not
   * mean that there are no logs
   */
  async find(filter: LogFilter): Promise<Log[] | null> {
    const logs = this.#searches.found(filter);
    const ids = this.#searches.unsearched(filter);
    const isPaused = this.#pool.clock.monotonic() < this.#retryAt;
    if (ids.length > 0 && !isPaused) await this.#request({ ...filter, ids }, logs);
    return logs.size === 0 ? null : [...logs.values()];
  }

  /** Requests the whole range from one endpoint after another. Starts a search for the ids that remain. */
  async #request(filter: LogFilter, logs: FoundLogs): Promise<void> {
    const { clock } = this.#pool;
    const startedAt = clock.monotonic();
    const failures = await this.#requestWhole(filter, logs);
    const missing = filter.ids.filter((id) => !logs.has(id));
    if (missing.length === 0) return;
    const mayBeSearched = this.#searches.start({ ...filter, ids: missing }, this.#refusing, failures);
    if (!mayBeSearched) this.#retryAt = clock.monotonic() + PAUSE_FACTOR * (clock.monotonic() - startedAt);
  }

  /**
   * Requests the whole range, and adds the logs that are found to `logs`.
   *
   * @returns the reasons why results were incomplete
   */
  async #requestWhole(filter: LogFilter, logs: FoundLogs): Promise<string[]> {
    const { signal, limits, clock } = this.#pool;
    const startedAt = clock.monotonic();
    const shouldRetry = (failures: number) =>
      failures < limits.maxCallAttempts && clock.monotonic() - startedAt < limits.requestTimeoutMs;
    const tried = new Set<Endpoint>(this.#refusing);
    const failures: string[] = [];
    const slow: Endpoint[] = [];
    let hasResponse = false;
    const request = async (endpoint: Endpoint) => {
      tried.add(endpoint);
      if (this.#refusing.has(endpoint)) return new EndpointError(endpoint.name, "refused this range before");
      const found = await requestLogs(endpoint, filter, signal).catch((error: unknown) => {
        if (isTimeout(error)) slow.push(endpoint);
        throw error;
      });
      hasResponse = true;
      if ("refusal" in found) {
        if (found.refusal.kind !== "method") this.#refusing.add(endpoint);
        return new EndpointError(endpoint.name, `"${found.refusal.message}"`);
      }
      for (const [id, log] of found) if (filter.ids.includes(id)) logs.set(id, log);
      return shortfall(found.size, filter, endpoint);
    };
    const isUntried = (endpoint: Endpoint) => !tried.has(endpoint);
    if (!this.#pool.checked().some(isUntried)) return failures;
    for (let result = this.#pool.run(request, { signal, shouldRetry }); ; ) {
      const failure = await failureOf(result, signal);
      if (failure === null) return failures;
      failures.push(failure);
      const next = this.#pool.available().find(isUntried);
      if (next === undefined) break;
      result = request(next);
    }
    if (!hasResponse) await this.#pool.runBriefly((endpoint) => endpoint.send([CHAIN_ID_CALL], signal));
    for (const endpoint of slow) this.#refusing.add(endpoint);
    return failures;
  }
}

/**
 * Returns an error if there are fewer logs than ids; null otherwise. Endpoints that delete old logs do not
 * report an error.
 */
function shortfall(count: number, { ids }: LogFilter, { name }: Endpoint): EndpointError | null {
  if (count >= ids.length) return null;
  return new EndpointError(name, `eth_getLogs returned ${count} of ${ids.length} logs`);
}

/** Returns why a result is incomplete; null if it is complete. */
async function failureOf(result: Promise<EndpointError | null>, signal: AbortSignal): Promise<string | null> {
  try {
    return (await result)?.message ?? null;
  } catch (error) {
    if (signal.aborted || !(error instanceof BaseError)) throw error;
    return error.message;
  }
}
