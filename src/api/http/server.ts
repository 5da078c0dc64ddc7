import { randomUUID } from "node:crypto";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { Registry } from "prom-client";
import { MAX_ATTEMPTS, type Reader } from "../../reads/snapshot/snapshot.ts";
import { Turnstile } from "../admission/fair-queue.ts";
import { type ApiLimits, DEFAULT_LIMITS } from "../admission/limits.ts";
import { QueryLanes } from "../admission/two-tier-admission.ts";
import type { IndexingState } from "../endpoint/endpoint.ts";
import type { Service } from "../endpoint/run-endpoint.ts";
import { ENDPOINTS } from "../endpoints/endpoints.ts";
import { problemOf, urlTooLong } from "../errors/errors.ts";
import { allowAnyOrigin } from "./cors.ts";
import { addExplorer, isForExplorer } from "./explorer.ts";
import { measureAnswers, measureLines, measureRequests } from "./http-metrics.ts";
import { clientCheck } from "./keys.ts";
import { answerMalformed } from "./malformed.ts";
import { NothingThere } from "./not-found.ts";
import { logRequests } from "./request-log.ts";
import { addRoute } from "./route.ts";
import { stopGracefully } from "./shutdown.ts";

export interface ApiOptions extends Reader {
  logger?: FastifyBaseLogger;
  /** Without any the service is open. */
  apiKeys?: readonly string[];
  limits?: Partial<ApiLimits>;
  /** What the indexer of the same process knows of a chain; null where none runs. */
  indexing?: (chain: string) => IndexingState | null;
  /** What /metrics tells besides the requests, which are added to it: one registry a server. */
  metrics?: Registry;
  /** Folder of the built explorer, which is served at `/`; without it only questions are answered. */
  explorer?: string;
}

/** Node's own bound on a URL with its headers, above ours, so that a long URL gets our answer. */
const MAX_HEADER_BYTES = 64 * 1024;

/** The HTTP service, ready to listen or to be injected requests. */
export async function createServer(options: ApiOptions): Promise<FastifyInstance> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const app = createApp(options, limits);
  app.removeContentTypeParser("text/plain");
  app.setErrorHandler((error, request, reply) => sendProblem(error, { request, reply, limits }));
  const isPage = (request: FastifyRequest) => options.explorer !== undefined && isForExplorer(request);
  app.setNotFoundHandler((request, reply) => {
    if (isPage(request)) return reply.sendFile("index.html");
    throw new NothingThere(request.url);
  });
  const service = createService(options, limits);
  logRequests(app);
  measureRequests(app, service.metrics);
  measureLines(service.lines, service.metrics);
  measureAnswers(service.metrics);
  allowAnyOrigin(app);
  stopGracefully(app, limits.shutdownMs);
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    if (request.is404 && !isPage(request)) throw new NothingThere(request.url);
    if (request.url.length > limits.urlLength) throw urlTooLong(limits.urlLength);
  });
  for (const endpoint of ENDPOINTS) addRoute(app, endpoint, service);
  if (options.explorer !== undefined) await addExplorer(app, options.explorer);
  await app.ready();
  return app;
}

function createApp({ logger }: ApiOptions, limits: ApiLimits): FastifyInstance {
  return Fastify({
    ...(logger === undefined ? { logger: false } : { loggerInstance: logger }),
    // Requests are logged by our own hooks.
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    bodyLimit: limits.bodyBytes,
    // What is not declared is ignored, under whatever name; these never reach an object of ours.
    onProtoPoisoning: "remove",
    onConstructorPoisoning: "remove",
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // Whoever neither sends nor takes anything for this long is gone: the slowest query, asked again after reorgs, takes no longer.
    connectionTimeout: 2 * limits.waitMs + limits.quickMs + MAX_ATTEMPTS * limits.queryTimeMs,
    // A request must arrive whole within a minute: slow senders hold no connection for free.
    requestTimeout: 60_000,
    // Node refuses a request without Host by itself, with an empty body; no answer of ours depends on it.
    http: { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false },
    clientErrorHandler: answerMalformed,
    frameworkErrors: (error, request, reply) => sendProblem(error, { request, reply, limits }),
    routerOptions: { ignoreTrailingSlash: true },
  });
}

function createService(options: ApiOptions, limits: ApiLimits): Service {
  const { waitingRequests: waiting, waitMs } = limits;
  return {
    reader: { engine: options.engine, chains: options.chains },
    limits,
    indexing: options.indexing ?? (() => null),
    metrics: options.metrics ?? new Registry(),
    clientOf: clientCheck(options.apiKeys ?? []),
    lines: {
      query: new QueryLanes({
        long: limits.concurrentQueries,
        quick: limits.quickQueries,
        quickMs: limits.quickMs,
        waiting,
        waitMs,
      }),
      read: new Turnstile({ running: limits.concurrentReads, waiting, waitMs }),
    },
  };
}

function sendProblem(
  error: unknown,
  { request, reply, limits }: { request: FastifyRequest; reply: FastifyReply; limits: ApiLimits },
): FastifyReply {
  const problem = problemOf(error, { requestId: request.id, limits });
  if (problem.status >= 500) request.failure = error;
  return reply
    .code(problem.status)
    .headers({ "x-request-id": request.id, ...problem.headers })
    .type("application/json; charset=utf-8")
    .send({ error: problem.sentence });
}
