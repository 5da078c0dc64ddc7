import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { FastifyBaseLogger } from "fastify";
import type { Registry } from "prom-client";
import type { Clock } from "../../lib/async/clock.ts";
import { counter, counters, gauge } from "../../lib/figures.ts";
import { lacksFileHandles } from "../../lib/system-error.ts";
import type { ConnectionLimits } from "../admission/connection-limits.ts";
import { answerAndClose, type LastAnswer } from "./last-answer.ts";
import { OpenConnections, type Refusal } from "./open-connections.ts";
import type { PendingResponses } from "./pipelining/pending-responses.ts";
import { becomesWebSocket } from "./upgrades/upgrades.ts";

const REFUSALS: Record<Refusal, LastAnswer> = {
  all: {
    status: "503 Service Unavailable",
    code: "busy",
    message: "The service has no free connections. Try again in a moment.",
    headers: ["Retry-After: 1"],
  },
  address: {
    status: "429 Too Many Requests",
    code: "busy",
    message: "Your address has too many open connections. Close some, or use one for several requests.",
    headers: ["Retry-After: 1"],
  },
};

/**
 * Maximum number of rejected connections that get an answer at the same time; further ones are closed without
 * one.
 */
const MAX_REFUSED = 32;

/**
 * Minimum time between two log lines about rejected connections; each says how many there were since the last
 * one.
 */
const WARNING_INTERVAL_MS = 60_000;

interface LimitConnectionsOptions {
  limits: ConnectionLimits;
  pending: PendingResponses;
  clock: Clock;
  logger: FastifyBaseLogger;
  registry: Registry;
}

/** Keeps a server's connections within their limits. */
export function limitConnections(server: Server, options: LimitConnectionsOptions): void {
  const { limits, pending, clock, logger, registry } = options;
  const open = new OpenConnections(limits, clock);
  measureConnections(open, pending, registry);
  const warn = warningOf(open, limits, options);
  const refuse = refusals();
  const accept = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket) => {
    const refusal = open.admit(socket);
    if (refusal !== null) {
      refuse(socket, refusal);
      warn();
    } else for (const listener of accept) listener.call(server, socket);
  });
  pending.follow(server, open);
  // A WebSocket stays busy until it is closed.
  server.on("upgrade", (request) => {
    if (becomesWebSocket(request, pending)) open.startRequest(request.socket);
  });
  server.on("error", (error) => {
    if (lacksFileHandles(error)) logger.error("a connection failed: no free file handle (ulimit -n)");
  });
}

function refusals(): (socket: Socket, refusal: Refusal) => void {
  let refused = 0;
  return (socket, refusal) => {
    if (refused >= MAX_REFUSED) {
      socket.destroy();
      return;
    }
    refused++;
    socket.once("close", () => refused--);
    answerAndClose(socket, REFUSALS[refusal]);
  };
}

function warningOf(
  { refused }: OpenConnections,
  { connections, addressConnections }: ConnectionLimits,
  { clock, logger }: LimitConnectionsOptions,
): () => void {
  let nextMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.monotonic() < nextMs) return;
    nextMs = clock.monotonic() + WARNING_INTERVAL_MS;
    logger.warn(
      { refused: { ...refused } },
      `refusing connections: at most ${connections} in total and ${addressConnections} per address are allowed`,
    );
  };
}

function measureConnections(open: OpenConnections, pending: PendingResponses, registry: Registry): void {
  gauge(registry, { name: "quarry_http_connections", help: "Open connections" }, () => open.open);
  const refused = {
    name: "quarry_http_connections_refused_total",
    help: "Connections refused, by limit: --connections (all) or --address-connections (address)",
    label: "limit",
  };
  counters(registry, refused, () => Object.entries(open.refused));
  const displaced = {
    name: "quarry_http_connections_displaced_total",
    help: "Idle connections closed to make room for others",
  };
  counter(registry, displaced, () => open.displaced);
  const held = {
    name: "quarry_http_requests_held_total",
    help: "Requests that were read only after earlier responses had been sent, because of --pipelined-requests",
  };
  counter(registry, held, () => pending.held);
}
