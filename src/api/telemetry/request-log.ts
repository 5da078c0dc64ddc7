import type { FastifyInstance, FastifyRequest } from "fastify";
import { BaseError, type ErrorCode } from "../../lib/error.ts";
import { lacksFileHandles } from "../../lib/system-error.ts";
import { statementOf } from "../operations/statement.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The cause of a 5xx response: for the log, never for the client. */
    failure: unknown;
    /** Bytes that the connection had sent before this request. */
    bytesBefore: number;
  }
}

/**
 * Logs one line for each request: only paths, because queries and bodies may contain keys, and only a
 * fingerprint of SQL unless `withQueries` is set.
 */
export function logRequests(app: FastifyInstance, withQueries: boolean): void {
  app.decorateRequest("failure", undefined);
  app.decorateRequest("bytesBefore", 0);
  app.addHook("onRequest", async (request) => {
    request.bytesBefore = bytesSent(request);
  });
  app.addHook("onResponse", async (request, reply) => {
    const line = {
      ...lineOf(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      bytes: bytesSent(request) - request.bytesBefore,
      ...queryOf(request, withQueries),
    };
    if (request.failure === undefined) request.log.info(line, "request completed");
    else if (isExpected(request.failure))
      request.log.info({ ...line, reason: request.failure.message }, EXPECTED[request.failure.code]);
    else if (lacksFileHandles(request.failure))
      request.log.error(line, "failed: no free file handle; raise the limit on open files (ulimit -n)");
    else request.log.error({ ...line, err: request.failure }, "failed");
  });
  app.addHook("onRequestAbort", async (request) =>
    request.log.info({ ...lineOf(request), ...queryOf(request, withQueries) }, "client disconnected"),
  );
}

/**
 * What the log says about failures that are no faults of the service. Polling /ready while nothing is indexed
 * is normal, clients can send more requests than the service accepts, and `max_lag` may exclude the newest
 * answer: none of these must log errors.
 */
const EXPECTED: Partial<Record<ErrorCode, string>> = {
  "not-ready": "not ready",
  overloaded: "rejected",
  stale: "rejected",
};

function isExpected(failure: unknown): failure is BaseError {
  return failure instanceof BaseError && failure.code in EXPECTED;
}

function lineOf({ address, client, method, routeOptions, url }: FastifyRequest) {
  const path = routeOptions.url ?? (url.split("?", 1)[0] ?? "").slice(0, MAX_PATH);
  const key = client?.key?.id;
  return { client: address, ...(key === undefined ? {} : { key }), method, path };
}

const MAX_PATH = 200;

/** Returns the bytes sent on the connection. An injected request has none. */
function bytesSent({ raw }: FastifyRequest): number {
  return raw.socket?.bytesWritten ?? 0;
}

function queryOf(request: FastifyRequest, withText: boolean): { query?: string; sql?: string } {
  const statement = statementOf(request);
  if (statement === null) return {};
  const { fingerprint: query, text } = statement;
  return withText ? { query, sql: text.slice(0, MAX_LOGGED_SQL) } : { query };
}

/** Maximum number of characters of a logged query, for log lines of a few kilobytes. */
const MAX_LOGGED_SQL = 4_000;
