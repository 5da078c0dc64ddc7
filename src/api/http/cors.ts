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

/** How long browsers may cache the preflight response, which never changes. */
const PREFLIGHT_SECONDS = DAY_SECONDS;

/** Allows pages of any origin: the service only reads, and uses no cookies. */
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
