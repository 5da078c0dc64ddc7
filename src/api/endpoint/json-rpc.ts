import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { isObject } from "../../lib/is-object.ts";
import type { Client } from "../access/keys.ts";
import { jsonOf } from "../answers/json-text.ts";
import { bufferAnswer } from "../answers/unread/buffered-answer.ts";
import { NOT_STORED } from "../caching/http-caching.ts";
import { whileConnected } from "../connections/while-connected.ts";
import { HttpError, type Problem } from "../errors/errors.ts";
import { admittedClient } from "./admitted-client.ts";
import type { Endpoint, Reply } from "./endpoint.ts";
import { type ApiContext, asOfHeaders, runEndpoint } from "./run-endpoint.ts";
import { problemIn, sendProblem } from "./send-problem.ts";

/** Maximum number of calls in one batch: they run one after another, each as fast as a single call. */
export const MAX_CALLS = 100;

/** Identifies a call in its response. */
type CallId = string | number | null;

/** The id used for a call without one. Existing clients rely on it. */
const DEFAULT_ID = 1;

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
    message: z.string().describe("error message: what is wrong and what is allowed"),
  }),
});

type AsOf = Reply<unknown>["asOf"];

interface CallResponse {
  text: string;
  asOf: AsOf;
}

/** Runs one call or a batch of calls; in a batch, the error of a call takes the place of its result. */
export async function answerCalls(
  endpoint: Endpoint,
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { body } = request;
  const run = (call: unknown, signal: AbortSignal) => runCall(endpoint, context, { call, request, signal });
  reply.type("application/json; charset=utf-8").headers(NOT_STORED);
  if (!Array.isArray(body)) {
    const { text, asOf } = await whileConnected(reply, (signal) => run(body, signal));
    return reply.headers(asOfHeaders(asOf)).send(text);
  }
  if (body.length === 0 || body.length > MAX_CALLS) throw new WrongNumberOfCalls(body.length);
  const asOfs: AsOf[] = [];
  const client = admittedClient(request);
  const responseTo = async (call: unknown, i: number, signal: AbortSignal) => {
    const response = await admitted(context, client, i, () => run(call, signal)).catch((error: unknown) => {
      if (signal.aborted) throw error;
      return { text: textOf(problemIn(request, error, context.limits), idOf(call)), asOf: null };
    });
    asOfs.push(response.asOf);
    return response.text;
  };
  const answer = await whileConnected(reply, (signal) => {
    const responses = jsonList(body, async (call, i) => {
      if (i > 0) await context.turns.next(client.name, "call of a batch");
      signal.throwIfAborted();
      return responseTo(call, i, signal);
    });
    return bufferAnswer(responses, context.limits, client.name);
  });
  return reply
    .headers(asOfHeaders(sharedAsOf(asOfs)))
    .header("content-length", answer.bytes)
    .send(answer);
}

/**
 * Runs a call of a batch, which counts as a request. The first call was counted when the batch arrived.
 *
 * @throws ClientOverload, QuotaUsed, and whatever the call throws
 */
async function admitted<T>(
  { clientLimits }: ApiContext,
  client: Client,
  call: number,
  run: () => Promise<T>,
): Promise<T> {
  if (call > 0) clientLimits.requireTokens(client);
  return run();
}

async function runCall(
  endpoint: Endpoint,
  context: ApiContext,
  { call, request, signal }: { call: unknown; request: FastifyRequest; signal: AbortSignal },
): Promise<CallResponse> {
  const id = idOf(call);
  if (!isObject(call) || id === undefined) throw new InvalidCall();
  const { body, asOf } = await runEndpoint(endpoint, context, {
    given: call,
    method: "POST",
    request,
    signal,
  });
  return { text: `{"id":${JSON.stringify(id)},"jsonrpc":"2.0","result":${jsonOf(body)}}`, asOf };
}

/**
 * Streams the responses as a JSON list, with only one of them in memory. The first call uses the turn of its
 * request; each further one waits for another turn of the client. Otherwise, calls that are answered from
 * memory would all run in one iteration of the event loop, or one call of every batch would run in each
 * iteration.
 */
async function* jsonList(
  calls: readonly unknown[],
  responseTo: (call: unknown, i: number) => Promise<string>,
): AsyncGenerator<Uint8Array> {
  for (const [i, call] of calls.entries()) {
    yield Buffer.from((i === 0 ? "[" : ",") + (await responseTo(call, i)));
  }
  yield Buffer.from("]");
}

/** Returns the commit that all responses reflect; null if they reflect different ones. */
function sharedAsOf([first = null, ...others]: readonly AsOf[]): AsOf {
  const isShared = (asOf: AsOf) => asOf?.blockHash === first?.blockHash && asOf?.sequence === first?.sequence;
  return others.every(isShared) ? first : null;
}

/**
 * Returns the error handler for JSON-RPC, which reports errors that concern the whole request.
 *
 * @param defaultId the id that is reported for a request without one
 */
export function sendRpcProblem({ limits }: ApiContext, defaultId: CallId = DEFAULT_ID) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = problemIn(request, error, limits);
    const id = Array.isArray(request.body) ? null : idOf(request.body, defaultId);
    return sendProblem(reply, problem, textOf(problem, id));
  };
}

function textOf({ status, message }: Problem, id: CallId | undefined): string {
  return JSON.stringify({ error: { code: status, message }, id: id ?? null, jsonrpc: "2.0" });
}

/**
 * Returns the id of a call; undefined if it is not valid. Numbers beyond MAX_SAFE_INTEGER are invalid,
 * because the parser rounds them and the client would not recognize its id in the response.
 */
function idOf(call: unknown, defaultId: CallId = DEFAULT_ID): CallId | undefined {
  if (!isObject(call)) return undefined;
  const { id = defaultId } = call;
  if (typeof id === "number") return Math.abs(id) <= Number.MAX_SAFE_INTEGER ? id : undefined;
  return typeof id === "string" || id === null ? id : undefined;
}

class InvalidCall extends HttpError {
  constructor() {
    super(
      400,
      "A call must be a JSON object with the fields method, params (an object) and id " +
        `(a string, or a number up to ${Number.MAX_SAFE_INTEGER}, which is 2^53 - 1; by default 1).`,
    );
  }
}

class WrongNumberOfCalls extends HttpError {
  constructor(calls: number) {
    super(400, `The list has ${calls} calls; it must have 1 to ${MAX_CALLS}.`);
  }
}
