import type { Chain } from "../../chains/chain.ts";
import { BaseError } from "../../lib/error.ts";
import type { BlockRef } from "../../schema/block.ts";
import { CHAIN_ID_CALL, requireChain, WrongChain } from "../endpoints/chain-id.ts";
import type { SourceLogger } from "../endpoints/endpoint-pool.ts";
import { FieldReader } from "../rpc/field-reader.ts";
import type { RefusalKind, RpcOutcome } from "../rpc/json-rpc.ts";
import type { RpcLimits } from "../rpc/limits.ts";
import { sleepUnlessAborted } from "../rpc/retry.ts";
import { NotUpgraded, RpcSocket } from "../rpc/socket.ts";
import type { EndpointUrl } from "../rpc/url.ts";

export interface SubscriptionOptions {
  url: EndpointUrl;
  /** The URL was not given for this: that it takes no subscriptions is no news. */
  isGuess: boolean;
  chain: Chain;
  limits: RpcLimits;
  logger: SourceLogger;
  signal: AbortSignal;
  onHead: (head: BlockRef) => void;
  /** It has begun, or begun anew: heads may have been missed. */
  onLive: () => void;
}

const SUBSCRIBE = { method: "eth_subscribe", params: ["newHeads"] };

/**
 * A subscription to the new heads of one endpoint, kept up by reconnecting. It wakes, and proves nothing: the
 * head is asked for by HTTP whenever it says something.
 */
export class HeadSubscription {
  readonly #options: SubscriptionOptions;
  #socket: RpcSocket | null = null;
  #isLive = false;
  #wasLive = false;
  /** When it last said something of use (Date.now). */
  #heardAt = 0;
  /** Newest block that it announced, or that there was before it did. */
  #newest: number | null = null;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    options.signal.addEventListener("abort", () => this.#socket?.close("the source ends"), { once: true });
  }

  /** It is up, and has announced a block as lately as the chain makes blocks. */
  get isFresh(): boolean {
    const { limits, chain } = this.#options;
    return this.#isLive && Date.now() - this.#heardAt < limits.freshBlocks * chain.blockTimeMs;
  }

  /**
   * Connects and subscribes, again and again, until the signal aborts or it turns out that the endpoint does
   * not offer it. Never rejects.
   *
   * @param onFirst is told how the first attempt ended: with an error, or with none
   */
  async keep(onFirst: (error: unknown) => void = () => {}): Promise<void> {
    const { limits, signal } = this.#options;
    for (let failures = 0; !signal.aborted; failures++) {
      const startedAt = Date.now();
      const error = await this.#session(() => onFirst(null));
      onFirst(error);
      if (signal.aborted || this.#isFinal(error)) return;
      if (Date.now() - startedAt > limits.maxReconnectMs) failures = 0;
      const longest = Math.min(limits.maxReconnectMs, limits.minReconnectMs * 2 ** failures);
      await sleepUnlessAborted(longest * (0.5 + Math.random() / 2), signal).catch(() => undefined);
    }
  }

  /** The head was seen by other means: a subscription that has let it pass for long is of no use any more. */
  saw(number: number): void {
    const { limits, chain } = this.#options;
    this.#newest ??= number;
    if (!this.#isLive || number <= this.#newest) return;
    const patienceMs = Math.max(limits.minSilenceMs, limits.silentBlocks * chain.blockTimeMs);
    if (Date.now() - this.#heardAt > patienceMs) this.#socket?.close("it announces no new blocks any more");
  }

  /** Lasts as long as the connection; resolves with what ended it. */
  async #session(onLive: () => void): Promise<BaseError> {
    const { url, limits } = this.#options;
    let id: unknown;
    const socket = new RpcSocket({
      url,
      limits,
      notify: (params) => {
        if (id !== undefined && params.subscription === id) this.#hear(params.result);
      },
    });
    this.#socket = socket;
    try {
      await socket.open();
      requireChain(url.masked, await socket.call(CHAIN_ID_CALL), this.#options.chain);
      id = idOf(await socket.call(SUBSCRIBE));
      this.#begin();
      onLive();
      throw await socket.closed();
    } catch (error) {
      if (!(error instanceof BaseError)) throw error;
      this.#end(error);
      return error;
    } finally {
      socket.close("it is of no use");
    }
  }

  #begin(): void {
    const { logger, url, onLive } = this.#options;
    this.#isLive = true;
    this.#wasLive = true;
    this.#heardAt = Date.now();
    this.#newest = null;
    logger.info({ endpoint: url.masked }, `${url.masked} announces new heads`);
    onLive();
  }

  #hear(result: unknown): void {
    const head = headOf(result);
    if (head === null) return;
    this.#heardAt = Date.now();
    this.#newest = Math.max(this.#newest ?? 0, head.number);
    this.#options.onHead(head);
  }

  /** Says once that it was lost, or cannot be had where it was asked for. */
  #end(error: BaseError): void {
    const { logger, url, signal, isGuess } = this.#options;
    const isNews = this.#isLive || (!this.#wasLive && !isGuess);
    this.#isLive = false;
    if (signal.aborted) return;
    if (isNews || error instanceof WrongChain) {
      this.#wasLive = true;
      const reason = error instanceof WrongChain ? error.message : `${url.masked}: ${error.message}`;
      logger.warn({ endpoint: url.masked }, `heads are not announced, and polled instead: ${reason}`);
    }
  }

  /** A URL that was guessed is given up unless it has worked; one that was given, when it says that it never will. */
  #isFinal(error: BaseError): boolean {
    if (error instanceof WrongChain) return true;
    if (error instanceof NotSubscribable) return error.kind !== "rate";
    return error instanceof NotUpgraded && this.#options.isGuess && !this.#wasLive;
  }
}

function headOf(result: unknown): BlockRef | null {
  try {
    const header = new FieldReader(result, "announced head");
    return { number: header.integer("number"), hash: header.bytes("hash", 32) };
  } catch {
    return null;
  }
}

/** Longest subscription id that is taken; nodes give 32 digits or fewer. */
const MAX_ID_LENGTH = 256;

function idOf(outcome: RpcOutcome): string {
  if ("refusal" in outcome) throw new NotSubscribable(outcome.refusal.message, outcome.refusal.kind);
  const { result } = outcome;
  if (typeof result === "string" && result.length > 0 && result.length <= MAX_ID_LENGTH) return result;
  throw new NotSubscribable("the answer is no subscription", "other");
}

/** The endpoint takes WebSockets, but no subscription to new heads. */
class NotSubscribable extends BaseError {
  readonly kind: RefusalKind;

  constructor(reason: string, kind: RefusalKind) {
    super("unsupported", `eth_subscribe was refused: ${reason}`, { retryable: true });
    this.kind = kind;
  }
}
