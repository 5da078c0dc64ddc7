import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * What a server of the database does while something is wrong with it.
 * - gone: refuses connections.
 * - cut: runs statements, but cuts the connection before it responds, or while it runs them.
 * - silent: does not respond.
 * - read-only: rejects inserts, as a replica does that has lost its Keeper.
 * - slow: starts each statement late.
 * - full: rejects inserts, because its disk is full.
 * - gateway: a proxy responds instead.
 */
export type ServerFault = "gone" | "cut" | "silent" | "slow" | "read-only" | "full" | "gateway";

/** How late a slow server starts a statement. */
const SLOW_MS = 1_000;

const INSERT_FAILURES: Partial<Record<ServerFault, string>> = {
  "read-only": "Code: 242. DB::Exception: Table is in readonly mode. (TABLE_IS_READ_ONLY)",
  full: "Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space. (NOT_ENOUGH_SPACE)",
};
const GATEWAY = "<html><head><title>503 Service Temporarily Unavailable</title></head></html>";

/** Forwards requests to a ClickHouse server, or responds as a faulty one. */
export class FaultyServer {
  readonly #target: URL;
  #fault: ServerFault | null = null;
  #server = this.#newServer();
  #port = 0;
  /** Number of requests that met a fault, other than refused connections. */
  faults = 0;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Runs the work while the server has a fault. */
  async during(fault: ServerFault, work: () => Promise<unknown>): Promise<void> {
    this.#fault = fault;
    if (fault === "gone") await this.stop();
    else this.#server.closeIdleConnections();
    try {
      await work();
    } finally {
      await this.#repair(fault);
    }
  }

  async #repair(fault: ServerFault): Promise<void> {
    this.#fault = null;
    if (fault !== "gone") return this.#server.closeAllConnections();
    this.#server = this.#newServer();
    await this.start();
  }

  #newServer() {
    return createServer((request, response) => void this.#handle(request, response));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.#fault;
    if (fault === null) return this.#forward(request, response, false);
    const insertFailure = INSERT_FAILURES[fault];
    if (insertFailure === undefined || isInsert(request)) this.faults++;
    if (fault === "silent") request.resume();
    else if (fault === "gateway") refuse(request, response, 503, GATEWAY);
    else if (insertFailure !== undefined && isInsert(request)) refuse(request, response, 500, insertFailure);
    else {
      if (fault === "slow") await sleep(SLOW_MS);
      this.#forward(request, response, fault === "cut");
    }
  }

  #forward(request: IncomingMessage, response: ServerResponse, isCut: boolean): void {
    const { hostname, port } = this.#target;
    const { method, url: path, headers } = request;
    const forwarded = send({ hostname, port, method, path, headers, agent: false }, (answer) => {
      if (isCut) {
        answer.resume();
        answer.once("end", () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    forwarded.once("error", () => request.socket.destroy());
    if (isCut && this.faults % 2 === 0)
      request.once("end", () => setTimeout(() => request.socket.destroy(), 2));
    request.pipe(forwarded);
  }
}

function isInsert({ url = "" }: IncomingMessage): boolean {
  return /INSERT/.test(decodeURIComponent(url));
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, text: string): void {
  request.resume();
  const code = /Code: (\d+)/.exec(text)?.[1];
  response.writeHead(status, code === undefined ? {} : { "x-clickhouse-exception-code": code }).end(text);
}
