import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { ApiContext } from "./run-endpoint.ts";
import { problemIn, sendProblem } from "./send-problem.ts";

/** An error in the form of UDF (Universal Data Feed), the protocol of TradingView's charts. */
export const UDF_PROBLEM = z.strictObject({
  s: z.literal("error"),
  errmsg: z.string().describe("what is wrong"),
});

/** Returns the error handler for UDF. */
export function sendUdfProblem({ limits }: ApiContext) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = problemIn(request, error, limits);
    return sendProblem(reply, problem, { s: "error", errmsg: problem.message });
  };
}
