import type { Chain } from "../../chains/chain.ts";
import { unlessAborted } from "../../lib/async/abort.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { WaitQueue } from "../../lib/queues/wait-queue.ts";
import type { BlockRef } from "../../schema/block.ts";
import { WrongChain } from "../endpoints/chain-id.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { SourceLogger } from "../endpoints/warnings.ts";
import type { RpcLimits } from "../rpc/limits.ts";
import type { EndpointUrl } from "../rpc/url.ts";
import { HeadPolling, type TimedHead } from "./head-polling.ts";
import { HeadSubscription } from "./head-subscription.ts";
import { QuickPollBudget } from "./quick-poll-budget.ts";

export interface AnnouncementsOptions {
  chain: Chain;
  limits: RpcLimits;
  clock: Clock;
  logger: SourceLogger;
  signal: AbortSignal;
}

/**
 * Number of announced blocks to remember. Several endpoints announce the same block, at most a few blocks
 * apart.
 */
const REMEMBERED_BLOCKS = 64;

/**
 * Size of the budget of quick polls, in blocks: two blocks in a row may be late, or announced before the
 * endpoints have them.
 */
const BURST_BLOCKS = 2;

/**
 * Decides when to request the head: as soon as an endpoint announces a new one, or else when it is due.
 *
 * An announcement may come before the endpoints return the block over HTTP. In that case, they are polled
 * quickly. Quick polls have a budget, so an endpoint that announces endlessly causes no more requests than
 * polling would.
 */
export class HeadAnnouncements {
  readonly #options: AnnouncementsOptions;
  readonly #subscriptions: HeadSubscription[] = [];
  /** WebSocket URLs at which a subscription was tried. */
  readonly #tried = new Set<string>();
  readonly #budget: QuickPollBudget;
  readonly #polling: HeadPolling;
  readonly #waiting: WaitQueue;
  /** Hashes of the last announced blocks. */
  readonly #announced: string[] = [];
  #isDue = false;
  #head: BlockRef | null = null;
  #expected: { number: number; until: number } | null = null;

  constructor(options: AnnouncementsOptions) {
    const { chain, limits, clock } = options;
    this.#options = options;
    this.#waiting = new WaitQueue(clock);
    const { headRequestsPerBlock } = limits;
    const intervalMs = chain.blockTimeMs / headRequestsPerBlock;
    this.#budget = new QuickPollBudget(intervalMs, BURST_BLOCKS * headRequestsPerBlock, clock);
    this.#polling = new HeadPolling(chain, clock, this.#budget);
  }

  /**
   * Subscribes at the configured WebSocket URLs. Resolves when each URL is known to work or not.
   *
   * @throws WrongChain
   */
  async subscribe(urls: readonly EndpointUrl[]): Promise<void> {
    const errors = await Promise.all(
      urls.map((url) => new Promise<unknown>((resolve) => void this.#add(url, false).keep(resolve))),
    );
    const wrong = errors.find((error) => error instanceof WrongChain);
    if (wrong !== undefined) throw wrong;
  }

  /** Tries to subscribe at the WebSocket URL that corresponds to each endpoint's URL, once per URL. */
  tryAt(endpoints: readonly Endpoint[]): void {
    for (const endpoint of endpoints) {
      if (this.#tried.has(endpoint.url.socketUrl)) continue;
      void this.#add(endpoint.url, true).keep();
    }
  }

  /** Must be called before a head request, which covers all announcements so far. */
  requesting(): void {
    this.#polling.requesting(this.#isExpecting());
    this.#isDue = false;
  }

  /** Must be called with the result of a head request. */
  found(head: TimedHead): void {
    this.#head = head;
    this.#polling.found(head);
    for (const subscription of this.#subscriptions) subscription.headFound(head.number);
  }

  /** Resolves when the head should be requested (see `Source.nextHead`). */
  async next(pollMs: number, signal: AbortSignal): Promise<void> {
    const { clock, limits } = this.#options;
    const startedAt = clock.monotonic();
    const maxMs = this.#pollMs(pollMs);
    const waitMs = this.#isExpecting() ? Math.min(limits.announcedPollMs, maxMs) : maxMs;
    if (!this.#isDue && waitMs > 0) await this.#announcement(waitMs, signal);
    const leftMs = maxMs - (clock.monotonic() - startedAt);
    const delayMs = this.#budget.take(Math.max(0, leftMs));
    if (delayMs > 0) await unlessAborted(signal, () => clock.sleep(delayMs, signal));
  }

  #pollMs(pollMs: number): number {
    const { chain, limits } = this.#options;
    if (!this.#subscriptions.some((subscription) => subscription.isFresh))
      return this.#polling.waitMs(pollMs);
    return Math.max(pollMs, Math.min(chain.blockTimeMs, limits.maxSubscribedPollMs));
  }

  /** Returns true if a block was announced recently and the endpoints do not return it yet. */
  #isExpecting(): boolean {
    const expected = this.#expected;
    if (expected === null || this.#head === null) return false;
    return expected.number > this.#head.number && this.#options.clock.monotonic() < expected.until;
  }

  /** Resolves on an announcement, on an abort, or after the timeout. */
  async #announcement(timeoutMs: number, signal: AbortSignal): Promise<void> {
    await this.#waiting.wait(undefined, { signal, timeoutMs }).catch(() => undefined);
  }

  #add(url: EndpointUrl, isGuess: boolean): HeadSubscription {
    this.#tried.add(url.socketUrl);
    const subscription = new HeadSubscription({
      ...this.#options,
      url,
      isGuess,
      onHead: (head) => this.#announce(head),
      onStart: () => this.#wake(),
    });
    this.#subscriptions.push(subscription);
    return subscription;
  }

  #announce({ number, hash }: BlockRef): void {
    if (hash === this.#head?.hash || this.#announced.includes(hash)) return;
    this.#announced.push(hash);
    if (this.#announced.length > REMEMBERED_BLOCKS) this.#announced.shift();
    const { clock, limits } = this.#options;
    this.#expected = { number, until: clock.monotonic() + limits.announcedBlockMs };
    this.#wake();
  }

  #wake(): void {
    this.#isDue = true;
    this.#waiting.serveAll();
  }
}
