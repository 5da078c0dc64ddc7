import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { spool } from "../answers/buffered-answer.ts";
import { type Problem, problemOf, Refused } from "../errors/errors.ts";
import type { Endpoint, Reply } from "./endpoint.ts";
import { abortedWithReply, askEndpoint, asOfHeaders, type Service } from "./run-endpoint.ts";

/** Calls in one list: they are answered one after the other, each as fast as alone. */
export const MAX_CALLS = 100;

/** What names a call in its answer. */
type CallId = string | number | null;

/** Clients of this interface rely on it. */
const UNTOLD_ID = 1;

export const RPC_RESPONSE_FIELDS = {
  id: z
    .union([z.string(), z.number(), z.null()])
    .describe("id of the call; 1 if it has none, null if it cannot be determined"),
  jsonrpc: z.literal("2.0"),
};

export const RPC_PROBLEM = z.strictObject({
  ...RPC_RESPONSE_FIELDS,
  error: z.strictObject({
    code: z.int().describe("HTTP status of the error"),
    message: z.string().describe("error message: what is wrong, what is allowed"),
  }),
});

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Answers one call, or a list of them; an error of a call in a list stands in its place. */
export async function answerCalls(
  endpoint: Endpoint,
  service: Service,
  { request, reply }: Exchange,
): Promise<FastifyReply> {
  const { body } = request;
  const signal = abortedWithReply(reply);
  const ask = (call: unknown) => askOne(endpoint, service, { call, request, signal });
  reply.type("application/json; charset=utf-8");
  if (!Array.isArray(body)) {
    const { text, asOf } = await ask(body);
    return reply.headers(asOfHeaders(asOf)).send(text);
  }
  if (body.length === 0 || body.length > MAX_CALLS) throw new WrongNumberOfCalls(body.length);
  const asOfs: AsOf[] = [];
  const answered = async (call: unknown) => {
    const one = await ask(call).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return problemText(error, { call, request, service });
    });
    asOfs.push(one.asOf);
    return one.text;
  };
  const stream = await spool(inList(body, answered), service.limits);
  return reply
    .headers(asOfHeaders(sharedAsOf(asOfs)))
    .header("content-length", stream.bytes)
    .send(stream);
}

type AsOf = Reply<unknown>["asOf"];

interface Answered {
  text: string;
  asOf: AsOf;
}

async function askOne(
  endpoint: Endpoint,
  service: Service,
  { call, request, signal }: { call: unknown; request: FastifyRequest; signal: AbortSignal },
): Promise<Answered> {
  const id = idOf(call);
  if (!isObject(call) || id === undefined) throw new NotACall();
  const { body, asOf } = await askEndpoint(endpoint, service, {
    given: call,
    method: "POST",
    request,
    signal,
  });
  return { text: JSON.stringify({ id, jsonrpc: "2.0", result: body }), asOf };
}

/** One answer at a time is held, not all of them. */
async function* inList(
  calls: readonly unknown[],
  answered: (call: unknown) => Promise<string>,
): AsyncGenerator<Uint8Array> {
  for (const [i, call] of calls.entries()) yield Buffer.from((i === 0 ? "[" : ",") + (await answered(call)));
  yield Buffer.from("]");
}

/** The commit that all answers are as of; null where they differ. */
function sharedAsOf([first = null, ...others]: readonly AsOf[]): AsOf {
  return others.every((asOf) => asOf?.blockHash === first?.blockHash) ? first : null;
}

/** Answers what a request as a whole is refused for. */
export function sendRpcProblem(service: Service) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = problemIn(request, error, service);
    const text = textOf(problem, Array.isArray(request.body) ? null : idOf(request.body));
    reply.code(problem.status).headers({ "x-request-id": request.id, ...problem.headers });
    return reply.type("application/json; charset=utf-8").send(text);
  };
}

function problemText(
  error: unknown,
  { call, request, service }: { call: unknown; request: FastifyRequest; service: Service },
): Answered {
  return { text: textOf(problemIn(request, error, service), idOf(call)), asOf: null };
}

function problemIn(request: FastifyRequest, error: unknown, { limits }: Service): Problem {
  const problem = problemOf(error, { requestId: request.id, limits });
  if (problem.status >= 500) request.failure = error;
  return problem;
}

function textOf({ status, sentence }: Problem, id: CallId | undefined): string {
  return JSON.stringify({ error: { code: status, message: sentence }, id: id ?? null, jsonrpc: "2.0" });
}

/** undefined: what is given cannot name a call. */
function idOf(call: unknown): CallId | undefined {
  if (!isObject(call)) return undefined;
  const { id = UNTOLD_ID } = call;
  return typeof id === "string" || typeof id === "number" || id === null ? id : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

class NotACall extends Refused {
  constructor() {
    super(
      400,
      "A call must be a JSON object with the fields method, params (an object) and id (a text or a number; 1 where it is absent).",
    );
  }
}

class WrongNumberOfCalls extends Refused {
  constructor(calls: number) {
    super(400, `The list has ${calls} calls; allowed are 1 to ${MAX_CALLS}.`);
  }
}
