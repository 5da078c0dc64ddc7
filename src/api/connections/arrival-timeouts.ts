import type { ConnectionLimits } from "../admission/connection-limits.ts";

/** Maximum interval between checks for late requests; shorter if the limits are short. */
const MAX_CHECK_MS = 1_000;

/** Returns the time limits as Fastify's options. */
export function arrivalTimeouts({ headerMs, bodyMs, keepAliveMs }: ConnectionLimits) {
  return {
    keepAliveTimeout: keepAliveMs,
    requestTimeout: headerMs + bodyMs,
    http: {
      headersTimeout: headerMs,
      connectionsCheckingInterval: Math.min(MAX_CHECK_MS, headerMs, bodyMs),
    },
  };
}
