import type { CacheableRequest } from "../caching/http-caching.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ValidRequest } from "./run-endpoint.ts";

/** What identifies a request's answer; null when the answer is not as of one commit. */
export function cacheableRequest(endpoint: Endpoint, { values, now }: ValidRequest): CacheableRequest | null {
  const { name, dependsOn, settledAt } = endpoint;
  const { chain } = values;
  if (typeof chain !== "string") return null;
  return {
    chain,
    textAt: (commit) => `${name} ${JSON.stringify(dependsOn?.(values, commit, now) ?? values)}`,
    until: settledAt?.(values, now) ?? null,
  };
}
