import { BaseError } from "../../lib/error.ts";
import type { Log } from "../../schema/block.ts";
import type { LogFilter } from "../../schema/log-filter.ts";
import { CHAIN_ID_CALL } from "../endpoints/chain-id.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { EndpointError } from "../endpoints/endpoint-error.ts";
import type { EndpointPool } from "../endpoints/endpoint-pool.ts";
import type { SourceLogger } from "../endpoints/warnings.ts";
import { FieldReader, RpcFormatError } from "../rpc/field-reader.ts";
import { parseLog } from "../wire/parse.ts";

/**
 * After an incomplete result, requests pause for this many times its duration, because indexing waits for
 * them.
 */
const PAUSE_FACTOR = 20;

/**
 * Logs of blocks that are not indexed. No block verifies them, so they are useful only if they verify
 * themselves. Many endpoints refuse such long ranges, so nothing may depend on a result.
 */
export class PastLogs {
  readonly #pool: EndpointPool;
  readonly #logger: SourceLogger;
  #hasWarned = false;
  #retryAt = 0;

  constructor(pool: EndpointPool, logger: SourceLogger) {
    this.#pool = pool;
    this.#logger = logger;
  }

  /**
   * The logs of one endpoint after another, merged, until one returns as many as there must be. Null when all
   * refuse or fail. Incomplete results are logged once.
   *
   * @throws an "endpoint" error when the endpoints respond to no other request either, which proves nothing
   *   about
   *   their logs
   */
  async find(filter: LogFilter): Promise<Log[] | null> {
    const { signal, limits, clock } = this.#pool;
    const startedAt = clock.now();
    if (startedAt < this.#retryAt) return null;
    const shouldRetry = (failures: number) =>
      failures < limits.maxCallAttempts && clock.now() - startedAt < limits.requestTimeoutMs;
    const tried = new Set<Endpoint>();
    const failures: string[] = [];
    let logs: Log[] | null = null;
    const request = async (endpoint: Endpoint) => {
      tried.add(endpoint);
      const found = await this.#request(endpoint, filter);
      if (found instanceof EndpointError) return found;
      logs = [...(logs ?? []), ...found];
      return shortfall(found, filter, endpoint);
    };
    for (let result = this.#pool.run(request, { signal, shouldRetry }); ; ) {
      const failure = await failureOf(result, signal);
      if (failure === null) return logs;
      failures.push(failure);
      const next = this.#pool.available().find((endpoint) => !tried.has(endpoint));
      if (next === undefined) break;
      result = request(next);
    }
    if (logs === null) await this.#pool.runBriefly((endpoint) => endpoint.send([CHAIN_ID_CALL], signal));
    this.#retryAt = clock.now() + PAUSE_FACTOR * (clock.now() - startedAt);
    this.#warn(failures);
    return logs;
  }

  /** Returns a refusal instead of throwing it: the endpoint is fine for everything else. */
  async #request(
    endpoint: Endpoint,
    { address, topics, from, to }: LogFilter,
  ): Promise<Log[] | EndpointError> {
    const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
    const call = { method: "eth_getLogs", params: [{ address, topics, ...range }] };
    const { outcomes } = await endpoint.send([call], this.#pool.signal);
    const [outcome] = outcomes;
    if (outcome === undefined || "refusal" in outcome)
      return new EndpointError(endpoint.name, `"${outcome?.refusal.message ?? "no response"}"`);
    if (!Array.isArray(outcome.result)) throw new RpcFormatError("eth_getLogs: expected a list");
    return outcome.result.map((log, i) => parseLog(new FieldReader(log, `eth_getLogs, log ${i}`)));
  }

  #warn(failures: string[]): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#logger.warn(
      { failures },
      "no endpoint returns all logs from before the first indexed block: swaps in older Uniswap V4 pools are left out",
    );
  }
}

/** Endpoints that delete old logs return too few, without an error. */
function shortfall(logs: readonly Log[], { atLeast }: LogFilter, { name }: Endpoint): EndpointError | null {
  if (logs.length >= atLeast) return null;
  return new EndpointError(name, `eth_getLogs: ${logs.length} logs instead of ${atLeast}`);
}

/** Why a result is incomplete; null when it is complete. */
async function failureOf(result: Promise<EndpointError | null>, signal: AbortSignal): Promise<string | null> {
  try {
    return (await result)?.message ?? null;
  } catch (error) {
    if (signal.aborted || !(error instanceof BaseError)) throw error;
    return error.message;
  }
}
