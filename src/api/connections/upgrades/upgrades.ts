import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FairTurns } from "../../../lib/queues/fair-turns.ts";
import { stopJoining } from "../chunks/join-chunks.ts";
import type { PendingResponses } from "../pipelining/pending-responses.ts";
import { isHeld } from "./detached-request.ts";
import { giveBack } from "./give-back.ts";

/**
 * Returns whether a request that Node handed over becomes a WebSocket. It does not while earlier responses
 * are pending, because its own response must follow them; clients wait for them anyway.
 */
export function becomesWebSocket(request: IncomingMessage, pending: PendingResponses): boolean {
  return isForWebSocket(request) && pending.last(request.socket) === undefined;
}

function isForWebSocket(request: IncomingMessage): boolean {
  const { method, headers } = request;
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket" && !isHeld(request);
}

/**
 * Returns a server that never listens, and gets only the `upgrade` events of WebSockets. Other requests with
 * `Upgrade` get an answer without an upgrade, as RFC 9110 allows: `curl --http2` and Java's client offer
 * HTTP/2 in this way. Node detaches their connections before it reads a body, so they are given back to the
 * HTTP server. Node 24 has the option `shouldUpgradeCallback` for this, but then loses requests that were
 * sent right after such a request.
 */
export function webSocketsOf(server: Server, pending: PendingResponses, turns: FairTurns): Server {
  const webSockets = createServer();
  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    stopJoining(socket);
    // Once the service is stopping, nothing listens for WebSockets.
    if (becomesWebSocket(request, pending) && webSockets.emit("upgrade", request, socket, head)) return;
    giveBack(server, { request, socket, head, before: pending.last(socket), turns });
  });
  return webSockets;
}

/**
 * Closes the connection of a WebSocket that is refused, once the response is sent. Nothing reads from such a
 * connection any more, so the service would not notice when the client closes its side, and the connection
 * would count as busy forever. Must be called before anything can refuse the request.
 */
export function closeIfRefused({ raw: request }: FastifyRequest, { raw: response }: FastifyReply): void {
  if (isForWebSocket(request)) response.once("finish", () => request.socket.destroySoon());
}
