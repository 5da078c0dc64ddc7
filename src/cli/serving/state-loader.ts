import { onAbort } from "../../lib/async/abort.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { retryDelayMs } from "../../lib/async/retry-delay.ts";
import type { Logger } from "../../lib/log.ts";
import type { FillSource } from "../../reads/served/fill-misses.ts";
import { loadRecent } from "../../reads/served/load-recent.ts";
import { loadTokens } from "../../reads/served/load-tokens.ts";
import { loadWindow } from "../../reads/served/load-window.ts";
import type { ServingState } from "../../serving/serving-state.ts";

/**
 * Delay before a failed load is retried, and the longest delay after further failures. A load is the heaviest
 * work that a state causes, and may have failed because the store was overloaded.
 */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/**
 * Loads a serving state in the background: first prices and the newest trades, which nearly all requests
 * need, then recent pools, trades and wallets. If one of these is not loaded, only the first request for it
 * takes longer. Later, the newest trades are loaded again if they were lost and a request needs them.
 */
export class StateLoader {
  readonly #source: FillSource;
  readonly #serving: ServingState;
  readonly #logger: Logger;
  readonly #clock: Clock;
  #isFailing = false;
  #wake: () => void = () => {};

  constructor(
    source: FillSource,
    serving: ServingState,
    { logger, clock }: { logger: Logger; clock: Clock },
  ) {
    this.#source = source;
    this.#serving = serving;
    this.#logger = logger;
    this.#clock = clock;
    serving.loadWindowBy(() => this.#wake());
  }

  /**
   * Loads the state. Until the source's signal aborts, loads the newest trades again when a request needs
   * them.
   */
  async run(): Promise<void> {
    if (this.#serving.position !== null) await this.#loadAll();
    const recent = this.#loadRecent();
    while (!this.#isStopped) {
      await this.#request();
      await this.#repeat(() => this.#loadWindow());
    }
    await recent;
  }

  get #isStopped(): boolean {
    return this.#source.limits.signal?.aborted === true;
  }

  async #loadAll(): Promise<void> {
    const startedMs = this.#clock.monotonic();
    const tokens = await this.#repeat(() => loadTokens(this.#source));
    await this.#repeat(() => this.#loadWindow());
    if (this.#isStopped) return;
    this.#serving.loadSeconds = this.#secondsSince(startedMs);
    this.#reportLoad("prices and the newest trades", tokens ?? 0, startedMs);
  }

  /**
   * Loads recent pools, trades and wallets. Does not retry after a failure, because requests read missing
   * data themselves.
   */
  async #loadRecent(): Promise<void> {
    if (this.#isStopped || this.#serving.position === null) return;
    const startedMs = this.#clock.monotonic();
    try {
      const keys = await loadRecent(this.#source);
      this.#reportLoad("recent pools, trades and wallets", keys, startedMs);
    } catch (error) {
      if (this.#isStopped) return;
      const { name: chain } = this.#source.readable.chain;
      const reason = (error as Error).message;
      this.#logger.warn({ chain, reason }, "could not load recent pools, trades and wallets into memory");
    }
  }

  #secondsSince(startedMs: number): number {
    return (this.#clock.monotonic() - startedMs) / 1000;
  }

  #reportLoad(subject: string, keys: number, startedMs: number): void {
    if (keys === 0) return;
    const { name: chain } = this.#source.readable.chain;
    this.#logger.info(
      { chain, keys, seconds: this.#secondsSince(startedMs) },
      `loaded ${subject} into memory`,
    );
  }

  #loadWindow(): Promise<void> {
    const { reader, readable, limits } = this.#source;
    return loadWindow(reader, readable, limits);
  }

  /**
   * Resolves when a request needs the newest trades. A running or delayed load also covers requests that come
   * in the meantime.
   */
  #request(): Promise<void> {
    return new Promise((resolve) => {
      const forget = onAbort(this.#source.limits.signal, resolve);
      this.#wake = () => {
        forget();
        resolve();
      };
    });
  }

  /**
   * Retries a load until it succeeds, with growing delays. Returns its result; null if the loader was stopped
   * first.
   */
  async #repeat<T>(load: () => Promise<T>): Promise<T | null> {
    for (let failures = 1; !this.#isStopped; failures++) {
      try {
        const loaded = await load();
        this.#report(null);
        return loaded;
      } catch (error) {
        if (this.#isStopped) return null;
        this.#serving.counters.failedLoads++;
        this.#report(error as Error);
      }
      const delayMs = retryDelayMs(failures, FIRST_RETRY_MS, LONGEST_RETRY_MS);
      await this.#clock.sleep(delayMs, this.#source.limits.signal).catch(() => undefined);
    }
    return null;
  }

  /** Logs the first failure of a series, and its end. */
  #report(failure: Error | null): void {
    if (this.#isFailing === (failure !== null)) return;
    this.#isFailing = failure !== null;
    const chain = this.#source.readable.chain.name;
    if (failure === null) this.#logger.info({ chain }, "loading into memory works again");
    else
      this.#logger.warn(
        { chain, reason: failure.message },
        "could not load prices and the newest trades into memory; will retry, and requests are answered from the store meanwhile",
      );
  }
}
