import type { CacheableRequest } from "../caching/http-caching.ts";
import type { Endpoint } from "./endpoint.ts";
import { maxLagOf } from "./max-lag.ts";
import type { ValidRequest } from "./run-endpoint.ts";

/**
 * Returns everything that identifies a request's answer; null if the answer is not as of one commit.
 * `max_lag` does not change the answer. But if it is given, caches must revalidate even a final answer,
 * because they cannot otherwise know whether the chain has stopped advancing.
 */
export function cacheableRequest(endpoint: Endpoint, { values, now }: ValidRequest): CacheableRequest | null {
  const { name, dependsOn, settledAt } = endpoint;
  const { max_lag: _, ...asked } = values;
  const { chain } = asked;
  if (typeof chain !== "string") return null;
  return {
    chain,
    textAt: (commit) => `${name} ${JSON.stringify(dependsOn?.(asked, commit, now) ?? asked)}`,
    until: maxLagOf(values) === null ? (settledAt?.(values, now) ?? null) : null,
  };
}
