import type { FastifyInstance, FastifyRequest } from "fastify";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Lines } from "../admission/fair-queue.ts";
import { heldAnswerBytes } from "../answers/buffered-answer.ts";

/** Names of two figures that are also read by this process itself. */
export const REQUESTS_FIGURE = "quarry_http_requests_total";
export const RUNNING_FIGURE = "quarry_http_questions_running";

/** Upper ends of the buckets, in seconds: from a point query to the longest that a query may take by default. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Clients may send any method that HTTP knows; one that no route has counts as `other`. */
const METHODS = ["GET", "HEAD", "POST", "OPTIONS"];

/** The explorer's files, whose names change with each build. */
const ASSETS = "/assets/";

/** What nginx writes down for a client that left before its answer was sent. */
const CLIENT_LEFT = 499;

/**
 * Counts requests and how long they take, by the route's pattern: a label for each path that clients make up
 * would fill memory.
 */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  const requests = new Counter({
    name: REQUESTS_FIGURE,
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
    const done = duration.startTimer(labels);
    let isSent = false;
    reply.raw.once("finish", () => {
      isSent = true;
    });
    reply.raw.once("close", () => {
      done();
      requests.inc({ ...labels, status: isSent ? reply.statusCode : CLIENT_LEFT });
    });
  });
}

/** Tells how full the lines are that questions wait in. */
export function measureLines(lines: Lines, registry: Registry): void {
  const named = Object.entries(lines);
  const shared = { labelNames: ["kind"], registers: [registry] };
  new Gauge({
    ...shared,
    name: RUNNING_FIGURE,
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
      for (const [kind, { refused }] of named) this.inc({ kind }, refused);
    },
  });
}

/** Tells what answers hold in memory until their clients have taken them. */
export function measureAnswers(registry: Registry): void {
  new Gauge({
    name: "quarry_http_answer_memory_bytes",
    help: "Memory used by buffered responses; at most --answer-memory",
    registers: [registry],
    collect() {
      this.set(heldAnswerBytes());
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
