import { type Commit, isSameCommit, type ReadableChain } from "../../reads/snapshot/snapshot.ts";
import { type CacheUse, KeyedCache } from "../../serving/cache/keyed-cache.ts";
import type { SqlFacts } from "./sql-answer.ts";

/**
 * Maximum size of a kept answer and its query: the queries that dashboards repeat return a few hundred rows.
 */
export const MAX_KEPT_BYTES = 256 * 1024;

/** Maximum share of the cache's memory that one answer may take, so that it does not replace all others. */
const MAX_SHARE = 1 / 4;

/** An answer that stays in memory. */
export interface KeptAnswer extends SqlFacts {
  asOf: Commit;
  body: Buffer;
}

interface Entry {
  answer: KeptAnswer;
  readable: ReadableChain;
  /** Length of the key, which is the query's text and may be larger than the answer. */
  textLength: number;
}

/** Answers to clients' SQL, the newest for each query. Each is valid while its commit is the newest. */
export class KeptAnswers {
  readonly #cache: KeyedCache<Entry>;

  /** @param maxBytes 0: nothing is kept */
  constructor(maxBytes: number) {
    this.#cache = new KeyedCache(maxBytes, ({ answer, textLength }) => bytesOf(answer.body, textLength));
  }

  get use(): CacheUse {
    return this.#cache.use;
  }

  /**
   * Returns the answer as of the newest commit; null if no such answer is kept, or if the newest commit is
   * not known without a query.
   */
  newest(identity: string): KeptAnswer | null {
    const entry = this.#cache.get(identity);
    return entry == null ? null : asOf(entry, entry.readable.serving?.commit ?? null);
  }

  at(identity: string, commit: Commit): KeptAnswer | null {
    const entry = this.#cache.get(identity);
    return entry == null ? null : asOf(entry, commit);
  }

  /** Keeps an answer unless it is too large. */
  keep(
    identity: string,
    readable: ReadableChain,
    facts: SqlFacts & { asOf: Commit },
    whole: Uint8Array,
  ): void {
    const bytes = bytesOf(whole, identity.length);
    if (bytes > Math.min(MAX_KEPT_BYTES, this.#cache.maxBytes * MAX_SHARE)) return;
    // A copy, because the bytes may be part of a larger buffer.
    const body = Buffer.allocUnsafeSlow(whole.length);
    body.set(whole);
    const answer = { ...facts, body };
    this.#cache.set(identity, { answer, readable, textLength: identity.length }, facts.asOf.blockNumber);
  }
}

function asOf({ answer }: Entry, commit: Commit | null): KeptAnswer | null {
  return commit !== null && isSameCommit(answer.asOf, commit) ? answer : null;
}

/**
 * Returns the bytes that an answer and its key take in memory. A character of a string takes up to two bytes.
 */
function bytesOf(body: Uint8Array, textLength: number): number {
  return body.length + 2 * textLength;
}
