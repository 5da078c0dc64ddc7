import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ForwardingServer, READ_ONLY, refuse } from "./forwarding-server.ts";

/**
 * What a database server does while it has a fault.
 * - gone: refuses connections.
 * - cut: runs statements, but cuts the connection before it responds, or while it runs them.
 * - silent: does not respond.
 * - read-only: rejects inserts, like a replica that has lost its Keeper.
 * - slow: starts each statement late.
 * - full: rejects inserts, because its disk is full.
 * - gateway: a proxy responds instead.
 */
export type ServerFault = "gone" | "cut" | "silent" | "slow" | "read-only" | "full" | "gateway";

/** How late a slow server starts a statement. */
const SLOW_MS = 1_000;

const INSERT_FAILURES: Partial<Record<ServerFault, string>> = {
  "read-only": READ_ONLY,
  full: "Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space. (NOT_ENOUGH_SPACE)",
};
const GATEWAY = "<html><head><title>503 Service Temporarily Unavailable</title></head></html>";

/** Forwards requests to a ClickHouse server, or responds as a faulty one. */
export class FaultyServer extends ForwardingServer {
  #fault: ServerFault | null = null;
  /** Number of requests that met a fault. Does not include refused connections. */
  faults = 0;

  /** Runs the work while the server has a fault. */
  async during(fault: ServerFault, work: () => Promise<unknown>): Promise<void> {
    this.#fault = fault;
    if (fault === "gone") await this.stop();
    else this.closeConnections("idle");
    try {
      await work();
    } finally {
      this.#fault = null;
      if (fault === "gone") await this.start();
      else this.closeConnections("all");
    }
  }

  protected override async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.#fault;
    if (fault === null) return this.forward(request, response);
    const insertFailure = INSERT_FAILURES[fault];
    if (insertFailure !== undefined && !isInsert(request)) return this.forward(request, response);
    this.faults++;
    if (fault === "cut") return this.#forwardAndCut(request, response);
    if (fault === "slow") {
      await sleep(SLOW_MS);
      return this.forward(request, response);
    }
    request.resume();
    if (insertFailure !== undefined) refuse(response, insertFailure);
    else if (fault === "gateway") response.writeHead(503).end(GATEWAY);
  }

  #forwardAndCut(request: IncomingMessage, response: ServerResponse): void {
    this.forward(request, response, {
      answered(answer) {
        answer.resume();
        answer.once("end", () => request.socket.destroy());
      },
    });
    if (this.faults % 2 === 0) request.once("end", () => setTimeout(() => request.socket.destroy(), 2));
  }
}

function isInsert({ url = "" }: IncomingMessage): boolean {
  return /INSERT/.test(decodeURIComponent(url));
}
