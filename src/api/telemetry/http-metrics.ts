import type { FastifyInstance, FastifyRequest } from "fastify";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { counter, counters, gauge } from "../../lib/figures.ts";
import type { FairTurns } from "../../lib/queues/fair-turns.ts";
import { CLIENT_LIMITS, type ClientLimits } from "../admission/client-limits.ts";
import type { AdmissionQueues } from "../admission/fair-queue.ts";
import { answerDiskBytes } from "../answers/unread/answer-disk.ts";
import { bufferedBytes } from "../answers/unread/buffered-answer.ts";
import { SLOW_READERS } from "../answers/unread/slow-readers.ts";
import type { OnEnd } from "../operations/watch-requests.ts";
import type { SharedSql } from "../shared-sql/shared-sql.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    isStream?: boolean;
  }
}

/** Names of two metrics that the status line also reads. */
export const REQUESTS_METRIC = "quarry_http_requests_total";
export const RUNNING_METRIC = "quarry_http_questions_running";

/** Upper bounds of the buckets, in seconds: from a point query to the default time limit of a query. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Methods with a label of their own; all others count as `other`. */
const METHODS = ["GET", "HEAD", "POST", "OPTIONS"];

/** Path of the explorer's files, whose names change with each build. */
const ASSETS = "/assets/";

/** The status that nginx logs for a client that disconnected before its response was sent. */
const CLIENT_CLOSED = 499;

/**
 * Counts requests and measures their time by the pattern of the route: clients can invent any number of
 * paths, and a label for each would exhaust the memory.
 *
 * @param onEnds called here, because Node warns if a response has more than ten listeners
 */
export function measureRequests(
  app: FastifyInstance,
  registry: Registry,
  onEnds: readonly OnEnd[] = [],
): void {
  const requests = new Counter({
    name: REQUESTS_METRIC,
    help: "HTTP requests by route, method and status; 499: the client disconnected before the response was sent",
    labelNames: ["route", "method", "status"],
    registers: [registry],
  });
  // Without labels, it is 0 from the start: Prometheus sees no increase in a series that begins with 1.
  const failures = new Counter({
    name: "quarry_http_internal_errors_total",
    help: "Requests answered with 500, which indicates a defect",
    registers: [registry],
  });
  const duration = new Histogram({
    name: "quarry_http_request_duration_seconds",
    help: "Time from the arrival of a request to the last byte of its response",
    labelNames: ["route", "method"],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  app.addHook("onRequest", async (request, reply) => {
    const labels = { route: routeOf(request), method: methodOf(request) };
    const stopTimer = duration.startTimer(labels);
    let isSent = false;
    reply.raw.once("finish", () => {
      isSent = true;
    });
    reply.raw.once("close", () => {
      // The client decides how long a stream lasts.
      if (!isStream(request)) stopTimer();
      const status = isSent ? reply.statusCode : CLIENT_CLOSED;
      requests.inc({ ...labels, status });
      if (status === 500) failures.inc();
      for (const onEnd of onEnds) onEnd(request, reply, status);
    });
  });
}

/** Reports how full the admission queues are. */
export function measureQueues(queues: AdmissionQueues, registry: Registry): void {
  const named = Object.entries(queues);
  const shared = { labelNames: ["kind"], registers: [registry] };
  new Gauge({
    ...shared,
    name: RUNNING_METRIC,
    help: "Running requests; query: clients' SQL, read: the other endpoints",
    collect() {
      for (const [kind, { running }] of named) this.set({ kind }, running);
    },
  });
  new Gauge({
    ...shared,
    name: "quarry_http_questions_waiting",
    help: "Queued requests",
    collect() {
      for (const [kind, { waiting }] of named) this.set({ kind }, waiting);
    },
  });
  new Gauge({
    ...shared,
    name: "quarry_http_questions_clients",
    help: "Clients with running or queued requests",
    collect() {
      for (const [kind, { clients }] of named) this.set({ kind }, clients);
    },
  });
  new Counter({
    ...shared,
    name: "quarry_http_questions_refused_total",
    help: "Requests rejected by a queue: with 429 at a limit of the client, with 503 if all places were taken",
    collect() {
      this.reset();
      for (const [kind, { rejected }] of named) this.inc({ kind }, rejected);
    },
  });
}

/** Reports the memory and disk of answers that their clients have not read yet. */
export function measureAnswers(registry: Registry): void {
  const memory = {
    name: "quarry_http_answer_memory_bytes",
    help: "Memory used by buffered responses; at most --answer-memory",
  };
  gauge(registry, memory, bufferedBytes);
  const disk = {
    name: "quarry_http_answer_disk_bytes",
    help: "Size of the temporary files of responses that their clients have not read; at most --answer-disk",
  };
  gauge(registry, disk, answerDiskBytes);
  const displaced = {
    name: "quarry_http_readers_displaced_total",
    help: "Clients disconnected because others needed the disk space of their responses, which they read the slowest",
  };
  counter(registry, displaced, () => SLOW_READERS.displaced);
}

/** Reports how clients' SQL is answered, and how much is cached. */
export function measureSharedSql(sharedSql: SharedSql, registry: Registry): void {
  const answers = {
    name: "quarry_sql_answers_total",
    help: "Answers to clients' SQL, by source: the request's own run, the run of an identical request, or the cache",
    label: "source",
  };
  counters(registry, answers, () => Object.entries(sharedSql.counters));
  const bytes = {
    name: "quarry_sql_cache_bytes",
    help: "Memory used by cached answers to clients' SQL; at most --sql-cache-memory",
  };
  gauge(registry, bytes, () => sharedSql.use.bytes);
  const entries = { name: "quarry_sql_cache_entries", help: "Cached answers to clients' SQL" };
  gauge(registry, entries, () => sharedSql.use.entries);
  const evictions = {
    name: "quarry_sql_cache_evictions_total",
    help: "Cached answers that were dropped to make room for others",
  };
  counter(registry, evictions, () => sharedSql.use.evictions);
}

/** Reports the requests that per-client limits reject, and the answers that clients have not read yet. */
export function measureClients(limits: ClientLimits, registry: Registry): void {
  const refused = {
    name: "quarry_http_client_refused_total",
    help: "Requests rejected with 429 by a limit of the client, except limits of the queues",
    label: "limit",
  };
  counters(registry, refused, () => CLIENT_LIMITS.map((limit) => [limit, limits.rejectedBy(limit)]));
  const ofKeys = {
    name: "quarry_http_key_requests_total",
    help: "Requests with a valid API key, including those rejected by the rate limit of the client",
    label: "key",
  };
  counters(registry, ofKeys, () => [...limits.requestsByKey]);
  const unread = {
    name: "quarry_http_unread_answer_bytes",
    help: "Size of the responses over 16 KiB that clients have not fully read; per client at most --client-unread",
  };
  gauge(registry, unread, () => limits.unreadBytes);
}

/** Reports how many requests the event loop has yet to handle. */
export function measureTurns(turns: FairTurns, registry: Registry): void {
  const waiting = {
    name: "quarry_http_turns_waiting",
    help: "Requests and bodies that have arrived and wait for the event loop; addresses take turns",
  };
  gauge(registry, waiting, () => turns.waiting);
}

/** Returns the pattern of the route, one for all of the explorer's assets; `none` if no route matches. */
export function routeOf({ routeOptions }: FastifyRequest): string {
  const { url = "none" } = routeOptions;
  return url.startsWith(ASSETS) ? `${ASSETS}*` : url;
}

/** Returns whether the client decides how long the response lasts. */
export function isStream({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config?.isStream === true;
}

function methodOf({ method }: FastifyRequest): string {
  return METHODS.includes(method) ? method : "other";
}
