import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Registry } from "prom-client";
import type { Clock } from "../../lib/async/clock.ts";
import { counter } from "../../lib/figures.ts";
import type { Reader } from "../../reads/snapshot/snapshot.ts";
import { isRejection } from "../errors/errors.ts";
import { MAX_TEXT, type SlowRequest, type SlowRequests } from "./slow-requests.ts";
import { statementOf } from "./statement.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Time from the arrival of the request until its response was ready; null until then. */
    readyMs: number | null;
  }
}

interface WatchOptions {
  slow: SlowRequests;
  slowAfterMs: number;
  /** Whether to keep the text of SQL queries. */
  withTexts: boolean;
  reader: Pick<Reader, "chains">;
  clock: Clock;
}

/** Called when a response has been sent, or its client has disconnected (499). */
export type OnEnd = (request: FastifyRequest, reply: FastifyReply, status: number) => void;

/**
 * Returns a function that must be called when a request has ended, and keeps the request if it was slow. The
 * time for which a client reads its response does not count, so that a slow connection does not look like a
 * slow query. Streams are left out: their clients decide how long they last.
 */
export function watchRequests(app: FastifyInstance, options: WatchOptions): OnEnd {
  app.decorateRequest("readyMs", null);
  app.addHook("onSend", async (request, reply) => {
    request.readyMs = reply.elapsedTime;
  });
  return (request, reply, status) => {
    const ms = request.readyMs ?? reply.elapsedTime;
    if (ms < options.slowAfterMs || !isWatched(request, reply)) return;
    options.slow.add(slowRequestOf(request, reply, { ...options, status, ms }));
  };
}

/**
 * Returns whether to watch a request. Requests without a known client, such as probes and requests for the
 * explorer's files, are not watched, because they cost almost nothing. Rejected requests are not watched
 * either: they only waited for other requests, and many of them would hide the requests that caused the load.
 */
function isWatched({ client, routeOptions }: FastifyRequest, reply: FastifyReply): boolean {
  if (client === null || routeOptions.config?.isStream === true) return false;
  return !isRejection(reply);
}

function slowRequestOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { withTexts, reader, clock, status, ms }: WatchOptions & { status: number; ms: number },
): SlowRequest {
  const statement = statementOf(request);
  return {
    requestId: request.id,
    at: Math.floor((clock.now() - reply.elapsedTime) / 1000),
    method: request.method,
    route: request.routeOptions.url ?? "none",
    client: request.client?.name ?? "",
    chain: chainOf(request, reply, reader),
    status,
    ms: Math.round(ms),
    runMs: numberIn(reply, "x-elapsed-ms"),
    rowsRead: numberIn(reply, "x-rows-read"),
    fingerprint: statement?.fingerprint ?? null,
    text: withTexts && statement !== null ? beginningOf(statement.text) : null,
  };
}

/** Returns a copy of the beginning, because a slice of a string keeps the whole string in memory. */
function beginningOf(text: string): string {
  return Buffer.from(text.slice(0, MAX_TEXT)).toString();
}

/** Returns the chain of the answer or of the parameters if the service has it: clients can invent names. */
function chainOf(
  { query, body }: FastifyRequest,
  reply: FastifyReply,
  { chains }: Pick<Reader, "chains">,
): string | null {
  const given = [reply.getHeader("x-chain"), chainIn(body), chainIn(query)];
  return chains.find(({ chain }) => given.includes(chain.name))?.chain.name ?? null;
}

function chainIn(parameters: unknown): string | undefined {
  const { chain } = (parameters ?? {}) as { chain?: unknown };
  return typeof chain === "string" ? chain.toLowerCase() : undefined;
}

function numberIn(reply: FastifyReply, header: string): number | null {
  const text = reply.getHeader(header);
  return text === undefined ? null : Number(text);
}

/** Reports the number of slow requests as a metric. */
export function measureSlow(slow: SlowRequests, registry: Registry): void {
  const figure = {
    name: "quarry_http_slow_requests_total",
    help: "Requests whose response took longer than --slow-after to be ready",
  };
  counter(registry, figure, () => slow.total);
}
