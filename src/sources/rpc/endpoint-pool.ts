import { setMaxListeners } from "node:events";
import type { Chain } from "../../chains/chain.ts";
import { BaseError } from "../../lib/error.ts";
import { Endpoint, EndpointError, type EndpointStatus } from "./endpoint.ts";
import { retrying, sleepUnlessAborted } from "./retry.ts";
import type { RpcLimits } from "./rpc-limits.ts";

/** What the source says along the way; pino's loggers fit. */
export interface SourceLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface PoolOptions {
  urls: string[];
  chain: Chain;
  limits: RpcLimits;
  logger: SourceLogger;
  /** Ends all that nobody else can cancel. */
  signal?: AbortSignal;
}

const CHAIN_ID = /^0x[0-9a-f]{1,13}$/i;

/** Several endpoints of one chain: the best is asked, the others stand in. */
export class EndpointPool {
  readonly limits: RpcLimits;
  /** For calls without a signal of their own: aborts when the whole source is to end. */
  readonly signal: AbortSignal;
  readonly #chain: Chain;
  readonly #logger: SourceLogger;
  readonly #endpoints: Endpoint[];
  readonly #complainedAt = new Map<string, number>();
  #trouble: string | null = null;

  constructor(options: PoolOptions) {
    this.limits = options.limits;
    this.signal = AbortSignal.any(options.signal === undefined ? [] : [options.signal]);
    // Every request and every wait listens to it; none stays longer than it lasts.
    setMaxListeners(0, this.signal);
    this.#chain = options.chain;
    this.#logger = options.logger;
    this.#endpoints = options.urls.map((url) => new Endpoint(url, options.limits));
  }

  status(): EndpointStatus[] {
    return this.#endpoints.map((endpoint) => endpoint.status());
  }

  /** The last failure, while nothing has succeeded since; null otherwise. */
  trouble(): string | null {
    return this.#trouble;
  }

  /**
   * Checks each endpoint's chain id.
   *
   * @throws WrongChain when one serves another chain
   * @throws EndpointError when none can be reached
   */
  async open(): Promise<void> {
    if (this.#endpoints.length === 0) throw new NoEndpoint(this.#chain.name);
    const results = await Promise.allSettled(
      this.#endpoints.map((endpoint) => this.#checkPatiently(endpoint)),
    );
    const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    const wrong = errors.find((error) => error instanceof WrongChain);
    if (wrong !== undefined) throw wrong;
    if (errors.length === this.#endpoints.length) throw new NoneReachable(this.#chain.name, errors);
    for (const error of errors)
      this.#logger.warn({ error: error.message }, "RPC endpoint cannot be reached; going on with the others");
  }

  /**
   * Runs `ask` with the best endpoint until it succeeds, going on after transient failures as long as
   * `goesOn` allows, or without end until the signal aborts.
   */
  async run<T>(
    ask: (endpoint: Endpoint) => Promise<T>,
    signal: AbortSignal,
    goesOn: (failures: number, error: BaseError) => boolean = () => true,
  ): Promise<T> {
    return retrying(async () => this.#judged(await this.#choose(signal), ask), {
      limits: this.limits,
      signal,
      goesOn: (failures, error) => {
        this.#trouble = error.message;
        if (error instanceof EndpointError) this.#complain(error);
        return goesOn(failures, error);
      },
    });
  }

  /** As `run`, a bounded number of times, for a few calls that have no signal of their own. */
  async runBriefly<T>(ask: (endpoint: Endpoint) => Promise<T>): Promise<T> {
    return this.run(ask, this.signal, (failures) => failures < this.limits.maxCallAttempts);
  }

  /** What the other endpoints in good standing answer in time; those that do not are left out. */
  async askOthers<T>(
    asked: Endpoint | undefined,
    ask: (endpoint: Endpoint, signal: AbortSignal) => Promise<T>,
  ): Promise<T[]> {
    const others = this.#endpoints.filter((endpoint) => endpoint !== asked && endpoint.isInGoodStanding);
    const answers = others.map(async (endpoint) => {
      const signal = AbortSignal.any([this.signal, AbortSignal.timeout(this.limits.headTimeoutMs)]);
      return ask(endpoint, signal).catch((error: unknown) => {
        endpoint.distrust();
        throw error;
      });
    });
    const settled = await Promise.allSettled(answers);
    return settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  }

  /** An endpoint whose answer is of no use is left for the others, though the exchange itself went well. */
  async #judged<T>(endpoint: Endpoint, ask: (endpoint: Endpoint) => Promise<T>): Promise<T> {
    try {
      const answer = await ask(endpoint);
      this.#trouble = null;
      return answer;
    } catch (error) {
      if (error instanceof BaseError && error.retryable) endpoint.distrust();
      throw error;
    }
  }

  /** Says that an endpoint's answer for a block does not hold, and prefers others for a while. */
  blame(endpoint: Endpoint, block: number, problem: string): void {
    endpoint.blame();
    this.#logger.warn(
      { endpoint: endpoint.name, block, problem },
      `${endpoint.name}: block ${block} is not as it should be: ${problem}`,
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#endpoints.map((endpoint) => endpoint.close()));
  }

  /** The least loaded endpoint in good standing; when none is, the one whose time is up first. */
  async #choose(signal: AbortSignal): Promise<Endpoint> {
    for (;;) {
      const usable = this.#endpoints.filter((endpoint) => endpoint.refusedFor === null);
      const endpoint = best(usable, Date.now());
      if (endpoint === undefined) throw new NoneUsable(this.#endpoints);
      const waitMs = endpoint.restUntil - Date.now();
      if (waitMs > 0) await sleepUnlessAborted(waitMs, signal);
      else if (endpoint.isChecked || (await this.#isRight(endpoint))) return endpoint;
    }
  }

  /** Checks an endpoint that could not be reached at the start, before its first use. */
  async #isRight(endpoint: Endpoint): Promise<boolean> {
    try {
      await this.#check(endpoint);
      return true;
    } catch (error) {
      if (!(error instanceof WrongChain)) throw error;
      this.#logger.warn({ endpoint: endpoint.name }, error.message);
      return false;
    }
  }

  /** At the start a busy endpoint gets some more chances, one that keeps silent only one. */
  async #checkPatiently(endpoint: Endpoint): Promise<void> {
    await retrying(() => this.#check(endpoint), {
      limits: this.limits,
      signal: this.signal,
      goesOn: (failures, error) => failures < (isSilence(error) ? 2 : this.limits.maxOpenAttempts),
    });
  }

  async #check(endpoint: Endpoint): Promise<void> {
    const { outcomes } = await endpoint.send([{ method: "eth_chainId", params: [] }], this.signal);
    const [outcome] = outcomes;
    if (outcome === undefined || !("result" in outcome)) {
      throw new EndpointError(endpoint.name, `eth_chainId was refused: ${outcome?.refusal.message}`);
    }
    if (typeof outcome.result !== "string" || !CHAIN_ID.test(outcome.result)) {
      throw new EndpointError(endpoint.name, "eth_chainId was answered with something that is no chain id");
    }
    if (Number(outcome.result) !== this.#chain.chainId) {
      const wrong = new WrongChain(endpoint.name, outcome.result, this.#chain);
      endpoint.refusedFor = wrong.message;
      throw wrong;
    }
    endpoint.isChecked = true;
  }

  #complain(error: EndpointError): void {
    const last = this.#complainedAt.get(error.endpoint) ?? 0;
    if (Date.now() - last < this.limits.complaintIntervalMs) return;
    this.#complainedAt.set(error.endpoint, Date.now());
    this.#logger.warn({ endpoint: error.endpoint }, `RPC request failed and is repeated: ${error.message}`);
  }
}

function isSilence(error: BaseError): boolean {
  return error.cause instanceof BaseError && error.cause.code === "timeout";
}

function best(endpoints: Endpoint[], now: number): Endpoint | undefined {
  const rank = (endpoint: Endpoint): [number, number] => {
    const badUntil = Math.max(endpoint.restUntil, endpoint.avoidUntil);
    return [badUntil > now ? badUntil : 0, endpoint.load];
  };
  return endpoints
    .map((endpoint) => ({ endpoint, rank: rank(endpoint) }))
    .sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1])[0]?.endpoint;
}

/** An endpoint of another chain: its data would be wrong everywhere, so it is refused. */
export class WrongChain extends BaseError {
  constructor(endpoint: string, chainId: unknown, chain: Chain) {
    super(
      "bad-config",
      `${endpoint} serves chain id ${Number(chainId)}, but chain "${chain.name}" has chain id ${chain.chainId}: ` +
        "give an RPC URL of that chain, or choose another chain",
    );
  }
}

class NoEndpoint extends BaseError {
  constructor(chain: string) {
    super("bad-config", `there is no RPC URL for chain "${chain}": give at least one`);
  }
}

class NoneUsable extends BaseError {
  constructor(endpoints: readonly Endpoint[]) {
    super(
      "bad-config",
      `no RPC endpoint is of use: ${endpoints.map((endpoint) => endpoint.refusedFor).join("; ")}`,
    );
  }
}

class NoneReachable extends BaseError {
  constructor(chain: string, errors: readonly unknown[]) {
    const reasons = errors.map((error) => (error instanceof Error ? error.message : String(error)));
    super("endpoint", `no RPC endpoint of chain "${chain}" can be reached: ${reasons.join("; ")}`, {
      retryable: true,
      cause: errors[0],
    });
  }
}
