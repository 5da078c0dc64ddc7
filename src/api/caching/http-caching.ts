import { type Commit, knownCommit, type Reader, readableChain } from "../../reads/snapshot/snapshot.ts";
import { etagOf, matchesAny, namesEtag, originOf } from "./etag.ts";
import { FinalTimes } from "./final-times.ts";

/** A request whose answer is as of a commit, in canonical form: equal requests have equal answers. */
export interface CacheableRequest {
  chain: string;
  /** Returns a string with everything that determines the answer, except the commit. */
  textAt(commit: Commit): string;
  /** No block after this time, unix seconds, affects the answer; null: any block may. */
  until: number | null;
}

/** The commit of an answer, and the headers that are the same in the answer and in a 304 that replaces it. */
export interface Validator {
  commit: Commit;
  headers: { etag: string; "cache-control": string; vary: string };
}

export interface CachingOptions {
  reader: Reader;
  /** Version of the service: another version may answer differently. */
  version: string;
  /** Whether answers are only for clients with a key. */
  hasKeys: boolean;
}

/**
 * For answers that no cache may keep: errors, answers to POST, and answers that depend on more than a commit.
 */
export const NOT_STORED = { "cache-control": "no-store" };

/**
 * How long caches may use an answer about final blocks without revalidation. Only `quarry doctor --repair`,
 * `quarry rewind` and a new version can change such an answer.
 */
const FINAL_SECONDS = 24 * 60 * 60;

/** Makes answers cacheable for browsers and proxies. */
export class HttpCaching {
  readonly #reader: Reader;
  readonly #version: string;
  readonly #origins = new Map<string, string>();
  readonly #finalTimes: FinalTimes;
  readonly #audience: "public" | "private";
  readonly #vary: string;

  constructor({ reader, version, hasKeys }: CachingOptions) {
    this.#reader = reader;
    this.#version = version;
    this.#finalTimes = new FinalTimes(reader);
    this.#audience = hasKeys ? "private" : "public";
    this.#vary = hasKeys ? "Accept-Encoding, Authorization, X-API-Key" : "Accept-Encoding";
  }

  /**
   * Returns a validator of the newest answer if the client has that answer, so that no query is needed.
   * Returns null for `*`, which matches any answer, because only a query shows whether there is one.
   */
  async currentCopy(request: CacheableRequest, ifNoneMatch: string | undefined): Promise<Validator | null> {
    if (ifNoneMatch === undefined || matchesAny(ifNoneMatch)) return null;
    const commit = await knownCommit(readableChain(this.#reader, request.chain));
    if (commit === null || !namesEtag(ifNoneMatch, this.#etag(request, commit))) return null;
    return this.validatorOf(request, commit);
  }

  /** Returns the validator of the answer as of a commit. */
  async validatorOf(request: CacheableRequest, commit: Commit): Promise<Validator> {
    const { chain, until } = request;
    const isFinal = until !== null && (await this.#finalTimes.isFinal(chain, commit, until));
    const freshness = isFinal ? `max-age=${FINAL_SECONDS}` : "no-cache";
    const headers = {
      etag: this.#etag(request, commit),
      "cache-control": `${this.#audience}, ${freshness}`,
      vary: this.#vary,
    };
    return { commit, headers };
  }

  #etag(request: CacheableRequest, commit: Commit): string {
    return etagOf(this.#originOf(request.chain), commit, request.textAt(commit));
  }

  #originOf(chain: string): string {
    const known = this.#origins.get(chain);
    if (known !== undefined) return known;
    const origin = originOf(this.#version, readableChain(this.#reader, chain).chain);
    this.#origins.set(chain, origin);
    return origin;
  }
}

/** Returns whether the client already has the answer. */
export function hasCopy({ headers }: Validator, ifNoneMatch: string | undefined): boolean {
  return matchesAny(ifNoneMatch) || namesEtag(ifNoneMatch, headers.etag);
}
