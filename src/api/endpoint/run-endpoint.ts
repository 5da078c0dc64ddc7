import type { FastifyReply, FastifyRequest } from "fastify";
import type { Registry } from "prom-client";
import type { Reader } from "../../reads/snapshot/snapshot.ts";
import { GaveUp, type Lines } from "../admission/fair-queue.ts";
import type { ApiLimits } from "../admission/limits.ts";
import { readParameters } from "../parameters/parameter.ts";
import type { Call, Endpoint, IndexingState, Method, Reply } from "./endpoint.ts";

/** What all routes share. */
export interface Service {
  reader: Reader;
  limits: ApiLimits;
  indexing(chain: string): IndexingState | null;
  metrics: Registry;
  /** Who asks. @throws Refused when a key is needed and no valid one is given */
  clientOf(request: FastifyRequest): string;
  lines: Lines;
}

interface Asked {
  given: Record<string, unknown>;
  method: Method;
  request: FastifyRequest;
  signal: AbortSignal;
}

/** Reads the parameters and has the endpoint answer when it is its turn. */
export async function askEndpoint(
  endpoint: Endpoint,
  service: Service,
  { given, method, request, signal }: Asked,
): Promise<Reply<unknown>> {
  const now = Math.floor(Date.now() / 1000);
  const { reader, limits, indexing, metrics, lines } = service;
  const { accept } = request.headers;
  const chains = reader.chains.map(({ chain }) => chain.name);
  const values = readParameters(endpoint.parameters, given, { method, now, chains });
  const ask: Call["ask"] = (other, params) =>
    askEndpoint(other, service, { given: params, method: "POST", request, signal });
  const answer = (stop: AbortSignal) =>
    endpoint.handle(values, { reader, limits, indexing, metrics, now, accept, signal: stop, ask });
  if (endpoint.cost === "nothing") return answer(signal);
  return lines[endpoint.cost].run({ client: service.clientOf(request), signal }, answer);
}

/** The request's own `close` event comes with the end of its body; only the reply's tells of a lost client. */
export function abortedWithReply(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const giveUp = () => {
    if (!reply.raw.writableFinished) controller.abort(new GaveUp());
  };
  if (reply.raw.closed) giveUp();
  else reply.raw.once("close", giveUp);
  return controller.signal;
}

/** The headers that an answer has besides those of its endpoint. */
export function asOfHeaders(asOf: Reply<unknown>["asOf"]): Record<string, string | number> {
  if (asOf === null) return {};
  return {
    "x-indexed-block": asOf.blockNumber,
    "x-indexed-timestamp": asOf.timestamp,
    "x-indexed-block-hash": asOf.blockHash,
    "x-commit": asOf.sequence,
  };
}
