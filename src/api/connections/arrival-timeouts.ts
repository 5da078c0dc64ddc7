import type { ConnectionLimits } from "../admission/connection-limits.ts";

/** How often late requests are looked for, at most; more often if the limits are short. */
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
