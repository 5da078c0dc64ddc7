import type { FastifyRequest } from "fastify";
import type { Registry } from "prom-client";
import type { Clock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { FairTurns } from "../../lib/queues/fair-turns.ts";
import { answerLater, answerNow, type ServedReply } from "../../reads/served/served.ts";
import {
  type Answer,
  type Commit,
  knownCommit,
  type Reader,
  readableChain,
} from "../../reads/snapshot/snapshot.ts";
import type { Client } from "../access/keys.ts";
import type { ClientLimits } from "../admission/client-limits.ts";
import { type AdmissionQueues, type Caller, type QueuedTask, TakenSlot } from "../admission/fair-queue.ts";
import { type ApiLimits, limitsFor, queryLimits } from "../admission/limits.ts";
import { workKind } from "../admission/work-kind.ts";
import { BufferedAnswer } from "../answers/unread/buffered-answer.ts";
import type { BodyMemory } from "../bodies/body-memory.ts";
import type { HttpCaching } from "../caching/http-caching.ts";
import {
  type Parameters,
  type RequestContext,
  readParameters,
  type Values,
} from "../parameters/parameter.ts";
import type { SharedSql } from "../shared-sql/shared-sql.ts";
import { admittedClient } from "./admitted-client.ts";
import type {
  Body,
  Call,
  Endpoint,
  IndexingState,
  Method,
  Operations,
  QuestionCall,
  Reply,
} from "./endpoint.ts";
import { maxLagOf, requireFresh } from "./max-lag.ts";

/** The context that all routes share. */
export interface ApiContext {
  reader: Reader;
  limits: ApiLimits;
  clock: Clock;
  indexing(chain: string): IndexingState | null;
  /** See `Call`. */
  sentAges: Call["sentAges"];
  metrics: Registry;
  operations: Operations;
  /**
   * Identifies the client that sent a request.
   *
   * @throws HttpError if a key is required and no valid one is given
   */
  checkClient(request: FastifyRequest): Client;
  /** Returns whether the key of an admitted request is still valid. */
  isStillAdmitted(request: FastifyRequest): boolean;
  queues: AdmissionQueues;
  /** The turns of all requests on the event loop. */
  turns: FairTurns;
  /** The memory of incomplete bodies and messages. */
  bodyMemory: BodyMemory;
  clientLimits: ClientLimits;
  caching: HttpCaching;
  sharedSql: SharedSql;
}

/** A request whose parameters are valid. */
export interface ValidRequest {
  values: Values<Parameters>;
  /** Unix seconds; the same moment for the whole request. */
  now: number;
}

/** @param given parameters as the client gave them */
export function readRequest(
  endpoint: Endpoint,
  context: ApiContext,
  given: Record<string, unknown>,
  method: Method,
): ValidRequest {
  const from = requestContext(context, method);
  return { values: readParameters(endpoint.parameters, given, from), now: from.now };
}

/** Makes the context for reading the parameters of a request that arrives now. */
export function requestContext({ reader, clock }: ApiContext, method: Method): RequestContext {
  const chains = reader.chains.map(({ chain }) => chain.name);
  return { method, now: Math.floor(clock.now() / 1000), chains };
}

interface RunEndpointOptions {
  /** Parameters as the client gave them. */
  given: Record<string, unknown>;
  method: Method;
  request: FastifyRequest;
  signal: AbortSignal;
}

/** Reads the parameters and runs the endpoint when its turn comes. */
export async function runEndpoint(
  endpoint: Endpoint,
  context: ApiContext,
  { given, method, ...from }: RunEndpointOptions,
): Promise<Reply<unknown>> {
  return runValid(endpoint, context, { ...readRequest(endpoint, context, given, method), ...from });
}

type ValidRun = ValidRequest & Pick<RunEndpointOptions, "request" | "signal">;

/** Runs the endpoint when its turn comes. @throws BlockTooOld, and whatever the endpoint throws */
export async function runValid(
  endpoint: Endpoint,
  context: ApiContext,
  run: ValidRun,
): Promise<Reply<unknown>> {
  const maxLag = maxLagOf(run.values);
  if (maxLag !== null) await requireFreshChain(context, run.values, maxLag);
  const reply = await replyTo(endpoint, context, run);
  checkOrDrop(reply.body, () => requireFresh(maxLag, commitsOf(reply), context.clock));
  return reply;
}

/**
 * Rejects a request if the newest block of its chain is too old, before its query runs. The answer is also
 * checked, because it may still be too old.
 */
async function requireFreshChain(
  { reader, clock }: ApiContext,
  { chain }: Values<Parameters>,
  maxLag: number,
): Promise<void> {
  if (typeof chain !== "string") return;
  const commit = await knownCommit(readableChain(reader, chain));
  if (commit !== null) requireFresh(maxLag, [commit], clock);
}

function commitsOf({ asOf, asOfEach = [] }: Reply<unknown>): readonly Commit[] {
  return asOf === null ? asOfEach : [asOf];
}

async function replyTo(
  endpoint: Endpoint,
  context: ApiContext,
  { values, now, request, signal }: ValidRun,
): Promise<Reply<unknown>> {
  const { reader, indexing, sentAges, metrics, operations, clientLimits } = context;
  const limits = limitsFor(context.limits, request.client?.key ?? null);
  const { accept } = request.headers;
  const client = () => admittedClient(request).name;
  const caller = () => ({ client: client(), kind: workKind(endpoint.name, values), signal });
  const queued = (cost: "query" | "read", task: Task) =>
    runInTurn(context, { endpoint, cost }, caller(), task);
  if ("question" in endpoint || "questions" in endpoint) {
    const served = servedBy(endpoint, values, { reader, limits, client, indexing, sentAges, now });
    const read: Task = (stop, slot) => served.later(reader, queryLimits(limits, stop, slot));
    return served.now(reader) ?? (await queued("read", read));
  }
  if ("sql" in endpoint) {
    const call = { reader, limits, now, accept };
    const by = caller();
    clientLimits.requireRead(by.client);
    clientLimits.countQuery(admittedClient(request));
    const answer = await context.sharedSql.answer(endpoint.sql(values, call), by);
    // `runInTurn` repeats this check for other requests. SQL does not pass through it, because a shared
    // answer needs no place in the queue.
    checkOrDrop(answer.body, () => clientLimits.requireRead(by.client));
    return endpoint.replyOf(answer, values, call);
  }
  if ("stream" in endpoint) throw new BaseError("internal", `${endpoint.name} has no single answer`);
  const run: Call["run"] = (other, parameters) =>
    runEndpoint(other, context, { given: parameters, method: "POST", request, signal });
  const handle: Task = (stop, slot) =>
    endpoint.handle(values, {
      ...{ reader, limits, indexing, sentAges, metrics, operations, now, client, accept, run },
      keyUse: () => {
        const { key } = admittedClient(request);
        return key && { key, usage: clientLimits.usage };
      },
      within: queryLimits(limits, stop, slot),
    });
  if (endpoint.cost === "nothing") return handle(signal, new TakenSlot(""));
  return queued(endpoint.cost, handle);
}

/** Runs the check, and drops the answer if the check fails. */
function checkOrDrop(body: Body<unknown>, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (body instanceof BufferedAnswer) body.destroy();
    throw error;
  }
}

type Task = QueuedTask<Reply<unknown>>;

/**
 * Runs a task when the request's turn comes in the queue, and then on the event loop: an answer that is in
 * memory by then takes time only there. Before that, checks the client's unread answers again, because there
 * may be more by then.
 */
function runInTurn(
  { queues, clientLimits, turns }: ApiContext,
  { endpoint, cost }: { endpoint: Endpoint; cost: "query" | "read" },
  caller: Caller,
  task: Task,
): Promise<Reply<unknown>> {
  return queues[cost].run(caller, async (signal, slot) => {
    await turns.next(caller.client, `run ${endpoint.name}`);
    signal.throwIfAborted();
    clientLimits.requireRead(caller.client);
    return task(signal, slot);
  });
}

function servedBy(
  endpoint: Extract<Endpoint, { question: unknown } | { questions: unknown }>,
  values: Values<Parameters>,
  call: QuestionCall,
): ServedReply<Reply<unknown>> {
  if ("questions" in endpoint) return endpoint.questions(values, call);
  const question = endpoint.question(values, call);
  return {
    now(reader) {
      const known = answerNow(reader, question);
      return known && replyOf(known);
    },
    later: async (reader, limits) => replyOf(await answerLater(reader, question, limits)),
  };
}

function replyOf<A>({ answer: body, asOf }: Answer<Body<A>>): Reply<A> {
  return { body, asOf };
}

/** Returns the headers that identify the commit of an answer, and the first block that it includes. */
export function asOfHeaders(asOf: Reply<unknown>["asOf"]): Record<string, string | number> {
  if (asOf === null) return {};
  return {
    "x-first-block": asOf.firstBlock,
    "x-indexed-block": asOf.blockNumber,
    "x-indexed-timestamp": asOf.timestamp,
    "x-indexed-block-hash": asOf.blockHash,
    "x-commit": asOf.sequence,
  };
}
