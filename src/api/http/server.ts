import { randomUUID } from "node:crypto";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { Registry } from "prom-client";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { MAX_ATTEMPTS, type Reader } from "../../reads/snapshot/snapshot.ts";
import { FairQueue } from "../admission/fair-queue.ts";
import { type ApiLimits, DEFAULT_LIMITS } from "../admission/limits.ts";
import { TwoTierAdmission } from "../admission/two-tier-admission.ts";
import type { IndexingState } from "../endpoint/endpoint.ts";
import type { ApiContext } from "../endpoint/run-endpoint.ts";
import { ENDPOINTS } from "../endpoints/endpoints.ts";
import { problemOf, urlTooLong } from "../errors/errors.ts";
import { allowAnyOrigin } from "./cors.ts";
import { addExplorer, isForExplorer } from "./explorer.ts";
import { measureAnswers, measureQueues, measureRequests } from "./http-metrics.ts";
import { clientCheck } from "./keys.ts";
import { answerMalformed } from "./malformed.ts";
import { NotFound } from "./not-found.ts";
import { logRequests } from "./request-log.ts";
import { addRoute } from "./route.ts";
import { stopGracefully } from "./shutdown.ts";

export interface ApiOptions extends Reader {
  logger?: FastifyBaseLogger;
  /** Without any, the service is open. */
  apiKeys?: readonly string[];
  limits?: Partial<ApiLimits>;
  /** State of a chain's indexer in this process; null where none runs. */
  indexing?: (chain: string) => IndexingState | null;
  /** Registry of /metrics, to which the metrics of requests are added; each server needs its own. */
  metrics?: Registry;
  /** Folder of the built explorer, which is served at `/`; default: no explorer. */
  explorer?: string;
  clock?: Clock;
}

/** Node's own limit on a URL and headers, above ours, so that a long URL gets our error. */
const MAX_HEADER_BYTES = 64 * 1024;

/** The HTTP service, ready to listen or for injected requests. */
export async function createServer(options: ApiOptions): Promise<FastifyInstance> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { clock = systemClock } = options;
  const app = createApp(options, limits);
  app.removeContentTypeParser("text/plain");
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, limits));
  const isPage = (request: FastifyRequest) => options.explorer !== undefined && isForExplorer(request);
  app.setNotFoundHandler((request, reply) => {
    if (isPage(request)) return reply.sendFile("index.html");
    throw new NotFound(request.url);
  });
  const context = createContext(options, limits, clock);
  logRequests(app);
  measureRequests(app, context.metrics);
  measureQueues(context.queues, context.metrics);
  measureAnswers(context.metrics);
  allowAnyOrigin(app);
  stopGracefully(app, limits.shutdownMs, clock);
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    if (request.is404 && !isPage(request)) throw new NotFound(request.url);
    if (request.url.length > limits.urlLength) throw urlTooLong(limits.urlLength);
  });
  for (const endpoint of ENDPOINTS) addRoute(app, endpoint, context);
  if (options.explorer !== undefined) await addExplorer(app, options.explorer);
  await app.ready();
  return app;
}

function createApp({ logger }: ApiOptions, limits: ApiLimits): FastifyInstance {
  return Fastify({
    ...(logger === undefined ? { logger: false } : { loggerInstance: logger }),
    // Our own hooks log requests.
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    bodyLimit: limits.bodyBytes,
    // Undeclared fields are ignored, whatever their names; these must not reach our objects.
    onProtoPoisoning: "remove",
    onConstructorPoisoning: "remove",
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // A connection silent for this long is dead: the slowest query, retried after reorgs, takes no longer.
    connectionTimeout: 2 * limits.waitMs + limits.quickMs + MAX_ATTEMPTS * limits.queryTimeMs,
    // A request must arrive completely within a minute, so that slow senders cannot hold connections.
    requestTimeout: 60_000,
    // Node would reject a request without Host with an empty body; the service does not need the header.
    http: { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false },
    clientErrorHandler: answerMalformed,
    frameworkErrors: (error, request, reply) => sendProblem(error, request, reply, limits),
    routerOptions: { ignoreTrailingSlash: true },
  });
}

function createContext(options: ApiOptions, limits: ApiLimits, clock: Clock): ApiContext {
  const { waitingRequests: waiting, waitMs } = limits;
  return {
    reader: { engine: options.engine, chains: options.chains },
    limits,
    clock,
    indexing: options.indexing ?? (() => null),
    metrics: options.metrics ?? new Registry(),
    clientOf: clientCheck(options.apiKeys ?? []),
    queues: {
      query: new TwoTierAdmission(
        {
          long: limits.concurrentQueries,
          quick: limits.quickQueries,
          quickMs: limits.quickMs,
          waiting,
          waitMs,
        },
        clock,
      ),
      read: new FairQueue({ running: limits.concurrentReads, waiting, waitMs }, clock),
    },
  };
}

function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  limits: ApiLimits,
): FastifyReply {
  const problem = problemOf(error, request.id, limits);
  if (problem.status >= 500) request.failure = error;
  return reply
    .code(problem.status)
    .headers({ "x-request-id": request.id, ...problem.headers })
    .type("application/json; charset=utf-8")
    .send({ error: problem.message });
}
