import { setMaxListeners } from "node:events";
import type { Chain } from "../../chains/chain.ts";
import { BaseError } from "../../lib/error.ts";
import type { RpcLimits } from "../rpc/limits.ts";
import { retrying, sleepUnlessAborted, stoppable } from "../rpc/retry.ts";
import type { EndpointUrl } from "../rpc/url.ts";
import { CHAIN_ID_CALL, requireChain, WrongChain } from "./chain-id.ts";
import { Endpoint, EndpointError, type EndpointStatus } from "./endpoint.ts";

/** What the source says along the way; pino's loggers fit. */
export interface SourceLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface PoolOptions {
  urls: EndpointUrl[];
  chain: Chain;
  limits: RpcLimits;
  logger: SourceLogger;
  /** Ends all that nobody else can cancel. */
  signal?: AbortSignal;
}

interface RunOptions {
  signal: AbortSignal;
  /** Newest block that is needed: those that have not shown it are asked last. */
  block?: number;
  /** Whether to go on after so many failures; without end if not given. */
  goesOn?: (failures: number, error: BaseError) => boolean;
}

/** What an endpoint answered. */
export interface Answered<T> {
  endpoint: Endpoint;
  answer: T;
}

/** How often it is looked whether all endpoints are gone; those that are, are asked ever more seldom. */
const WATCH_INTERVAL_MS = 2_000;

/** Several endpoints of one chain: the best is asked, the others stand in. */
export class EndpointPool {
  readonly limits: RpcLimits;
  /** For calls without a signal of their own: aborts when the whole source is to end. */
  readonly signal: AbortSignal;
  readonly #chain: Chain;
  readonly #logger: SourceLogger;
  readonly #endpoints: Endpoint[];
  readonly #complainedAt = new Map<string, number>();
  readonly #end = new AbortController();
  readonly #timers: NodeJS.Timeout[];
  #watchEveryMs = WATCH_INTERVAL_MS;
  #watchAgainAt = 0;

  constructor(options: PoolOptions) {
    this.limits = options.limits;
    const outer = options.signal === undefined ? [] : [options.signal];
    this.signal = AbortSignal.any([this.#end.signal, ...outer]);
    // Every request and every wait listens to it; none stays longer than it lasts.
    setMaxListeners(0, this.signal);
    this.#chain = options.chain;
    this.#logger = options.logger;
    this.#endpoints = options.urls.map((url) => new Endpoint(url, options.limits));
    this.#timers = [
      setInterval(() => this.#watch(), WATCH_INTERVAL_MS).unref(),
      setInterval(() => this.#summarize(), options.limits.summaryIntervalMs).unref(),
    ];
  }

  status(): EndpointStatus[] {
    return this.#endpoints.map((endpoint) => endpoint.status());
  }

  /** Those whose chain was checked and is right. */
  checked(): Endpoint[] {
    return this.#endpoints.filter((endpoint) => endpoint.isChecked && endpoint.refusedFor === null);
  }

  /** Those that may be believed at present. */
  inGoodStanding(): Endpoint[] {
    return this.#endpoints.filter((endpoint) => endpoint.isInGoodStanding);
  }

  /** Why no endpoint can be used, naming each; null as long as one can. */
  outage(): string | null {
    const reasons = this.#endpoints.map((endpoint) => [endpoint.name, endpoint.outage()] as const);
    if (reasons.some(([, reason]) => reason === null)) return null;
    return reasons.map(([name, reason]) => `${name}: ${reason}`).join("; ");
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
  async run<T>(ask: (endpoint: Endpoint) => Promise<T>, options: RunOptions): Promise<T> {
    const { signal, block, goesOn = () => true } = options;
    return retrying(async () => this.#judged(await this.#choose(signal, block), ask), {
      limits: this.limits,
      signal,
      goesOn: (failures, error) => {
        if (error instanceof EndpointError) this.#complain(error);
        return goesOn(failures, error);
      },
    });
  }

  /** As `run`, a bounded number of times, for a few calls that have no signal of their own. */
  async runBriefly<T>(ask: (endpoint: Endpoint) => Promise<T>, block?: number): Promise<T> {
    const goesOn = (failures: number) => failures < this.limits.maxCallAttempts;
    return this.run(ask, { signal: this.signal, goesOn, ...(block === undefined ? {} : { block }) });
  }

  /**
   * What all endpoints that are not left alone answer to a small question. Once one has answered, the others are
   * waited for no longer than `headTimeoutMs`; while none has, no longer than `silenceMs`.
   */
  async askAll<T>(ask: (endpoint: Endpoint, signal: AbortSignal) => Promise<T>): Promise<Answered<T>[]> {
    return stoppable([this.signal], async (cut) => {
      const answers: Answered<T>[] = [];
      const present = this.#endpoints.filter(
        ({ refusedFor, isLeftAlone }) => refusedFor === null && !isLeftAlone,
      );
      const asked = present.map(async (endpoint) => {
        answers.push({ endpoint, answer: await this.#askBeside(endpoint, ask, cut.signal) });
      });
      const all = Promise.allSettled(asked);
      const rivals = asked.length > 1 ? [patience(Promise.any(asked), this.limits, cut.signal)] : [];
      await Promise.race([all, ...rivals]).finally(() => cut.abort());
      this.signal.throwIfAborted();
      return answers;
    });
  }

  async #askBeside<T>(
    endpoint: Endpoint,
    ask: (endpoint: Endpoint, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const startedAt = Date.now();
    try {
      if (!endpoint.isChecked) await this.#check(endpoint, signal);
      const answer = await ask(endpoint, signal);
      endpoint.record.succeeded();
      return answer;
    } catch (error) {
      if (error instanceof WrongChain) this.#dismiss(endpoint, error);
      else if (!signal.aborted) this.#lament(endpoint, error);
      else if (!this.signal.aborted) endpoint.neglect(Date.now() - startedAt);
      throw error;
    }
  }

  /** An endpoint whose answer is of no use is left for the others, though the exchange itself went well. */
  async #judged<T>(endpoint: Endpoint, ask: (endpoint: Endpoint) => Promise<T>): Promise<T> {
    try {
      const answer = await ask(endpoint);
      endpoint.record.succeeded();
      return answer;
    } catch (error) {
      if (error instanceof BaseError && error.retryable) endpoint.distrust(messageOf(error));
      throw error;
    }
  }

  /** Says that an endpoint's answer for a block does not hold, and prefers others for a while. */
  blame(endpoint: Endpoint, block: number, problem: string): void {
    endpoint.blame();
    this.#accuse(endpoint, block, problem);
  }

  /** Says that an endpoint lacks a block that it has shown, and prefers others for a while. */
  miss(endpoint: Endpoint, block: number, problem: string): void {
    endpoint.miss();
    this.#accuse(endpoint, block, problem);
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    this.#end.abort();
    await Promise.all(this.#endpoints.map((endpoint) => endpoint.close()));
  }

  /** The least loaded endpoint in good standing; when none is, the one whose time is up first. */
  async #choose(signal: AbortSignal, block: number | undefined): Promise<Endpoint> {
    for (;;) {
      const usable = this.#endpoints.filter((endpoint) => endpoint.refusedFor === null);
      const endpoint = best(usable, Date.now(), block);
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
      if (!(error instanceof WrongChain)) {
        endpoint.distrust(messageOf(error));
        throw error;
      }
      this.#dismiss(endpoint, error);
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

  async #check(endpoint: Endpoint, signal = this.signal): Promise<void> {
    const { outcomes } = await endpoint.send([CHAIN_ID_CALL], signal);
    try {
      requireChain(endpoint.name, outcomes[0], this.#chain);
    } catch (error) {
      if (error instanceof WrongChain) endpoint.refusedFor = error.message;
      throw error;
    }
    endpoint.isChecked = true;
    endpoint.record.succeeded();
  }

  /**
   * Where an endpoint is gone and none has answered lately, all are asked a small question: those that nobody
   * asks may be gone, too, and one that is back is known at once.
   */
  #watch(): void {
    const { silenceMs, maxRetryDelayMs } = this.limits;
    const isWell =
      this.#endpoints.some(({ record }) => record.hasAnsweredWithin(silenceMs)) ||
      this.#endpoints.every((endpoint) => endpoint.outage() === null);
    if (isWell) this.#watchEveryMs = WATCH_INTERVAL_MS;
    if (isWell || Date.now() < this.#watchAgainAt) return;
    this.#watchAgainAt = Date.now() + this.#watchEveryMs;
    this.#watchEveryMs = Math.min(maxRetryDelayMs, this.#watchEveryMs * 2);
    for (const endpoint of this.#endpoints) {
      if (endpoint.refusedFor === null && endpoint.restUntil <= Date.now()) void this.#callOn(endpoint);
    }
  }

  async #callOn(endpoint: Endpoint): Promise<void> {
    try {
      await endpoint.within(this.limits.silenceMs, this.signal, (signal) => this.#check(endpoint, signal));
    } catch (error) {
      if (error instanceof WrongChain) this.#dismiss(endpoint, error);
      else if (!this.signal.aborted) endpoint.distrust(messageOf(error));
    }
  }

  #summarize(): void {
    for (const endpoint of this.#endpoints) {
      const summary = endpoint.record.summary();
      if (summary === null) continue;
      this.#logger.info(
        { endpoint: endpoint.name, ...endpoint.record.counts },
        `${endpoint.name}: ${summary}`,
      );
    }
  }

  #accuse(endpoint: Endpoint, block: number, problem: string): void {
    if (!this.#mayComplain(`${endpoint.name} (blocks)`)) return;
    this.#logger.warn(
      { endpoint: endpoint.name, block, problem },
      `${endpoint.name}: block ${block} is not as it should be: ${problem}`,
    );
  }

  #complain(error: EndpointError): void {
    if (!this.#mayComplain(error.endpoint)) return;
    this.#logger.warn({ endpoint: error.endpoint }, `RPC request failed and is repeated: ${error.message}`);
  }

  #dismiss(endpoint: Endpoint, error: WrongChain): void {
    this.#logger.warn({ endpoint: endpoint.name }, error.message);
  }

  #lament(endpoint: Endpoint, error: unknown): void {
    endpoint.distrust(messageOf(error));
    if (error instanceof EndpointError) this.#complain(error);
  }

  #mayComplain(about: string): boolean {
    const last = this.#complainedAt.get(about) ?? 0;
    if (Date.now() - last < this.limits.complaintIntervalMs) return false;
    this.#complainedAt.set(about, Date.now());
    return true;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof EndpointError) return error.reason;
  return error instanceof Error ? error.message : String(error);
}

/** Resolves when those that have not answered are not to be waited for any more. */
async function patience(first: Promise<unknown>, limits: RpcLimits, signal: AbortSignal): Promise<void> {
  const isAnswered = first.then(
    () => true,
    () => false,
  );
  const isSilent = sleepUnlessAborted(limits.silenceMs, signal).then(() => false);
  if (await Promise.race([isAnswered, isSilent])) await sleepUnlessAborted(limits.headTimeoutMs, signal);
}

function isSilence(error: BaseError): boolean {
  return error.cause instanceof BaseError && error.cause.code === "timeout";
}

function best(endpoints: Endpoint[], now: number, block: number | undefined): Endpoint | undefined {
  const rank = (endpoint: Endpoint): [number, number, number] => {
    const badUntil = Math.max(endpoint.restUntil, endpoint.avoidUntil);
    const isBehind = block !== undefined && endpoint.newest !== null && endpoint.newest < block;
    return [badUntil > now ? badUntil : 0, isBehind ? 1 : 0, endpoint.load];
  };
  return endpoints
    .map((endpoint) => ({ endpoint, rank: rank(endpoint) }))
    .sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2])[0]?.endpoint;
}

class NoEndpoint extends BaseError {
  constructor(chain: string) {
    super("bad-config", `there is no RPC URL for chain "${chain}": give at least one with --rpc`);
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
    super(
      "endpoint",
      `no RPC endpoint of chain "${chain}" can be reached: ${reasons.join("; ")}. Check the URL and its key, or give ` +
        "another with --rpc; `quarry doctor --rpc <url>` tells what an endpoint lacks.",
      { retryable: true, cause: errors[0] },
    );
  }
}
