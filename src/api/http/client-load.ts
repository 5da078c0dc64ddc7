import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { clientGroup } from "../access/client-address.ts";
import type { ClientLimits } from "../admission/client-limits.ts";
import { isCompressedWhole } from "../answers/compression.ts";
import { BufferedAnswer } from "../answers/unread/buffered-answer.ts";
import type { ApiContext } from "../endpoint/run-endpoint.ts";

/**
 * Identifies the client of a request and applies its limits. A second call does nothing, because a client
 * with a large body is already admitted before the body is received.
 *
 * @throws HttpError, ClientOverload, QuotaUsed
 */
export function admitClient(request: FastifyRequest, { checkClient, clientLimits }: ApiContext): void {
  if (request.client !== null) return;
  const client = checkClient(request);
  request.client = client;
  if (request.routeOptions.config.isUncounted === true) clientLimits.requireRate(client);
  else clientLimits.requireTokens(client);
  clientLimits.requireRead(client.name);
}

/** Adds the state of a client's rate limit to its responses. */
export function reportRates(app: FastifyInstance, limits: ClientLimits): void {
  app.addHook("onSend", async ({ client }, reply) => {
    if (client !== null) reply.headers(limits.rateHeaders(client));
  });
}

/**
 * Maximum number of bytes that are counted for each response with a public body. All responses share the body
 * and its compressed copy, but each takes memory until it is sent.
 */
const PUBLIC_BYTES = 64 * 1024;

/**
 * Counts the bytes of large answers (before compression) that each client has yet to read. For requests that
 * need no key, such as requests for the explorer's files, the client is an address.
 */
export function countUnread(app: FastifyInstance, limits: ClientLimits): void {
  const release = new WeakMap<ServerResponse, () => void>();
  app.decorateRequest("client", null);
  app.addHook("onRequest", async (_request, { raw: response }) => {
    response.once("close", () => release.get(response)?.());
  });
  app.addHook("onSend", async (request, { raw: response }, payload) => {
    // If an answer fails before its first byte, the error replaces it.
    release.get(response)?.();
    release.delete(response);
    if (response.destroyed) return;
    const isInMemory = !(payload instanceof BufferedAnswer) || isCompressedWhole(payload, request.headers);
    try {
      release.set(response, limits.hold(holderOf(request), bytesOf(payload, request), isInMemory));
    } catch (error) {
      if (payload instanceof BufferedAnswer) payload.destroy();
      throw error;
    }
  });
}

function holderOf(request: FastifyRequest): string {
  return request.client?.name ?? clientGroup(request);
}

function bytesOf(payload: unknown, { client }: FastifyRequest): number {
  if (payload instanceof BufferedAnswer) return payload.bytes;
  const bytes = typeof payload === "string" || payload instanceof Uint8Array ? payload.length : 0;
  return client === null ? Math.min(bytes, PUBLIC_BYTES) : bytes;
}
