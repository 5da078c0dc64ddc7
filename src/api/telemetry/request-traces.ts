import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isTracing, type Span, startTrace } from "../../lib/tracing/tracing.ts";
import { statementOf } from "../operations/statement.ts";
import type { OnEnd } from "../operations/watch-requests.ts";
import { isStream, routeOf } from "./http-metrics.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The trace span of the request; null without traces, and for probes and streams. */
    span: Span | null;
  }
}

/** Probes arrive every few seconds, and say nothing about clients. */
const PROBES = ["/health", "/ready"];

/**
 * Records a span for each request, as part of the client's trace if the request names one. Streams have none,
 * because they last as long as their clients want. Text that a client can invent is not recorded: the path is
 * the pattern of the route, and SQL has only a fingerprint.
 *
 * @returns a function that must be called for each request that has ended
 */
export function traceRequests(app: FastifyInstance): OnEnd {
  if (!isTracing()) return () => undefined;
  app.decorateRequest("span", null);
  app.addHook("onRequest", (request, _reply, next) => {
    const route = routeOf(request);
    if (PROBES.includes(route) || isStream(request)) return next();
    const span = startRequest(request, route);
    request.span = span;
    span.run(next);
  });
  // The events of a connection, which deliver a body, are not part of any request.
  app.addHook("preValidation", ({ span }, _reply, next) => (span === null ? next() : span.run(next)));
  return endRequest;
}

function startRequest({ method, headers, id }: FastifyRequest, route: string): Span {
  const { traceparent } = headers;
  return startTrace(`${method} ${route}`, {
    kind: "server",
    ...(typeof traceparent === "string" ? { traceparent } : {}),
    facts: { "http.request.method": method, "http.route": route, "quarry.request_id": id },
  });
}

function endRequest(request: FastifyRequest, _reply: FastifyReply, status: number): void {
  const { span } = request;
  if (span?.isRecorded === true) {
    const query = statementOf(request)?.fingerprint;
    span.set({
      "http.response.status_code": status,
      ...(query === undefined ? {} : { "quarry.query": query }),
    });
    if (status >= 500) span.fail(request.failure ?? null);
  }
  span?.end();
}
