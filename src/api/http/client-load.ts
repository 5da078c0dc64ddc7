import type { ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { FairTurns } from "../../lib/queues/fair-turns.ts";
import { clientGroup } from "../access/client-address.ts";
import type { ClientLimits } from "../admission/client-limits.ts";
import { fairShare } from "../admission/fair-share.ts";
import type { ApiLimits } from "../admission/limits.ts";
import { ClientOverload, ServiceOverload } from "../admission/overload.ts";
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

/** The client in whose name the requests of all probes take turns. */
const PROBES = "probes";

/** Number of requests of an address that may always wait if their turns are known to be short. */
const FEW = 8;

/**
 * Makes requests wait for their turn when the event loop has more of them than it can handle. The turns go to
 * addresses, not to clients, because keys are checked later. At most as many requests wait as there may be
 * connections, both in total and per address; an address may have half of the places that others leave. A
 * request whose turn is known to be short always has one of a few places. Probes share turns of their own, and
 * are never rejected, because a service that does not answer them in time is restarted.
 *
 * @throws ClientOverload, ServiceOverload if more would wait
 */
export function takeTurns(
  app: FastifyInstance,
  turns: FairTurns,
  { connections, addressConnections }: Pick<ApiLimits, "connections" | "addressConnections">,
): void {
  app.server.on("connection", () => turns.noteArrival());
  app.addHook("onRequest", (request, _reply, done) => {
    const address = request.routeOptions.config.isProbe ? PROBES : clientGroup(request);
    const kind = `${request.method} ${request.routeOptions.url ?? "unknown path"}`;
    const own = turns.waitingOf(address);
    const others = turns.waiting - own - turns.waitingOf(PROBES);
    const hasRoom = address === PROBES || own < (turns.areShort({ client: address, kind }) ? FEW : 0);
    if (!hasRoom && own >= addressConnections)
      return done(new ClientOverload(`at most ${addressConnections} may wait to be handled`));
    if (!hasRoom && own >= fairShare(others, connections)) {
      const reason = `${others + own} requests wait to be handled, and a client may have half of the places that others leave`;
      return done(new ServiceOverload(reason));
    }
    // A client that has disconnected needs no response, not even an error: making one takes a while.
    const isWanted = () => !request.raw.destroyed;
    const turn = turns.next(address, kind, isWanted);
    if (turn === null) return done();
    void turn.then(() => {
      if (isWanted()) done();
    });
  });
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
