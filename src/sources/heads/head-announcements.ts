import type { Chain } from "../../chains/chain.ts";
import type { BlockRef } from "../../schema/block.ts";
import { WrongChain } from "../endpoints/chain-id.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { SourceLogger } from "../endpoints/endpoint-pool.ts";
import type { RpcLimits } from "../rpc/limits.ts";
import { sleepUnlessAborted } from "../rpc/retry.ts";
import type { EndpointUrl } from "../rpc/url.ts";
import { HeadSubscription } from "./head-subscription.ts";

export interface AnnouncementsOptions {
  chain: Chain;
  limits: RpcLimits;
  logger: SourceLogger;
  signal: AbortSignal;
}

/**
 * When it is time to ask for the head: as soon as an endpoint announces a new one, else at intervals.
 *
 * An announcement may come before the endpoints tell the block by HTTP; then they are asked again soon. Quick
 * looks are rationed, so that an endpoint that announces without end costs no more than polling does.
 */
export class HeadAnnouncements {
  readonly #options: AnnouncementsOptions;
  readonly #subscriptions: HeadSubscription[] = [];
  /** Where it was subscribed, or tried. */
  readonly #tried = new Set<string>();
  readonly #ration: Ration;
  /** The last announced blocks, since several endpoints announce the same one. */
  readonly #heard: string[] = [];
  #isDue = false;
  #wake: () => void = () => {};
  #seen: BlockRef | null = null;
  #promised: { number: number; until: number } | null = null;

  constructor(options: AnnouncementsOptions) {
    this.#options = options;
    this.#ration = new Ration(
      options.chain.blockTimeMs / QUICK_LOOKS_PER_BLOCK,
      options.limits.maxQuickLooks,
    );
  }

  /**
   * Subscribes at URLs that were given for it; resolves when each is known to work or not.
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

  /** Tries each endpoint, once, for subscriptions at its own URL. */
  tryAt(endpoints: readonly Endpoint[]): void {
    for (const endpoint of endpoints) {
      if (this.#tried.has(endpoint.url.socketUrl)) continue;
      void this.#add(endpoint.url, true).keep();
    }
  }

  /** The head is asked for now: what was announced before is seen by that. */
  look(): void {
    this.#isDue = false;
  }

  saw(head: BlockRef): void {
    this.#seen = head;
    for (const subscription of this.#subscriptions) subscription.saw(head.number);
  }

  /** Resolves when the head should be asked for: see `Source.nextHead`. */
  async next(pollMs: number, signal: AbortSignal): Promise<void> {
    const startedAt = Date.now();
    const longestMs = this.#pollMs(pollMs);
    const soonMs = this.#isPromised() ? this.#options.limits.promisedPollMs : longestMs;
    if (!this.#isDue && soonMs > 0) await this.#announced(Math.min(soonMs, longestMs), signal);
    const leftMs = longestMs - (Date.now() - startedAt);
    if (leftMs > 0) await pause(Math.min(leftMs, this.#ration.take()), signal);
  }

  #pollMs(pollMs: number): number {
    const { chain, limits } = this.#options;
    if (!this.#subscriptions.some((subscription) => subscription.isFresh)) return pollMs;
    return Math.max(pollMs, Math.min(chain.blockTimeMs, limits.maxSubscribedPollMs));
  }

  /** A block was announced just now that is not to be had yet. */
  #isPromised(): boolean {
    const promised = this.#promised;
    if (promised === null || this.#seen === null) return false;
    return promised.number > this.#seen.number && Date.now() < promised.until;
  }

  #announced(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        this.#wake = () => {};
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener("abort", done, { once: true });
      if (signal.aborted) done();
      else this.#wake = done;
    });
  }

  #add(url: EndpointUrl, isGuess: boolean): HeadSubscription {
    this.#tried.add(url.socketUrl);
    const subscription = new HeadSubscription({
      ...this.#options,
      url,
      isGuess,
      onHead: (head) => this.#hear(head),
      onLive: () => this.#rouse(),
    });
    this.#subscriptions.push(subscription);
    return subscription;
  }

  #hear({ number, hash }: BlockRef): void {
    if (hash === this.#seen?.hash || this.#heard.includes(hash)) return;
    this.#heard.push(hash);
    if (this.#heard.length > HEARD_KEPT) this.#heard.shift();
    this.#promised = { number, until: Date.now() + this.#options.limits.promiseMs };
    this.#rouse();
  }

  #rouse(): void {
    this.#isDue = true;
    this.#wake();
  }
}

/** Announced blocks that are remembered: several endpoints announce one block within a few of them. */
const HEARD_KEPT = 64;

/** As often as the head is polled for without announcements. */
const QUICK_LOOKS_PER_BLOCK = 4;

/** Lets so many through at once, and one more with each interval. */
class Ration {
  readonly #intervalMs: number;
  readonly #burst: number;
  /** When all that was taken is made up for. */
  #paidAt = 0;

  constructor(intervalMs: number, burst: number) {
    this.#intervalMs = intervalMs;
    this.#burst = burst;
  }

  /** Takes one; milliseconds to wait for it. */
  take(): number {
    const now = Date.now();
    const waitMs = Math.max(0, this.#paidAt - now - (this.#burst - 1) * this.#intervalMs);
    this.#paidAt = Math.max(this.#paidAt, now) + this.#intervalMs;
    return waitMs;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleepUnlessAborted(ms, signal).catch(() => undefined);
}
