import type { FastifyInstance, FastifyRequest } from "fastify";
import { isLoopback } from "../../lib/names/host-name.ts";
import { DAY_SECONDS } from "../../lib/seconds.ts";

const READABLE_HEADERS = [
  "ETag",
  "X-First-Block",
  "X-Indexed-Block",
  "X-Indexed-Timestamp",
  "X-Indexed-Block-Hash",
  "X-Commit",
  "X-Chain",
  "X-Row-Limit",
  "X-Truncated",
  "X-Elapsed-Ms",
  "X-Rows-Read",
  "X-Request-Id",
  "X-Error-Code",
  "X-Sql-Error",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Date",
  "Cache-Control",
  "Vary",
  "Retry-After",
].join(", ");

/**
 * Headers that pages may send if the preflight request names none, or if its list is malformed or too long.
 */
const USUAL_HEADERS = [
  "Content-Type",
  "Accept",
  "Authorization",
  "X-API-Key",
  "If-None-Match",
  "Cache-Control",
  "Pragma",
  "X-Requested-With",
].join(", ");

/** Matches a comma-separated list of header names, as browsers send it. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+( *, *[\w!#$%&'*+.^`|~-]+)*$/;

/** Maximum length of a requested list that the response repeats: browsers name only a few headers. */
const MAX_REQUESTED = 1_000;

/**
 * How long browsers may cache a preflight response, which depends only on the origin and on the requested
 * headers.
 */
const PREFLIGHT_SECONDS = DAY_SECONDS;

/** Used instead of an origin: allows pages from this machine, on any port. */
export const LOCAL_PAGES = "local";

/**
 * Lets pages from these origins read responses; `*` means any origin, which is safe because the service is
 * read-only and uses no cookies.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  const anyOrigin = origins.includes("*");
  app.addHook("onRequest", async (request, reply) => {
    const { origin = "" } = request.headers;
    if (!isAllowed(origin, origins)) return;
    reply.header("access-control-allow-origin", anyOrigin ? "*" : origin);
    reply.header("access-control-expose-headers", READABLE_HEADERS);
    if (request.method !== "OPTIONS") return;
    reply.header("access-control-allow-methods", "GET, HEAD, POST, OPTIONS");
    reply.header("access-control-allow-headers", allowedHeaders(request));
    reply.header("vary", "Access-Control-Request-Headers");
    reply.header("access-control-max-age", PREFLIGHT_SECONDS);
  });
  if (anyOrigin) return;
  app.addHook("onSend", async (_request, reply) => {
    const vary = reply.getHeader("vary");
    reply.header("vary", vary === undefined ? "Origin" : `${vary}, Origin`);
  });
}

/** Returns whether pages from an origin may read responses. */
export function isAllowed(origin: string, origins: readonly string[]): boolean {
  if (origins.includes("*")) return true;
  if (origins.includes(origin)) return origin !== "";
  return origins.includes(LOCAL_PAGES) && URL.canParse(origin) && isLoopback(new URL(origin).hostname);
}

/**
 * Returns the headers that the page may send: those that it requests or, without a valid list, the usual
 * ones. Tracing and HTTP libraries add headers of their own, which the service ignores.
 */
function allowedHeaders({ headers }: FastifyRequest): string {
  const requested = headers["access-control-request-headers"] ?? "";
  const isList = requested.length <= MAX_REQUESTED && HEADER_NAMES.test(requested);
  return isList ? requested : USUAL_HEADERS;
}
