import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Node } from "../../processes/processes.ts";
import { FaultInjector, type Faults } from "./faults.ts";
import { withoutCalls } from "./recorded-calls.ts";
import { RecordedChain } from "./recorded-chain.ts";
import { type ReplayState, RpcError, replayResult } from "./replay-methods.ts";

export interface ReplayOptions {
  /** Default: 1. */
  chainId?: number;
  /** The newest block at the start. Default: the last recorded block. */
  head?: number;
  /** The chain gains a block each time this interval passes. */
  advanceMs?: number;
  /** Maximum number of blocks that eth_getLogs accepts. Public endpoints have such limits. */
  maxRange?: number;
  /** If false, the node responds to eth_getBlockReceipts with "method not found", as many endpoints do. */
  hasBlockReceipts?: boolean;
  /** Selectors of contract calls that revert. */
  reverting?: readonly string[];
  /** Probability of each fault, per request. */
  faults?: Faults;
  /** Seed of the faults. Runs with the same seed have the same faults. */
  seed?: number;
}

/** The state of a node, and its requests and faults so far. */
export interface ReplayStats {
  head: number;
  /** Number of requests by method. */
  requests: Record<string, number>;
  faults: Faults;
}

export interface ReplayNode extends Node {
  stats(): ReplayStats;
}

/** Time after which a hanging request's connection is closed. */
const HANG_MS = 30_000;

interface Request {
  id?: number | null;
  method: string;
  params?: unknown[];
}

/** Serves the recorded blocks of some bundles as a JSON-RPC node in this process. */
export async function startReplayNode(
  bundles: readonly string[],
  options: ReplayOptions = {},
): Promise<ReplayNode> {
  const chain = RecordedChain.of(bundles);
  const faults = new FaultInjector(options.faults ?? {}, options.seed ?? 1);
  const { chainId = 1, maxRange = Number.POSITIVE_INFINITY, hasBlockReceipts = true } = options;
  const { head = chain.last, reverting = [] } = options;
  const calls = withoutCalls(chain.calls, reverting);
  const state = { chain, calls, faults, chainId, maxRange, hasBlockReceipts, head };
  const requests: Record<string, number> = {};
  const respond = (request: Request) => {
    requests[request.method] = (requests[request.method] ?? 0) + 1;
    return responseTo(state, request);
  };
  const server = createServer((request, response) => void serve(faults, respond, request, response));
  const growth =
    options.advanceMs === undefined ? undefined : setInterval(() => grow(state), options.advanceMs);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stats: () => ({ head: state.head, requests, faults: faults.counts }),
    async stop() {
      clearInterval(growth);
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function grow(state: ReplayState): void {
  state.head = state.chain.numbers.find((number) => number > state.head) ?? state.head;
}

async function serve(
  faults: FaultInjector,
  respond: (request: Request) => unknown,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await text(request).catch(() => "");
  // The client closed the connection.
  if (body === "") return;
  if (faults.draw("429"))
    return void response.writeHead(429, { "retry-after": "1" }).end("Too Many Requests");
  if (faults.draw("500")) return void response.writeHead(500).end("Internal Server Error");
  if (faults.draw("hang")) return void setTimeout(() => request.socket.destroy(), HANG_MS).unref();
  const parsed: Request | Request[] = JSON.parse(body);
  const answer = JSON.stringify(Array.isArray(parsed) ? parsed.map(respond) : respond(parsed));
  response.setHeader("content-type", "application/json");
  response.end(faults.draw("truncate") ? answer.slice(0, answer.length / 2) : answer);
}

function responseTo(state: ReplayState, { id = null, method, params = [] }: Request): object {
  try {
    return { jsonrpc: "2.0", id, result: replayResult(state, method, params) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message, data: error.data } };
  }
}
