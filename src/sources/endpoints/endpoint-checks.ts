import type { Chain } from "../../chains/chain.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { BaseError, messageOf } from "../../lib/error.ts";
import type { RpcLimits } from "../rpc/limits.ts";
import { retrying } from "../rpc/retry.ts";
import { WrongChain } from "./chain-id.ts";
import type { Endpoint } from "./endpoint.ts";
import { reasonOf } from "./endpoint-error.ts";
import type { EndpointWarnings, SourceLogger } from "./warnings.ts";

export interface ChecksOptions {
  chain: Chain;
  limits: RpcLimits;
  logger: SourceLogger;
  warnings: EndpointWarnings;
  clock: Clock;
  signal: AbortSignal;
}

/** Checks that endpoints respond and serve the right chain. */
export class EndpointChecks {
  readonly #options: ChecksOptions;

  constructor(options: ChecksOptions) {
    this.#options = options;
  }

  /**
   * Checks every endpoint once, at startup.
   *
   * @throws WrongChain if an endpoint serves another chain
   * @throws NoneReachable if none responds
   */
  async open(endpoints: readonly Endpoint[]): Promise<void> {
    const { chain, logger } = this.#options;
    if (endpoints.length === 0) throw new NoEndpoint(chain.name);
    const results = await Promise.allSettled(endpoints.map((endpoint) => this.#openOne(endpoint)));
    const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    const wrong = errors.find((error) => error instanceof WrongChain);
    if (wrong !== undefined) throw wrong;
    if (errors.length === endpoints.length) throw new NoneReachable(chain.name, errors);
    for (const { message } of errors)
      logger.warn({ error: message }, "RPC endpoint cannot be reached; continuing with the others");
  }

  /**
   * Checks, before its first use, an endpoint that could not be reached at startup. Returns false if it
   * serves another chain and is therefore excluded.
   *
   * @throws EndpointError
   */
  async checkLate(endpoint: Endpoint): Promise<boolean> {
    try {
      await endpoint.check(this.#options.signal);
      return true;
    } catch (error) {
      this.#reportFailure(endpoint, error);
      if (error instanceof WrongChain) return false;
      throw error;
    }
  }

  /** Checks an endpoint that may have gone down or come back. Never rejects. */
  async probe(endpoint: Endpoint): Promise<void> {
    const { limits, signal } = this.#options;
    try {
      await endpoint.withTimeout(limits.silenceMs, signal, (stop) => endpoint.check(stop));
    } catch (error) {
      this.#reportFailure(endpoint, error);
    }
  }

  /**
   * Checks an endpoint at startup. An endpoint that fails at once gets more attempts than one that does not
   * respond in time.
   */
  async #openOne(endpoint: Endpoint): Promise<void> {
    const { limits, clock, signal } = this.#options;
    await retrying(() => endpoint.check(signal), {
      limits,
      clock,
      signal,
      shouldRetry: (failures, error) => failures < (isTimeout(error) ? 2 : limits.maxOpenAttempts),
    });
  }

  #reportFailure(endpoint: Endpoint, error: unknown): void {
    const { warnings, signal } = this.#options;
    if (error instanceof WrongChain) warnings.excluded(endpoint.name, error.message);
    else if (!signal.aborted) endpoint.report({ kind: "unusable", reason: reasonOf(error) });
  }
}

function isTimeout(error: BaseError): boolean {
  return error.cause instanceof BaseError && error.cause.code === "timeout";
}

class NoEndpoint extends BaseError {
  constructor(chain: string) {
    super("bad-config", `there is no RPC URL for chain "${chain}": give at least one with --rpc`);
  }
}

class NoneReachable extends BaseError {
  constructor(chain: string, errors: readonly unknown[]) {
    const reasons = errors.map(messageOf);
    super(
      "endpoint",
      `no RPC endpoint of chain "${chain}" can be reached: ${reasons.join("; ")}. Check the URL and its key, or give ` +
        "another with --rpc; `quarry doctor --rpc <url>` reports what an endpoint lacks.",
      { retryable: true, cause: errors[0] },
    );
  }
}
