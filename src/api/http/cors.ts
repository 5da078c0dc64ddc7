import type { FastifyInstance } from "fastify";
import { DAY_SECONDS } from "../../lib/seconds.ts";

const READABLE_HEADERS = [
  "X-Indexed-Block",
  "X-Indexed-Timestamp",
  "X-Indexed-Block-Hash",
  "X-Commit",
  "X-Row-Limit",
  "X-Truncated",
  "X-Elapsed-Ms",
  "X-Rows-Read",
  "X-Request-Id",
  "X-Error-Code",
  "X-Sql-Error",
  "Date",
  "Retry-After",
].join(", ");

/** How long a browser may remember the answer to its preflight, which never changes. */
const PREFLIGHT_SECONDS = DAY_SECONDS;

/** The service only reads and uses no cookies, so pages of any origin may ask it. */
export function allowAnyOrigin(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.header("access-control-allow-origin", "*");
    reply.header("access-control-expose-headers", READABLE_HEADERS);
    if (request.method !== "OPTIONS") return;
    reply.header("access-control-allow-methods", "GET, HEAD, POST, OPTIONS");
    reply.header("access-control-allow-headers", "Content-Type, Accept, Authorization, X-API-Key");
    reply.header("access-control-max-age", PREFLIGHT_SECONDS);
  });
}
