import type { FastifyReply, FastifyRequest } from "fastify";
import { type ApiLimits, limitsFor } from "../admission/limits.ts";
import { NOT_STORED } from "../caching/http-caching.ts";
import { type Problem, problemOf } from "../errors/errors.ts";

/**
 * Returns the problem of a failed request. An error that is not the client's fault is kept for the request's
 * log line.
 */
export function problemIn(request: FastifyRequest, error: unknown, limits: ApiLimits): Problem {
  const problem = problemOf(error, request, limitsFor(limits, request.client?.key ?? null));
  if (problem.status >= 500) request.failure = error;
  return problem;
}

/**
 * Sends a problem with its status and the headers that all errors have. The form of the body depends on the
 * protocol.
 */
export function sendProblem(reply: FastifyReply, { status, headers }: Problem, body: unknown): FastifyReply {
  return reply
    .code(status)
    .headers({ "x-request-id": reply.request.id, ...NOT_STORED, ...headers })
    .type("application/json; charset=utf-8")
    .send(body);
}
