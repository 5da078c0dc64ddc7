import { randomUUID } from "node:crypto";
import websocket from "@fastify/websocket";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { Registry } from "prom-client";
import type { WebSocket } from "ws";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { FairTurns } from "../../lib/queues/fair-turns.ts";
import { MAX_ATTEMPTS, type Reader } from "../../reads/snapshot/snapshot.ts";
import { readAddresses } from "../access/client-address.ts";
import { allowOrigins, isAllowed } from "../access/cors.ts";
import { requireHost } from "../access/hosts.ts";
import { clientCheck, stillAdmitted } from "../access/keys.ts";
import { ClientLimits } from "../admission/client-limits.ts";
import type { AdmissionQueue } from "../admission/fair-queue.ts";
import { type ApiLimits, DEFAULT_LIMITS } from "../admission/limits.ts";
import { queryQueue, readQueue } from "../admission/queues.ts";
import { compressAnswers } from "../answers/compression.ts";
import { requireReading } from "../answers/unread/reading-pace.ts";
import { BodyMemory } from "../bodies/body-memory.ts";
import { acceptJsonBodies } from "../bodies/json-bodies.ts";
import { HttpCaching } from "../caching/http-caching.ts";
import { arrivalTimeouts } from "../connections/arrival-timeouts.ts";
import { delayRejections } from "../connections/delayed-rejections.ts";
import { withinFileHandles } from "../connections/file-handles.ts";
import { refuseTooManyHeaders } from "../connections/headers/header-count.ts";
import { limitConnections } from "../connections/limit-connections.ts";
import { answerMalformed } from "../connections/malformed.ts";
import { PendingResponses } from "../connections/pipelining/pending-responses.ts";
import { dropUnreadBodies } from "../connections/unread-bodies.ts";
import { detachedRequest } from "../connections/upgrades/detached-request.ts";
import { closeIfRefused, webSocketsOf } from "../connections/upgrades/upgrades.ts";
import type { IndexingState } from "../endpoint/endpoint.ts";
import type { ApiContext } from "../endpoint/run-endpoint.ts";
import { problemIn, sendProblem } from "../endpoint/send-problem.ts";
import { ENDPOINTS } from "../endpoints/endpoints.ts";
import { stream } from "../endpoints/stream.ts";
import { urlTooLong } from "../errors/errors.ts";
import { anyOf, type ClientKeys, fixedKeys } from "../keys/client-keys.ts";
import type { KeyUsage } from "../keys/key-usage.ts";
import { processReporter } from "../operations/process-report.ts";
import { onlyProcess, type ReportExchange } from "../operations/report-exchange.ts";
import { SlowRequests } from "../operations/slow-requests.ts";
import { measureSlow, type OnEnd, watchRequests } from "../operations/watch-requests.ts";
import { SharedSql } from "../shared-sql/shared-sql.ts";
import { MAX_MESSAGE_BYTES } from "../streams/socket-input.ts";
import { StreamFigures } from "../streams/stream-metrics.ts";
import { refuseOtherOrigins, refuseOtherSockets } from "../streams/stream-route.ts";
import { Streams } from "../streams/streams.ts";
import {
  measureAnswers,
  measureClients,
  measureQueues,
  measureRequests,
  measureSharedSql,
  measureTurns,
} from "../telemetry/http-metrics.ts";
import { logRequests } from "../telemetry/request-log.ts";
import { traceRequests } from "../telemetry/request-traces.ts";
import { admitClient, countUnread, reportRates } from "./client-load.ts";
import { Explorer, isForExplorer } from "./explorer.ts";
import { addMcp } from "./mcp.ts";
import { NotFound } from "./not-found.ts";
import { addRoute } from "./route.ts";
import { stopGracefully } from "./shutdown.ts";
import { takeTurns } from "./take-turns.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** The service's streams, for parts of Quarry that use them without a connection, such as webhooks. */
    readonly streams: Streams;
  }
}

export interface ApiOptions extends Reader {
  logger?: FastifyBaseLogger;
  /** Whether to log the text of SQL queries; default: only a fingerprint. */
  logQueries?: boolean;
  /** Keys of clients, with all scopes except `operations`; without any keys, the service is open. */
  apiKeys?: readonly string[];
  /** Further keys, which may change. */
  clientKeys?: ClientKeys;
  /** Usage of the keys this month; default: counted from now on. */
  usage?: KeyUsage;
  /** Proxies whose X-Forwarded-For names the client: addresses, ranges, or `loopback`; default: none. */
  trustProxy?: readonly string[];
  /** Names that requests may have in their Host header; default: any. */
  allowedHosts?: readonly string[];
  /** Origins whose pages may read responses: URLs, `*` for any, `local` for this machine; default: any. */
  allowedOrigins?: readonly string[];
  limits?: Partial<ApiLimits>;
  /** Returns the state of a chain's indexer in this process; null if there is none. */
  indexing?: (chain: string) => IndexingState | null;
  /** Registry of /metrics, to which the metrics of requests are added; each server needs its own. */
  metrics?: Registry;
  /** Folder of the built explorer, which is served at `/`; default: no explorer. */
  explorer?: string;
  /** The queue for clients' SQL; default: this server has its own. */
  queryQueue?: AdmissionQueue;
  /** Exchanges reports with the other processes of the service; default: there are no other processes. */
  reports?: ReportExchange;
  clock?: Clock;
  /** Version of the service, part of every ETag. */
  version?: string;
}

/** Node's own limit on URL and headers, above ours, so that a long URL gets our error. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Creates the HTTP service, ready to listen or to take injected requests. */
export async function createServer(options: ApiOptions): Promise<FastifyInstance> {
  const settings = { ...DEFAULT_LIMITS, ...options.limits };
  const { clock = systemClock } = options;
  const pending = new PendingResponses(settings.pipelinedRequests);
  const app = createApp(options, settings, pending);
  const limits = withinFileHandles(settings, app.log);
  app.setErrorHandler(errorHandler(limits));
  const explorer = options.explorer === undefined ? null : new Explorer(options.explorer);
  const pagesFor = (request: FastifyRequest) => (isForExplorer(request) ? explorer : null);
  app.setNotFoundHandler((request, reply) => {
    const pages = pagesFor(request);
    if (pages === null) throw new NotFound(request.url);
    // If the reply were returned, Fastify would add more listeners to it than Node allows without a warning.
    pages.sendPage(request, reply);
  });
  const metrics = options.metrics ?? new Registry();
  const figures = new StreamFigures(metrics, clock);
  const reports = options.reports ?? onlyProcess(clock);
  const turns = new FairTurns();
  const context = createContext({ ...options, metrics, reports }, limits, { clock, figures, turns });
  acceptJsonBodies(app, {
    memory: context.bodyMemory,
    turns,
    registry: context.metrics,
    admit: (request) => admitClient(request, context),
  });
  limitConnections(app.server, { limits, pending, clock, logger: app.log, registry: context.metrics });
  refuseTooManyHeaders(app);
  readAddresses(app, options.trustProxy ?? []);
  const endTrace = traceRequests(app);
  logRequests(app, options.logQueries ?? false);
  measureRequests(app, context.metrics, [endTrace, reportOperations(app, context, reports)]);
  measureQueues(context.queues, context.metrics);
  measureAnswers(context.metrics);
  measureSharedSql(context.sharedSql, context.metrics);
  measureClients(context.clientLimits, context.metrics);
  countUnread(app, context.clientLimits);
  reportRates(app, context.clientLimits);
  takeTurns(app, turns, limits);
  measureTurns(turns, context.metrics);
  requireReading(app, { limits, clock, metrics: context.metrics });
  delayRejections(app, { limits, clock, registry: context.metrics, turns });
  compressAnswers(app);
  allowOrigins(app, options.allowedOrigins ?? ["*"]);
  if (options.allowedHosts !== undefined) requireHost(app, options.allowedHosts);
  dropUnreadBodies(app);
  stopGracefully(app, { pending, graceMs: limits.shutdownMs, clock });
  const streams = await addStreams(app, context, {
    figures,
    pending,
    origins: options.allowedOrigins ?? ["*"],
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ "x-request-id": request.id, "x-content-type-options": "nosniff" });
    if (request.is404 && pagesFor(request) === null) {
      if (explorer !== null) reply.header("vary", "Accept");
      throw new NotFound(request.url);
    }
    if (request.url.length > limits.urlLength) throw urlTooLong(limits.urlLength);
  });
  for (const endpoint of ENDPOINTS) addRoute(app, endpoint, context, streams);
  addMcp(app, context, options.version ?? "");
  explorer?.addRoutes(app);
  await app.ready();
  return app;
}

/**
 * Provides this process's report to all processes of the service. Returns a function that must be called for
 * each request that has ended.
 */
function reportOperations(
  app: FastifyInstance,
  { reader, limits, queues, operations, metrics: registry, clock }: ApiContext,
  reports: ReportExchange,
): OnEnd {
  const slow = new SlowRequests();
  const { slowAfterMs, hasTexts: withTexts } = operations;
  measureSlow(slow, registry);
  reports.provide(processReporter({ queues, served: { registry, limits, slow }, clock }));
  return watchRequests(app, { slow, slowAfterMs, withTexts, reader, clock });
}

/** Accepts WebSockets, and serves streams through them and as server-sent events. */
async function addStreams(
  app: FastifyInstance,
  { reader, limits, queues, turns, clock }: ApiContext,
  {
    figures,
    pending,
    origins,
  }: { figures: StreamFigures; pending: PendingResponses; origins: readonly string[] },
): Promise<Streams> {
  const streams = new Streams({ reader, limits, queues, turns, clock, logger: app.log, figures });
  app.decorate("streams", streams);
  app.addHook("preClose", async () => streams.close());
  const options = { ...SOCKET_OPTIONS, server: webSocketsOf(app.server, pending, turns) };
  await app.register(websocket, { options, errorHandler: endSocket });
  refuseOtherSockets(app, stream.path);
  refuseOtherOrigins(app, (origin) => isAllowed(origin, origins));
  return streams;
}

/**
 * Maximum number of frames in a message, and of parts in which a message arrives. Each takes additional
 * memory.
 */
const MAX_FRAGMENTS = 256;
const MAX_PARTS = 4_096;

/**
 * Frames are not compressed, because that would take memory and time for each client. The event loop handles
 * one frame of a client at a time, because thousands of tiny ones may arrive together.
 */
const SOCKET_OPTIONS = {
  perMessageDeflate: false,
  maxPayload: MAX_MESSAGE_BYTES,
  maxFragments: MAX_FRAGMENTS,
  maxBufferedChunks: MAX_PARTS,
  allowSynchronousEvents: false,
};

/** Ends a WebSocket whose client broke the protocol or whose connection failed. */
function endSocket(error: Error, socket: WebSocket, { log }: FastifyRequest): void {
  log.info({ reason: error.message }, "a WebSocket failed");
  socket.terminate();
}

function createApp({ logger }: ApiOptions, limits: ApiLimits, pending: PendingResponses): FastifyInstance {
  const arrival = arrivalTimeouts(limits);
  const onFrameworkError = errorHandler(limits);
  const app = Fastify({
    ...(logger === undefined ? { logger: false } : { loggerInstance: logger }),
    // Our own hooks log requests.
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    bodyLimit: limits.bodyBytes,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    // A connection silent for this long is dead: the slowest query, retried after reorgs, takes no longer.
    connectionTimeout: 2 * limits.waitMs + limits.quickMs + MAX_ATTEMPTS * limits.queryTimeMs,
    ...arrival,
    // Node would reject a request without a Host header, and its response would have no body. The service
    // does not need the header.
    http: {
      ...arrival.http,
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
      IncomingMessage: detachedRequest(pending),
    },
    clientErrorHandler: answerMalformed,
    // Hooks do not run for these errors.
    frameworkErrors: (error, request, reply) => {
      closeIfRefused(request, reply);
      onFrameworkError(error, request, reply);
    },
    routerOptions: { ignoreTrailingSlash: true },
  });
  app.addHook("onRequest", async (request, reply) => closeIfRefused(request, reply));
  return app;
}

function createContext(
  options: ApiOptions & { metrics: Registry; reports: ReportExchange },
  limits: ApiLimits,
  { clock, figures, turns }: { clock: Clock; figures: StreamFigures; turns: FairTurns },
): ApiContext {
  const { apiKeys = [], clientKeys, version = "", reports } = options;
  const keys = anyOf([fixedKeys(apiKeys), ...(clientKeys === undefined ? [] : [clientKeys])]);
  const reader = { engine: options.engine, chains: options.chains };
  const queues = {
    query: options.queryQueue ?? queryQueue(limits, clock),
    read: readQueue(limits, clock),
  };
  const clientLimits = new ClientLimits(limits, clock, options.usage);
  return {
    reader,
    limits,
    clock,
    indexing: options.indexing ?? (() => null),
    sentAges: (chain) => figures.sentAges(chain),
    metrics: options.metrics,
    operations: {
      slowAfterMs: limits.slowAfterMs,
      hasTexts: options.logQueries ?? false,
      collect: () => reports.collect(),
    },
    checkClient: clientCheck(keys, limits, clock),
    isStillAdmitted: stillAdmitted(keys, clock),
    clientLimits,
    caching: new HttpCaching({ reader, version, hasKeys: keys.isRequired }),
    queues,
    turns,
    bodyMemory: new BodyMemory(limits),
    sharedSql: new SharedSql({
      ...{ reader, limits, queue: queues.query, turns, clock },
      // In an open service, clients are addresses, which have no monthly usage.
      ...(keys.isRequired
        ? { onRun: (client, ms) => clientLimits.usage.add(client, { sqlSeconds: ms / 1000 }) }
        : {}),
    }),
  };
}

function errorHandler(limits: ApiLimits) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const problem = problemIn(request, error, limits);
    return sendProblem(reply, problem, { error: problem.message });
  };
}
