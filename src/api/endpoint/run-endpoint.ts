import type { FastifyReply, FastifyRequest } from "fastify";
import type { Registry } from "prom-client";
import type { Clock } from "../../lib/clock.ts";
import type { Reader } from "../../reads/snapshot/snapshot.ts";
import { type AdmissionQueues, ClientClosed } from "../admission/fair-queue.ts";
import type { ApiLimits } from "../admission/limits.ts";
import { readParameters } from "../parameters/parameter.ts";
import type { Call, Endpoint, IndexingState, Method, Reply } from "./endpoint.ts";

/** What all routes share. */
export interface ApiContext {
  reader: Reader;
  limits: ApiLimits;
  clock: Clock;
  indexing(chain: string): IndexingState | null;
  metrics: Registry;
  /** The client that sent a request. @throws HttpError when a key is required and no valid one is given */
  clientOf(request: FastifyRequest): string;
  queues: AdmissionQueues;
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
  { given, method, request, signal }: RunEndpointOptions,
): Promise<Reply<unknown>> {
  const { reader, limits, clock, indexing, metrics, queues } = context;
  const now = Math.floor(clock.now() / 1000);
  const { accept } = request.headers;
  const chains = reader.chains.map(({ chain }) => chain.name);
  const values = readParameters(endpoint.parameters, given, { method, now, chains });
  const run: Call["run"] = (other, parameters) =>
    runEndpoint(other, context, { given: parameters, method: "POST", request, signal });
  const handle = (stop: AbortSignal) =>
    endpoint.handle(values, { reader, limits, indexing, metrics, now, accept, signal: stop, run });
  if (endpoint.cost === "nothing") return handle(signal);
  return queues[endpoint.cost].run({ client: context.clientOf(request), signal }, handle);
}

/**
 * A signal that aborts when the client disconnects. It listens to the reply, because the `close` event of a
 * request only marks the end of its body.
 */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const onClose = () => {
    if (!reply.raw.writableFinished) controller.abort(new ClientClosed());
  };
  if (reply.raw.closed) onClose();
  else reply.raw.once("close", onClose);
  return controller.signal;
}

/** The headers that name the commit of an answer. */
export function asOfHeaders(asOf: Reply<unknown>["asOf"]): Record<string, string | number> {
  if (asOf === null) return {};
  return {
    "x-indexed-block": asOf.blockNumber,
    "x-indexed-timestamp": asOf.timestamp,
    "x-indexed-block-hash": asOf.blockHash,
    "x-commit": asOf.sequence,
  };
}
