import type { FastifyInstance, FastifyRequest } from "fastify";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { AdmissionQueues } from "../admission/fair-queue.ts";
import { bufferedBytes } from "../answers/buffered-answer.ts";

/** Names of two metrics that the status line also reads. */
export const REQUESTS_METRIC = "quarry_http_requests_total";
export const RUNNING_METRIC = "quarry_http_questions_running";

/** Upper bounds of the buckets, in seconds: from a point query to the default time limit of a query. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Methods with a label of their own; all others count as `other`. */
const METHODS = ["GET", "HEAD", "POST", "OPTIONS"];

/** The explorer's files, whose names change with each build. */
const ASSETS = "/assets/";

/** The status that nginx logs for a client that disconnected before its response was sent. */
const CLIENT_CLOSED = 499;

/**
 * Counts requests and measures their time by the pattern of the route: clients can invent any number of
 * paths, and a label for each would fill memory.
 */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const requests = new Counter({
    name: REQUESTS_METRIC,
    help: "HTTP requests by route, method and status; 499: the client disconnected before the response was sent",
    labelNames: ["route", "method", "status"],
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
      stopTimer();
      requests.inc({ ...labels, status: isSent ? reply.statusCode : CLIENT_CLOSED });
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
  new Counter({
    ...shared,
    name: "quarry_http_questions_refused_total",
    help: "Requests rejected with 429",
    collect() {
      this.reset();
      for (const [kind, { rejected }] of named) this.inc({ kind }, rejected);
    },
  });
}

/** Reports the memory of answers that their clients have not read yet. */
export function measureAnswers(registry: Registry): void {
  new Gauge({
    name: "quarry_http_answer_memory_bytes",
    help: "Memory used by buffered responses; at most --answer-memory",
    registers: [registry],
    collect() {
      this.set(bufferedBytes());
    },
  });
}

function routeOf({ routeOptions }: FastifyRequest): string {
  const { url = "none" } = routeOptions;
  return url.startsWith(ASSETS) ? `${ASSETS}*` : url;
}

function methodOf({ method }: FastifyRequest): string {
  return METHODS.includes(method) ? method : "other";
}
