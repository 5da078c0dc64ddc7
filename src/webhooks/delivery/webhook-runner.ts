import type { StreamRequest } from "../../api/subscriptions/stream-request.ts";
import { onAbort } from "../../lib/async/abort.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { retryDelayMs } from "../../lib/async/retry-delay.ts";
import { BaseError } from "../../lib/error.ts";
import type { Logger } from "../../lib/log.ts";
import type { BlockPricesQuery } from "../../reads/prices/prices-at-block.ts";
import { type Frame, parsePosition } from "../../streams/frame.ts";
import type { StoredState } from "../records/webhook-records.ts";
import { type ReadPrices, withKnownSides } from "../rules/known-sides.ts";
import { type Delivery, nextProgress, type Step } from "../rules/next-progress.ts";
import type { Rules } from "../rules/read-rules.ts";
import { isPaused, type SignedWebhook } from "../webhook.ts";
import { bodiesOf } from "./bodies.ts";
import type { Outcome, Receiver } from "./receiver.ts";
import { WebhookSink } from "./webhook-sink.ts";

export interface WebhookLimits {
  /** Maximum size of a body. A delivery with more data has several bodies. */
  bodyBytes: number;
  /** Maximum total size of the frames that wait for one webhook. */
  queueBytes: number;
  /**
   * A webhook that keeps failing for this long is paused. The time starts at the first failure in this
   * process.
   */
  retryMs: number;
}

/** Options that all runners of a process share. */
export interface RunnerOptions {
  /** Streams to a sink until the sink is closed. */
  open(sink: WebhookSink, request: StreamRequest): Promise<void>;
  /** Reads prices as of a block. Rejects if the block is no longer on the chain. */
  pricesAt(chain: string, query: BlockPricesQuery): ReturnType<ReadPrices>;
  receiver: Pick<Receiver, "post">;
  save(id: string, state: StoredState): Promise<void>;
  /** Counts a delivery by its result. */
  count(result: Outcome["kind"]): void;
  limits: WebhookLimits;
  clock: Clock;
  logger: Logger;
}

/** First and longest delay between attempts to deliver, and the longest delay that a receiver may request. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 10 * 60_000;
const LONGEST_REQUESTED_MS = 60 * 60_000;

/** First and longest delay before a stream that ended is opened again. */
const REOPEN_MS = 1_000;
const LONGEST_REOPEN_MS = 60_000;

/** Interval at which the position of a webhook is stored while nothing matches its rules. */
const SAVE_MS = 10_000;

/** Sends the deliveries of one webhook to its receiver: one at a time, in order. */
export class WebhookRunner {
  readonly webhook: SignedWebhook;
  readonly #rules: Rules;
  readonly #options: RunnerOptions;
  readonly #requireHeld: () => void;
  readonly #stop = new AbortController();
  #state: StoredState;
  #savedMs: number;
  /** Number of streams in a row that failed before they advanced the webhook. */
  #failures = 0;
  /** Monotonic time at which deliveries began to fail in this process; null if they are not failing. */
  #failingMs: number | null = null;

  /** @param requireHeld throws if another process may be delivering */
  constructor(
    webhook: SignedWebhook,
    { rules, state, requireHeld }: { rules: Rules; state: StoredState; requireHeld(): void },
    options: RunnerOptions,
  ) {
    this.webhook = webhook;
    this.#rules = rules;
    // After it is resumed, a webhook may again fail for the full period before it is paused.
    const isResumed = state.pausedAt !== null && !isPaused(webhook, state);
    this.#state = isResumed ? { ...state, pausedAt: null, failingSince: null, error: null } : state;
    this.#requireHeld = requireHeld;
    this.#options = options;
    this.#savedMs = options.clock.monotonic();
  }

  get isPaused(): boolean {
    return isPaused(this.webhook, this.#state);
  }

  get isFailing(): boolean {
    return this.#state.failingSince !== null;
  }

  /** Number of the newest block that was delivered or had nothing to deliver; null if there is none yet. */
  get block(): number | null {
    const { position } = this.#state;
    return position === null ? null : (parsePosition(position)?.block ?? null);
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Delivers until it is stopped or paused. */
  async run(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted && !this.isPaused) {
      try {
        if ((await this.#follow()) === "begun") continue;
        this.#failures = 0;
      } catch (error) {
        if (!signal.aborted && !this.isPaused) this.#report(error as Error);
      }
      const delayMs = retryDelayMs(Math.max(1, this.#failures), REOPEN_MS, LONGEST_REOPEN_MS);
      if (!this.isPaused) await clock.sleep(delayMs, signal).catch(() => undefined);
    }
  }

  /**
   * Streams from the webhook's position. Returns "ended" if the stream ends, and "begun" if a stream with
   * other subscriptions must be opened.
   */
  async #follow(): Promise<"begun" | "ended"> {
    const sink = new WebhookSink(this.#options.limits.queueBytes);
    const removeListener = onAbort(this.#stop.signal, () => sink.destroy());
    const streaming = this.#options.open(sink, this.#request()).finally(() => sink.end());
    // The stream may fail during a delivery, before the promise is awaited.
    streaming.catch(() => undefined);
    try {
      for await (const frame of sink) {
        const isNew = this.#state.position === null;
        await this.#take(await this.#stepAt(frame));
        if (isNew !== (this.#state.position === null)) return "begun";
      }
    } finally {
      sink.destroy();
      removeListener();
    }
    await streaming;
    return "ended";
  }

  async #stepAt(frame: Frame): Promise<Step> {
    const { progress, deliveries } = nextProgress(this.#state, frame, this.#rules);
    if (frame.event !== "rollback") return { progress, deliveries };
    const known = await withKnownSides(progress, this.#rules.watches, (query) =>
      this.#options.pricesAt(this.webhook.chain, query),
    );
    return { progress: known, deliveries };
  }

  /**
   * Returns the request for the stream to open. A new webhook first requests the prices that it watches.
   * After that it requests only rows, because they show every crossing exactly.
   */
  #request(): StreamRequest {
    const { events, watches } = this.#rules;
    const { position } = this.#state;
    const prices = watches.map(({ id, token, priceType }) => {
      return { id, queries: [{ kind: "price", token, priceType } as const], history: 1 };
    });
    return {
      chain: this.webhook.chain,
      subscriptions: position === null ? { events: [], states: prices } : { events: [...events], states: [] },
      after: position === null ? null : parsePosition(position),
      maxLag: null,
    };
  }

  async #take({ progress, deliveries }: Step): Promise<void> {
    for (const delivery of deliveries) await this.#deliver(delivery);
    const isDue = this.#options.clock.monotonic() - this.#savedMs >= SAVE_MS;
    const isFirst = this.#state.position === null || progress.position === null;
    if (deliveries.length > 0 || isDue || isFirst) {
      await this.#save(progress);
      this.#failures = 0;
    } else this.#state = { ...this.#state, ...progress };
  }

  /**
   * Resolves when the receiver has accepted all parts. Sends nothing while the progress cannot be stored,
   * because the same delivery would then be sent again and again.
   */
  async #deliver(delivery: Delivery): Promise<void> {
    await this.#save(delivery.event === "block" ? { attempted: delivery.id } : {});
    for (const body of bodiesOf(this.webhook.id, delivery, this.#options.limits.bodyBytes))
      await this.#send(body);
  }

  async #send(body: string): Promise<void> {
    const { receiver, clock, count } = this.#options;
    for (let failures = 1; ; failures++) {
      this.#requireHeld();
      const outcome = await receiver.post(this.webhook, body, this.#stop.signal);
      count(outcome.kind);
      if (outcome.kind === "delivered") return this.#succeeded();
      await this.#failed(outcome.reason);
      const ownMs = retryDelayMs(failures, FIRST_RETRY_MS, LONGEST_RETRY_MS);
      const requestedMs = Math.min(outcome.waitMs ?? 0, LONGEST_REQUESTED_MS);
      await clock.sleep(Math.max(ownMs, requestedMs), this.#stop.signal);
    }
  }

  /** Records the success. It is stored later, together with the position. */
  #succeeded(): void {
    if (this.#state.failingSince !== null) this.#log.info("deliveries of a webhook succeed again");
    this.#failingMs = null;
    this.#state = {
      ...this.#state,
      deliveredAt: this.#options.clock.now(),
      failingSince: null,
      error: null,
    };
  }

  /** @throws Paused */
  async #failed(error: string): Promise<void> {
    const { clock, limits } = this.#options;
    const nowMs = clock.now();
    const failingSince = this.#state.failingSince ?? nowMs;
    this.#failingMs ??= clock.monotonic();
    if (clock.monotonic() - this.#failingMs >= limits.retryMs) {
      // The clock of the machine that ran `quarry hooks resume` may be ahead of this machine's.
      const pausedAt = Math.max(nowMs, this.webhook.resumedAt);
      await this.#save({ failingSince, error, pausedAt });
      this.#log.error(
        { reason: error },
        "a webhook failed for too long and is paused; to resume it, run quarry hooks resume",
      );
      throw new Paused(error);
    }
    if (this.#state.failingSince === null)
      this.#log.warn({ reason: error }, "a delivery of a webhook failed and will be retried");
    await this.#save({ failingSince, error });
  }

  async #save(changed: Partial<StoredState>): Promise<void> {
    this.#requireHeld();
    const state = { ...this.#state, ...changed, version: this.#state.version + 1 };
    await this.#options.save(this.webhook.id, state);
    this.#state = state;
    this.#savedMs = this.#options.clock.monotonic();
  }

  /** Logs the first of a series of failures that are not the receiver's fault. */
  #report({ message }: Error): void {
    if (this.#failures++ === 0)
      this.#log.warn({ reason: message }, "a webhook cannot follow its chain; will retry");
  }

  /** A logger that names only the host of the receiver's URL, because the path may contain a secret. */
  get #log(): Logger {
    const { id, url, chain } = this.webhook;
    return this.#options.logger.child({ webhook: id, chain, receiver: new URL(url).host });
  }
}

/** Thrown to end the deliveries of a webhook when it is paused. */
class Paused extends BaseError {
  constructor(reason: string) {
    super("endpoint", reason);
  }
}
