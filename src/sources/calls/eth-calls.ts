import { retryDelayMs } from "../../lib/async/retry-delay.ts";
import { BaseError } from "../../lib/error.ts";
import { type Hex, isHex } from "../../lib/hex.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { EndpointError, reasonOf } from "../endpoints/endpoint-error.ts";
import type { EndpointPool } from "../endpoints/endpoint-pool.ts";
import { requestCheck } from "../endpoints/request-check.ts";
import type { SourceLogger } from "../endpoints/warnings.ts";
import type { RpcResponses } from "../rpc/http-client.ts";
import type { RpcCall, RpcOutcome, RpcRefusal } from "../rpc/json-rpc.ts";
import { type BlockParameter, BlockParameters, callRequest, probeRequest } from "./block-parameter.ts";
import type { CallState } from "./call-state.ts";
import { inHalves } from "./in-halves.ts";

/**
 * Minimum number of refusals before a call counts as failed. With the waits in between, they take about a
 * second. Longer waits would slow indexing down, because anyone can deploy contracts whose calls are refused,
 * even one in every block.
 */
const MIN_REFUSALS = 3;

/**
 * Maximum number of attempts. Without it, an endpoint that responds to every call except this one would keep
 * the call from counting as failed.
 */
const MAX_ATTEMPTS = 2 * MIN_REFUSALS;

/** Maximum number of logged contracts to remember. A contract is logged only once while it is remembered. */
const MAX_LOGGED = 10_000;

interface Target extends Pick<ContractCall, "to" | "data"> {
  /** Maximum gas; default: all that the endpoint allows. */
  gas?: number;
}

type Send = (endpoint: Endpoint, requests: readonly RpcCall[]) => Promise<RpcResponses>;

/** The refusal of a call by an endpoint that can make other calls. */
interface Refused {
  by: Endpoint;
  refusal: RpcRefusal;
}

/** The result of one call; null if it reverts. */
type Result = Hex | null | Refused;

/**
 * Sends `eth_call` requests, and decides whether a refused call counts as failed, which makes its result
 * null.
 *
 * A contract can make nodes refuse its calls: it returns more than they allow, runs until their timeout, or
 * ends with an EVM error. Each kind of node has its own messages; Besu's is only "Internal error". If such a
 * call were repeated until it succeeds, one contract would stop indexing. But an endpoint in trouble refuses
 * calls with the same messages, and a null is stored as the metadata of the contract. Therefore a refusal
 * whose message does not mention an EVM failure counts only if
 *
 * - the call was the only one in its request, because the refusal of a batch may be about the batch;
 * - the endpoint made another call in the same state right after it.
 *
 * The call counts as failed only if
 *
 * - it was refused at least `MIN_REFUSALS` times, and no attempt had a result;
 * - every responding endpoint that may have the state refused it, or `MAX_ATTEMPTS` attempts were made.
 */
export class EthCalls {
  readonly #pool: EndpointPool;
  readonly #logger: SourceLogger;
  readonly #blocks: BlockParameters;
  readonly #logged = new Set<Hex>();

  constructor(pool: EndpointPool, logger: SourceLogger) {
    this.#pool = pool;
    this.#logger = logger;
    this.#blocks = new BlockParameters(logger);
  }

  /**
   * Makes a multicall. Returns `failed` if it fails in the EVM, for example because it uses up its gas, and
   * `unknown` if it is refused or gets no response although the endpoint responds to other requests. Its calls
   * may be the reason for each of these.
   */
  async together(state: CallState, call: Target): Promise<Hex | "failed" | "unknown"> {
    const results = await this.#attempt(state, [call], () => new CallsDropped()).catch(nullIfDropped);
    const [result] = results ?? [];
    if (result === null) return "failed";
    return result === undefined || isRefused(result) ? "unknown" : result;
  }

  /**
   * Makes the calls in one batch, then repeats each refused call on its own. If a batch gets no response
   * although the endpoint responds to other requests, sends it again in halves.
   */
  async each(state: CallState, calls: readonly Target[]): Promise<(Hex | null)[]> {
    const dropped = (by: Endpoint, error: unknown) => {
      const [only, ...others] = calls;
      return only === undefined || others.length > 0 ? new CallsDropped() : new CallDropped(by, only, error);
    };
    const results = await this.#attempt(state, calls, dropped).catch(nullIfDropped);
    if (results === null) return inHalves(calls, (half) => this.each(state, half));
    return Promise.all(
      calls.map((call, i) => {
        const result = results[i] ?? null;
        return isRefused(result) ? this.#again(state, call, result, calls.length === 1) : result;
      }),
    );
  }

  /**
   * Repeats a refused call on its own. Returns null if it counts as failed.
   *
   * @param isCounted whether the first refusal counts
   * @throws CallRefused if there are too few refusals that count
   */
  async #again(state: CallState, call: Target, first: Refused, isCounted: boolean): Promise<Hex | null> {
    const { limits, clock, signal } = this.#pool;
    const refusals = isCounted ? [first] : [];
    let hasResponse = true;
    for (let attempts = 1; attempts < MAX_ATTEMPTS; attempts++) {
      const others = this.#withoutRefusal(state, refusals);
      if (refusals.length >= MIN_REFUSALS && others.length === 0) break;
      await clock.sleep(retryDelayMs(attempts, limits.minRetryDelayMs, limits.maxRetryDelayMs), signal);
      // If the last attempt got no response, the next one may use any endpoint.
      const result = await this.#attemptOnce(state, call, hasResponse ? others : []);
      if (isRefused(result)) refusals.push(result);
      else if (result !== undefined) return result;
      hasResponse = result !== undefined;
    }
    if (refusals.length < MIN_REFUSALS) throw new CallRefused(first);
    this.#logFailed(call, first);
    return null;
  }

  /** Returns the endpoints that may have the state, are not down and have not refused the call. */
  #withoutRefusal(state: CallState, refusals: readonly Refused[]): Endpoint[] {
    const isDue = (endpoint: Endpoint) =>
      state.isEligible(endpoint) && endpoint.outage() === null && refusals.every(({ by }) => by !== endpoint);
    return this.#pool.checked().filter(isDue);
  }

  #logFailed({ to }: Target, { by, refusal: { message, code } }: Refused): void {
    if (this.#logged.has(to)) return;
    if (this.#logged.size === MAX_LOGGED) this.#logged.clear();
    this.#logged.add(to);
    this.#logger.warn(
      { contract: to, endpoint: by.name, reason: message, code },
      `contract ${to}: all endpoints refuse a call, so it counts as failed: "${message}"`,
    );
  }

  /** @param dropped makes the error of a request that fails although the endpoint responds to others */
  #attempt(
    state: CallState,
    calls: readonly Target[],
    dropped: (by: Endpoint, error: unknown) => BaseError,
  ): Promise<Result[]> {
    const { signal } = this.#pool;
    const isCausedByRequest = requestCheck(signal);
    const send: Send = (endpoint, requests) =>
      endpoint.send(requests, signal).catch(async (error: unknown) => {
        throw (await isCausedByRequest(error, endpoint)) ? dropped(endpoint, error) : error;
      });
    return this.#pool.runBriefly((endpoint) => this.#send(endpoint, state, calls, send), state);
  }

  /**
   * Makes one attempt, at one of the `preferred` endpoints if there are any. Returns undefined if the attempt
   * fails.
   */
  async #attemptOnce(
    state: CallState,
    call: Target,
    preferred: readonly Endpoint[],
  ): Promise<Result | undefined> {
    const { signal } = this.#pool;
    const isPreferred = (endpoint: Endpoint) => preferred.includes(endpoint);
    const isEligible = preferred.length === 0 ? state.isEligible : isPreferred;
    const options = { signal, isEligible, shouldRetry: () => false };
    try {
      const send: Send = (endpoint, requests) => endpoint.send(requests, signal);
      const [result] = await this.#pool.run((endpoint) => this.#send(endpoint, state, [call], send), options);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof BaseError && error.retryable) return undefined;
      throw error;
    }
  }

  /**
   * @throws CallRefused if the endpoint refused a call for a reason that has nothing to do with the call, or
   * cannot make calls
   */
  async #send(endpoint: Endpoint, state: CallState, calls: readonly Target[], send: Send): Promise<Result[]> {
    const { signal } = this.#pool;
    const block = await this.#blocks.parameterFor(endpoint, state, signal);
    const requests = calls.map(({ to, data, gas }) => callRequest(to, data, block, gas));
    const { outcomes } = await send(endpoint, requests);
    state.judge(endpoint, outcomes);
    await this.#blocks.checkAfter(endpoint, state, { block, outcomes, signal });
    const results = outcomes.map((outcome) => resultOf(outcome, endpoint));
    const refused = results.find(isRefused);
    if (refused !== undefined) await this.#requireAble(refused, state, block);
    return results;
  }

  /** Checks that the endpoint that refused a call can execute another call in the same state. */
  async #requireAble(refused: Refused, state: CallState, block: BlockParameter): Promise<void> {
    const { outcomes } = await refused.by.send([probeRequest(block)], this.#pool.signal);
    state.judge(refused.by, outcomes);
    if (outcomes.some((outcome) => "refusal" in outcome)) throw new CallRefused(refused);
  }
}

function resultOf(outcome: RpcOutcome, by: Endpoint): Result {
  if ("refusal" in outcome) {
    const { refusal } = outcome;
    if (refusal.kind === "revert") return null;
    if (refusal.kind === "size" || refusal.kind === "other") return { by, refusal };
    throw new CallRefused({ by, refusal });
  }
  const data = typeof outcome.result === "string" ? outcome.result.toLowerCase() : "";
  if (!isHex(data)) throw new EndpointError(by.name, "eth_call returned something that is not hex");
  return data;
}

function isRefused(result: Result | undefined): result is Refused {
  return typeof result === "object" && result !== null;
}

/** An endpoint refused a call, and the call may not be the reason. */
export class CallRefused extends EndpointError {
  readonly by: Endpoint;

  constructor({ by, refusal: { message, code } }: Refused) {
    super(by.name, `eth_call was refused: "${message}" (${code})`);
    this.by = by;
  }
}

/** Several calls in one request got no response. Not retryable: they are sent in halves instead. */
class CallsDropped extends BaseError {
  constructor() {
    super(
      "endpoint",
      "several calls in one request got no response, although the endpoint responds to other requests",
    );
  }
}

/** A single call got no response, which says nothing about its result. */
class CallDropped extends EndpointError {
  constructor({ name }: Endpoint, { to }: Target, cause: unknown) {
    super(
      name,
      `contract ${to}: ${reasonOf(cause)}, although the endpoint responds to other requests`,
      cause,
    );
  }
}

function nullIfDropped(error: unknown): null {
  if (error instanceof CallsDropped) return null;
  throw error;
}
