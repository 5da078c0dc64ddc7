import type { Clock } from "../../lib/async/clock.ts";
import { Sums } from "../../lib/collections/sums.ts";
import type { BaseError } from "../../lib/error.ts";
import { fairShare } from "../../lib/queues/fair-share.ts";
import type { KeyLimits } from "../keys/key-limits.ts";
import { KeyUsage } from "../keys/key-usage.ts";
import { type ApiLimits, SMALL_ANSWER_BYTES } from "./limits.ts";
import { ClientOverload, QuotaUsed, ServiceOverload } from "./overload.ts";
import { type Rate, TokenBuckets } from "./rates/token-buckets.ts";

/** The limits of a client that do not depend on a queue, as named in the metrics. */
export const CLIENT_LIMITS = ["rate", "monthly-quota", "unread-answers"] as const;

export type ClientLimit = (typeof CLIENT_LIMITS)[number];

/** The part of a client on which its limits depend. */
export interface LimitedClient {
  name: string;
  /** Its API key; null if the service is open. */
  key: { id: string; limits: KeyLimits } | null;
}

/** A client whose key has its own rate limit may send this many seconds' worth of requests at once. */
const BURST_SECONDS = 10;

/**
 * Limits the requests and the unread answers of each client. The queues limit its running and waiting
 * requests separately.
 */
export class ClientLimits {
  readonly usage: KeyUsage;
  readonly #limits: ApiLimits;
  readonly #buckets: TokenBuckets;
  /** Bytes of unread answers, by client. */
  readonly #unread = new Sums();
  /** How many of these bytes belong to answers that are complete in memory. */
  readonly #inMemory = new Sums();
  readonly #rejected = new Map<ClientLimit, number>();
  readonly #byKey = new Map<string, number>();

  constructor(limits: ApiLimits, clock: Clock, usage = new KeyUsage(clock)) {
    this.usage = usage;
    this.#limits = limits;
    this.#buckets = new TokenBuckets(clock);
  }

  /** Bytes of the unread answers of all clients. */
  get unreadBytes(): number {
    return this.#unread.total;
  }

  /** Requests since the start, by the id of their key. */
  get requestsByKey(): ReadonlyMap<string, number> {
    return this.#byKey;
  }

  rejectedBy(limit: ClientLimit): number {
    return this.#rejected.get(limit) ?? 0;
  }

  /**
   * Counts a new request towards the rate limit of its client and the monthly usage of its key.
   *
   * @throws ClientOverload, QuotaUsed
   */
  requireTokens(client: LimitedClient): void {
    this.requireRate(client);
    if (client.key === null) return;
    this.#requireQuota(client.key);
    this.usage.add(client.key.id, { requests: 1 });
  }

  /** Counts a new request towards the rate limit of its client only. @throws ClientOverload */
  requireRate(client: LimitedClient): void {
    if (client.key !== null) this.#byKey.set(client.key.id, (this.#byKey.get(client.key.id) ?? 0) + 1);
    const rate = this.#rateOf(client);
    if (rate === null || this.#buckets.take(client.name, rate)) return;
    const { perSecond, burst } = rate;
    const { nextInMs } = this.#buckets.stateOf(client.name, rate);
    this.#countRejection("rate");
    throw new ClientOverload(
      `it may send at most ${perSecond} per second, or ${burst} at once`,
      Math.max(1, Math.ceil(nextInMs / 1000)),
    );
  }

  #requireQuota({ id, limits: { monthlyRequests } }: NonNullable<LimitedClient["key"]>): void {
    if (monthlyRequests === null || this.usage.of(id).requests < monthlyRequests) return;
    this.#countRejection("monthly-quota");
    throw new QuotaUsed(monthlyRequests, this.usage);
  }

  /** Counts a SQL query towards the monthly usage of its key. */
  countQuery({ key }: LimitedClient): void {
    if (key !== null) this.usage.add(key.id, { sqlQueries: 1 });
  }

  /** Returns the headers that report the state of the client's rate limit; none if it has no rate limit. */
  rateHeaders(client: LimitedClient): Record<string, number> {
    const rate = this.#rateOf(client);
    if (rate === null) return {};
    const { tokens, fullInMs } = this.#buckets.stateOf(client.name, rate);
    return {
      "ratelimit-limit": rate.burst,
      "ratelimit-remaining": tokens,
      "ratelimit-reset": Math.ceil(fullInMs / 1000),
    };
  }

  #rateOf({ key }: LimitedClient): Rate | null {
    const { clientRate, clientBurst, rateShare } = this.#limits;
    const ownRate = key?.limits.rate ?? null;
    if (ownRate === null) return clientRate === 0 ? null : { perSecond: clientRate, burst: clientBurst };
    const perSecond = ownRate * rateShare;
    return { perSecond, burst: Math.max(1, Math.ceil(perSecond * BURST_SECONDS)) };
  }

  /** @throws ClientOverload if the client has too many bytes of unread answers */
  requireRead(client: string): void {
    const unread = this.#unread.of(client);
    const { clientUnreadBytes } = this.#limits;
    if (unread < clientUnreadBytes) return;
    const reason = `it has ${mebibytes(unread)} of unread responses, and may have at most ${mebibytes(clientUnreadBytes)}; read them or close their connections`;
    throw this.#unreadRejection(reason);
  }

  /**
   * Counts an answer until the returned function is called.
   *
   * @param isInMemory true if the whole answer is in memory and cannot be moved to a file
   * @throws ClientOverload, ServiceOverload if an answer in memory exceeds the memory for answers
   */
  hold(client: string, bytes: number, isInMemory: boolean): () => void {
    if (bytes < SMALL_ANSWER_BYTES) return () => {};
    if (isInMemory) this.#requireMemory(client, bytes);
    const counted = isInMemory ? [this.#unread, this.#inMemory] : [this.#unread];
    for (const sums of counted) sums.add(client, bytes);
    return () => {
      for (const sums of counted) sums.add(client, -bytes);
    };
  }

  /**
   * Requires that there is memory for an answer within the client's fair share. Its first answer may take
   * everything that is left, and is always accepted if no other client has an answer in memory, because even
   * the largest takes only 32 MiB.
   */
  #requireMemory(client: string, bytes: number): void {
    const { answerMemoryBytes } = this.#limits;
    const own = this.#inMemory.of(client);
    const others = this.#inMemory.total - own;
    if (own > 0 && own + bytes > fairShare(others, answerMemoryBytes)) {
      const reason = `its unread responses take ${mebibytes(own)} of memory, and no more is available; read them or close their connections`;
      throw this.#unreadRejection(reason);
    }
    if (own === 0 && others > 0 && others + bytes > answerMemoryBytes) {
      throw new ServiceOverload(
        `unread responses of other clients take ${mebibytes(others)} of memory, which leaves too little for this one`,
      );
    }
  }

  #unreadRejection(reason: string): BaseError {
    this.#countRejection("unread-answers");
    return new ClientOverload(reason);
  }

  #countRejection(limit: ClientLimit): void {
    this.#rejected.set(limit, this.rejectedBy(limit) + 1);
  }
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
