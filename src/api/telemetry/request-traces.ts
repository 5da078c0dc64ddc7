import type { FastifyInstance, FastifyRequest } from "fastify";
import { isTracing, type Span, startTrace } from "../../lib/tracing/tracing.ts";
import { CLIENT_CLOSED, isStream, routeOf } from "./http-metrics.ts";
import { fingerprintOf } from "./request-log.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Null without traces, and for probes and streams. */
    span: Span | null;
  }
}

/** Probes arrive every few seconds, and say nothing about clients. */
const PROBES = ["/health", "/ready"];

/**
 * Records a span for each request, as part of the client's trace if it names one. Streams have none, because
 * they last as long as their clients want. What a client invents is not recorded: the path is the pattern of
 * the route, and SQL has only a fingerprint.
 */
export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return;
  app.decorateRequest("span", null);
  app.addHook("onRequest", (request, reply, next) => {
    const route = routeOf(request);
    if (PROBES.includes(route) || isStream(request)) return next();
    const span = startRequest(request, route);
    request.span = span;
    let isSent = false;
    reply.raw.once("finish", () => {
      isSent = true;
    });
    reply.raw.once("close", () => endRequest(span, request, isSent ? reply.statusCode : CLIENT_CLOSED));
    span.run(next);
  });
  // The events of a connection, with which a body arrives, are not part of any request.
  app.addHook("preValidation", ({ span }, _reply, next) => (span === null ? next() : span.run(next)));
}

function startRequest({ method, headers, id }: FastifyRequest, route: string): Span {
  const { traceparent } = headers;
  return startTrace(`${method} ${route}`, {
    kind: "server",
    ...(typeof traceparent === "string" ? { traceparent } : {}),
    facts: { "http.request.method": method, "http.route": route, "quarry.request_id": id },
  });
}

function endRequest(span: Span, request: FastifyRequest, status: number): void {
  if (span.isRecorded) {
    const query = fingerprintOf(request);
    span.set({ "http.response.status_code": status, ...(query === null ? {} : { "quarry.query": query }) });
    if (status >= 500) span.fail(request.failure ?? null);
  }
  span.end();
}
