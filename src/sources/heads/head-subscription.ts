import type { Chain } from "../../chains/chain.ts";
import { onAbort, unlessAborted } from "../../lib/async/abort.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { retryDelayMs } from "../../lib/async/retry-delay.ts";
import { BaseError } from "../../lib/error.ts";
import type { BlockRef } from "../../schema/block.ts";
import { CHAIN_ID_CALL, requireChain, WrongChain } from "../endpoints/chain-id.ts";
import type { SourceLogger } from "../endpoints/warnings.ts";
import { FieldReader } from "../rpc/field-reader.ts";
import type { RefusalKind, RpcOutcome } from "../rpc/json-rpc.ts";
import type { RpcLimits } from "../rpc/limits.ts";
import { NotUpgraded, RpcSocket } from "../rpc/socket.ts";
import type { EndpointUrl } from "../rpc/url.ts";

export interface SubscriptionOptions {
  url: EndpointUrl;
  /** True if the URL was derived from an HTTP URL. In that case, a refusal is expected and not logged. */
  isGuess: boolean;
  chain: Chain;
  limits: RpcLimits;
  clock: Clock;
  logger: SourceLogger;
  signal: AbortSignal;
  onHead: (head: BlockRef) => void;
  /** Called when the subscription has started or restarted, because heads may have been missed. */
  onStart: () => void;
}

const SUBSCRIBE = { method: "eth_subscribe", params: ["newHeads"] };

/**
 * A subscription to the new heads of one endpoint. Reconnects when the connection is lost. An announcement
 * proves nothing: it only triggers a request for the head over HTTP.
 */
export class HeadSubscription {
  readonly #options: SubscriptionOptions;
  #socket: RpcSocket | null = null;
  #isLive = false;
  #wasLive = false;
  /** Time of the last announcement, or of the start if there was none, on the monotonic clock. */
  #heardAt = 0;
  /**
   * Newest announced block, or the first head that was found after the subscription started; null before
   * that.
   */
  #newest: number | null = null;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
  }

  /**
   * True if the subscription is live and its last announcement is less than `freshBlocks` block times old.
   */
  get isFresh(): boolean {
    const { limits, chain, clock } = this.#options;
    return this.#isLive && clock.monotonic() - this.#heardAt < limits.freshBlocks * chain.blockTimeMs;
  }

  /**
   * Connects and subscribes, and repeats this until the signal aborts or the endpoint turns out not to offer
   * subscriptions. Never rejects.
   *
   * @param onFirst receives the result of each attempt, an error or null; only the first call counts
   */
  async keep(onFirst: (error: unknown) => void = () => {}): Promise<void> {
    const { limits, clock, signal } = this.#options;
    const removeListener = onAbort(signal, () => this.#socket?.close("the source was closed"));
    for (let failures = 1; !signal.aborted; failures++) {
      const startedAt = clock.monotonic();
      const error = await this.#session(() => onFirst(null));
      onFirst(error);
      if (signal.aborted || this.#isFinal(error)) break;
      if (clock.monotonic() - startedAt > limits.maxReconnectMs) failures = 1;
      const delayMs = retryDelayMs(failures, limits.minReconnectMs, limits.maxReconnectMs);
      await unlessAborted(signal, () => clock.sleep(delayMs, signal));
    }
    removeListener();
  }

  /**
   * Must be called when the head was found over HTTP. Closes a subscription that has missed new blocks for
   * too long.
   */
  headFound(number: number): void {
    const { limits, chain, clock } = this.#options;
    this.#newest ??= number;
    if (!this.#isLive || number <= this.#newest) return;
    const maxSilenceMs = Math.max(limits.minSilenceMs, limits.silentBlocks * chain.blockTimeMs);
    if (clock.monotonic() - this.#heardAt > maxSilenceMs)
      this.#socket?.close("it no longer announces new blocks");
  }

  /** Runs until the connection ends, and resolves with the reason. */
  async #session(onStart: () => void): Promise<BaseError> {
    const { url, limits, clock, chain } = this.#options;
    let id: unknown;
    const socket = new RpcSocket(url, limits, clock, (params) => {
      if (id !== undefined && params.subscription === id) this.#receive(params.result);
    });
    this.#socket = socket;
    try {
      await socket.open();
      requireChain(url.masked, await socket.call(CHAIN_ID_CALL), chain);
      id = idOf(await socket.call(SUBSCRIBE));
      this.#start();
      onStart();
      throw await socket.closed();
    } catch (error) {
      if (!(error instanceof BaseError)) throw error;
      this.#end(error);
      return error;
    } finally {
      socket.close("it is no longer used");
    }
  }

  #start(): void {
    const { logger, url, clock, onStart } = this.#options;
    this.#isLive = true;
    this.#wasLive = true;
    this.#heardAt = clock.monotonic();
    this.#newest = null;
    logger.info({ endpoint: url.masked }, `${url.masked} announces new heads`);
    onStart();
  }

  #receive(result: unknown): void {
    const head = headOf(result);
    if (head === null) return;
    this.#heardAt = this.#options.clock.monotonic();
    this.#newest = Math.max(this.#newest ?? 0, head.number);
    this.#options.onHead(head);
  }

  /**
   * Warns when a live subscription is lost, when the first attempt at a configured URL fails, and when the
   * endpoint serves another chain.
   */
  #end(error: BaseError): void {
    const { logger, url, signal, isGuess } = this.#options;
    const isNew = this.#isLive || (!this.#wasLive && !isGuess);
    this.#isLive = false;
    if (signal.aborted) return;
    if (isNew || error instanceof WrongChain) {
      this.#wasLive = true;
      const reason = error instanceof WrongChain ? error.message : `${url.masked}: ${error.message}`;
      logger.warn({ endpoint: url.masked }, `new heads are not announced; polling instead: ${reason}`);
    }
  }

  /**
   * Returns true if no further attempt makes sense. A URL that refuses subscriptions is abandoned, unless a
   * rate limit is the reason. A guessed URL that does not accept WebSockets is also abandoned, unless it has
   * worked before.
   */
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

/** Maximum length of a subscription id. Nodes use 32 digits or fewer. */
const MAX_ID_LENGTH = 256;

function idOf(outcome: RpcOutcome): string {
  if ("refusal" in outcome) throw new NotSubscribable(outcome.refusal.message, outcome.refusal.kind);
  const { result } = outcome;
  if (typeof result === "string" && result.length > 0 && result.length <= MAX_ID_LENGTH) return result;
  throw new NotSubscribable("the response is not a subscription id", "other");
}

/** The endpoint accepts WebSockets, but refuses subscriptions to new heads. */
class NotSubscribable extends BaseError {
  readonly kind: RefusalKind;

  constructor(reason: string, kind: RefusalKind) {
    super("unsupported", `eth_subscribe was refused: ${reason}`, { retryable: true });
    this.kind = kind;
  }
}
