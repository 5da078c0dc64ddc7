import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Registry } from "prom-client";
import type { Reader } from "../reads/snapshot.ts";
import type { Endpoint, IndexingState, Method, Reply } from "./endpoint.ts";
import { Refused, urlTooLong } from "./errors.ts";
import type { ApiLimits } from "./limits.ts";
import { readParameters } from "./parameter.ts";
import { GaveUp, type Turnstiles } from "./turnstile.ts";

/** What all routes share. */
export interface Service {
  reader: Reader;
  limits: ApiLimits;
  indexing(chain: string): IndexingState | null;
  metrics: Registry;
  checkKey(request: FastifyRequest): void;
  turnstiles: Turnstiles;
}

/** Serves an endpoint: its methods answer, OPTIONS tells them, any other is refused by its name. */
export function addRoute(app: FastifyInstance, endpoint: Endpoint, service: Service): void {
  const { path, methods, maxUrlLength = service.limits.urlLength } = endpoint;
  const offered = offeredMethods(methods);
  app.route({
    method: [...methods],
    url: path,
    onRequest: async ({ method, url }) => {
      if (method !== "POST" && url.length > maxUrlLength) throw urlTooLong(maxUrlLength);
    },
    preValidation: async (request) => {
      if (endpoint.open !== true) service.checkKey(request);
    },
    handler: (request, reply) => answer(endpoint, service, { request, reply }),
  });
  app.options(path, (_request, reply) => reply.code(204).header("allow", offered).send());
  app.route({
    method: OTHER_METHODS.filter((method) => !offered.includes(method)),
    url: path,
    onRequest: async ({ method }) => {
      throw new Refused(405, `${method} is not allowed here. Allowed: ${offered}.`, { allow: offered });
    },
    handler: () => undefined,
  });
}

const OTHER_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE"];

function offeredMethods(methods: readonly Method[]): string {
  return [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

async function answer(
  endpoint: Endpoint,
  service: Service,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const now = Math.floor(Date.now() / 1000);
  const method = request.method === "POST" ? "POST" : "GET";
  const chains = service.reader.chains.map(({ chain }) => chain.name);
  const values = readParameters(endpoint.parameters, givenParameters(request), { method, now, chains });
  const signal = abortedWithReply(reply);
  const { reader, limits, indexing, metrics } = service;
  const ask = () => endpoint.handle(values, { reader, limits, indexing, metrics, now, signal });
  const { cost, textType } = endpoint;
  const answered = await (cost === "nothing" ? ask() : service.turnstiles[cost].run(signal, ask));
  return send(reply, answered, textType);
}

/** What stands in the URL of a POST counts too: to drop a `chain` there would answer for another one. */
function givenParameters({ method, query, body }: FastifyRequest): Record<string, unknown> {
  const inUrl = query as Record<string, unknown>;
  if (method !== "POST" || body === undefined || body === null) return inUrl;
  if (typeof body !== "object" || Array.isArray(body)) {
    throw new Refused(400, "The body must be a JSON object with the parameters as its fields.");
  }
  return { ...inUrl, ...body };
}

/** The request's own `close` event comes with the end of its body; only the reply's tells of a lost client. */
function abortedWithReply(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const giveUp = () => {
    if (!reply.raw.writableFinished) controller.abort(new GaveUp());
  };
  if (reply.raw.closed) giveUp();
  else reply.raw.once("close", giveUp);
  return controller.signal;
}

function send(
  reply: FastifyReply,
  { body, asOf, headers = {} }: Reply<unknown>,
  textType: string | undefined,
): FastifyReply {
  reply.headers(headers);
  if (asOf !== null) {
    reply.header("x-indexed-block", asOf.blockNumber);
    reply.header("x-indexed-timestamp", asOf.timestamp);
    reply.header("x-indexed-block-hash", asOf.blockHash);
    reply.header("x-commit", asOf.sequence);
  }
  reply.type(textType ?? "application/json; charset=utf-8");
  return reply.send(body instanceof Readable || textType !== undefined ? body : JSON.stringify(body));
}
