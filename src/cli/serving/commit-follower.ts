import { type Clock, systemClock } from "../../lib/async/clock.ts";
import type { Logger } from "../../lib/log.ts";
import type { FillSource } from "../../reads/served/fill-misses.ts";
import { catchUp } from "../../reads/served/follow-commits.ts";
import type { ServingState } from "../../serving/serving-state.ts";
import type { CommitLog } from "../../storage/store.ts";

/**
 * How often the commit log is read. Each read takes the engine two milliseconds, and reading the rows of a
 * block about ten more, so answers include a block about 100 ms after its commit.
 */
const POLL_MS = 50;

/** Delay after a failure: the store may be restarting. */
const RETRY_MS = 250;

/** Keeps a serving state at the newest commit of a chain that another process writes. */
export class CommitFollower {
  readonly #source: FillSource;
  readonly #serving: ServingState;
  readonly #log: CommitLog;
  readonly #logger: Logger;
  readonly #clock: Clock;
  /** When the state was last known to include the newest commit. */
  #currentMs = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  constructor(
    source: FillSource,
    serving: ServingState,
    log: CommitLog,
    { logger, clock = systemClock }: { logger: Logger; clock?: Clock },
  ) {
    this.#source = source;
    this.#serving = serving;
    this.#log = log;
    this.#logger = logger;
    this.#clock = clock;
    serving.measureAge(() => this.#clock.monotonic() - this.#currentMs);
  }

  /**
   * Follows the commits until the source's signal aborts.
   *
   * @param onFirst called once, when the state has a commit
   */
  async run(onFirst: () => void): Promise<void> {
    const { signal } = this.#source.limits;
    let isFirst = true;
    while (signal?.aborted !== true) {
      await this.step();
      if (isFirst && this.#serving.commit !== null) {
        isFirst = false;
        onFirst();
      }
      await this.#clock.sleep(this.#isFailing ? RETRY_MS : POLL_MS, signal).catch(() => undefined);
    }
  }

  /** Reads the commit log once. */
  async step(): Promise<void> {
    const lookedMs = this.#clock.monotonic();
    try {
      await catchUp(this.#source, this.#serving, this.#log);
      this.#currentMs = lookedMs;
      this.#report(null);
    } catch (error) {
      if (this.#source.limits.signal?.aborted !== true) this.#report(error as Error);
    }
  }

  /** Logs the first failure of a series, and its end. */
  #report(failure: Error | null): void {
    if (this.#isFailing === (failure !== null)) return;
    this.#isFailing = failure !== null;
    const chain = this.#source.readable.chain.name;
    if (failure === null) this.#logger.info({ chain }, "following the store's commits again");
    else
      this.#logger.warn(
        { chain, reason: failure.message },
        "cannot follow the store's commits; requests are answered from the store meanwhile",
      );
  }
}
