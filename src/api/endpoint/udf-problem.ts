import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { NOT_STORED } from "../caching/http-caching.ts";
import { problemOf } from "../errors/errors.ts";
import type { ApiContext } from "./run-endpoint.ts";

/** An error in the form of UDF (Universal Data Feed), the protocol of TradingView's charts. */
export const UDF_PROBLEM = z.strictObject({
  s: z.literal("error"),
  errmsg: z.string().describe("what is wrong"),
});

/** The error handler for UDF: status and headers are those of all errors. */
export function sendUdfProblem({ limits }: ApiContext) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { status, headers, message } = problemOf(error, request, limits);
    if (status >= 500) request.failure = error;
    reply.code(status).headers({ "x-request-id": request.id, ...NOT_STORED, ...headers });
    return reply.type("application/json; charset=utf-8").send({ s: "error", errmsg: message });
  };
}
