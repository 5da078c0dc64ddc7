import type { Clock } from "../../lib/async/clock.ts";
import type { BaseError } from "../../lib/error.ts";
import type { ApiLimits } from "./limits.ts";
import { ClientOverload, ServiceOverload } from "./overload.ts";
import { TokenBuckets } from "./token-buckets.ts";

/** The limits of a client that do not depend on a queue, as named in the metrics. */
export const CLIENT_LIMITS = ["rate", "unread-answers", "pipelined-requests"] as const;

export type ClientLimit = (typeof CLIENT_LIMITS)[number];

/**
 * Minimum size of an answer that is counted: smaller ones fit into the buffer of their connection, and the
 * number of connections is limited.
 */
const COUNTED_BYTES = 16 * 1024;

/** Limits what each client may request and hold, in addition to its places in the queues. */
export class ClientLimits {
  readonly #limits: ApiLimits;
  readonly #buckets: TokenBuckets | null;
  /** Bytes of unread answers, by client. */
  readonly #unread = new Map<string, number>();
  readonly #rejected = new Map<ClientLimit, number>();
  #unreadBytes = 0;
  /** How many of these bytes belong to answers that are complete in memory. */
  #memoryBytes = 0;

  constructor(limits: ApiLimits, clock: Clock) {
    const { clientRate, clientBurst } = limits;
    this.#limits = limits;
    this.#buckets = clientRate === 0 ? null : new TokenBuckets(clientRate, clientBurst, clock);
  }

  /** Bytes of the unread answers of all clients. */
  get unreadBytes(): number {
    return this.#unreadBytes;
  }

  rejectedBy(limit: ClientLimit): number {
    return this.#rejected.get(limit) ?? 0;
  }

  /** Counts a new request. @throws ClientOverload */
  requireTokens(client: string): void {
    if (this.#buckets === null || this.#buckets.take(client)) return;
    const { clientRate, clientBurst } = this.#limits;
    throw this.#rejection(
      "rate",
      `at most ${clientRate} per second, and ${clientBurst} at once, are allowed`,
    );
  }

  /** @throws ClientOverload if the client holds too many bytes of answers */
  requireRead(client: string): void {
    const unread = this.#unread.get(client) ?? 0;
    const { clientUnreadBytes } = this.#limits;
    if (unread < clientUnreadBytes) return;
    const [has, allowed] = [unread, clientUnreadBytes].map((bytes) => Math.ceil(bytes / 2 ** 20));
    const reason = `it has ${has} MiB of answers to read, and may have ${allowed} MiB; read them or close their connections`;
    throw this.#rejection("unread-answers", reason);
  }

  /** @param requests number of requests on one connection without a response @throws ClientOverload */
  requireFewPipelined(requests: number): void {
    const { pipelinedRequests } = this.#limits;
    if (requests <= pipelinedRequests) return;
    const reason = `one connection may have ${pipelinedRequests} without a response`;
    throw this.#rejection("pipelined-requests", reason);
  }

  /**
   * Counts an answer until the returned function is called.
   *
   * @param isInMemory the whole answer is in memory and cannot be moved to a file
   * @throws ServiceOverload if such answers exceed the memory for answers
   */
  hold(client: string, bytes: number, isInMemory: boolean): () => void {
    if (bytes < COUNTED_BYTES) return () => {};
    if (isInMemory) this.#requireMemory(bytes);
    this.#add(client, bytes, isInMemory);
    return () => this.#add(client, -bytes, isInMemory);
  }

  /** A single answer always fits: the largest is 32 MiB. */
  #requireMemory(bytes: number): void {
    const { answerMemoryBytes } = this.#limits;
    if (this.#memoryBytes === 0 || this.#memoryBytes + bytes <= answerMemoryBytes) return;
    throw new ServiceOverload(
      `answers that clients have not read take ${Math.ceil(this.#memoryBytes / 2 ** 20)} MiB of memory, and no more is allowed`,
    );
  }

  #add(client: string, bytes: number, isInMemory: boolean): void {
    this.#addUnread(client, bytes);
    if (isInMemory) this.#memoryBytes += bytes;
  }

  #addUnread(client: string, bytes: number): void {
    const unread = (this.#unread.get(client) ?? 0) + bytes;
    if (unread === 0) this.#unread.delete(client);
    else this.#unread.set(client, unread);
    this.#unreadBytes += bytes;
  }

  #rejection(limit: ClientLimit, reason: string): BaseError {
    this.#rejected.set(limit, this.rejectedBy(limit) + 1);
    return new ClientOverload(reason);
  }
}
