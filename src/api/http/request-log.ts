import type { FastifyInstance, FastifyRequest } from "fastify";
import { BaseError } from "../../lib/error.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The cause of a 5xx: for the log, never for the client. */
    failure: unknown;
  }
}

/** Logs one line for each request. Only paths: queries and bodies may contain keys. */
export function logRequests(app: FastifyInstance): void {
  app.decorateRequest("failure", undefined);
  app.addHook("onResponse", async (request, reply) => {
    const line = { ...lineOf(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    if (request.failure === undefined) request.log.info(line, "request completed");
    else if (isNotReady(request.failure))
      request.log.info({ ...line, reason: request.failure.message }, "not ready");
    else request.log.error({ ...line, err: request.failure }, "failed");
  });
  app.addHook("onRequestAbort", async (request) => request.log.info(lineOf(request), "client disconnected"));
}

/** Polling /ready while the first blocks are indexed is normal, and must not log errors. */
function isNotReady(failure: unknown): failure is BaseError {
  return failure instanceof BaseError && failure.code === "not-ready";
}

function lineOf({ method, routeOptions, url }: FastifyRequest): { method: string; path: string } {
  return { method, path: routeOptions.url ?? (url.split("?", 1)[0] ?? "").slice(0, MAX_PATH) };
}

const MAX_PATH = 200;
