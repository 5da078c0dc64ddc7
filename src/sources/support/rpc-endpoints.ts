import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { BARE_CHAIN } from "../../../test/support/nodes/bare-chain.ts";
import { type ReplayOptions, startReplayNode } from "../../../test/support/nodes/replay/replay-node.ts";
import type { Chain } from "../../chains/chain.ts";
import { BaseError } from "../../lib/error.ts";
import type { ManualClock } from "../../lib/support/manual-clock.ts";
import type { Block } from "../../schema/block.ts";
import type { Prover } from "../prover/prover.ts";
import { openRpcSource, type RpcLimits, type RpcSource, type SourceLogger } from "../rpc-source.ts";
import { settled } from "./manual-time.ts";

export const ETH: Chain = {
  ...BARE_CHAIN,
  name: "eth",
  chainId: 1,
};

/** Short waits for tests in real time. */
const FAST: Partial<RpcLimits> = {
  minRetryDelayMs: 2,
  maxRetryDelayMs: 20,
  minBackoffMs: 5,
  maxBackoffMs: 50,
  maxRetryAfterMs: 20,
};
/** With a manual clock, Retry-After is honoured as in production. */
const HONOURED: Partial<RpcLimits> = { maxRetryAfterMs: 300_000 };

/** Starts a node that replays recorded blocks, for the running test. */
export async function replay(bundle: string, options: ReplayOptions = {}): Promise<string> {
  const node = await startReplayNode([bundle], options);
  onTestFinished(async () => {
    await node.stop();
  });
  return node.url;
}

interface OpenOptions {
  verify?: boolean;
  verifySenders?: boolean;
  clock?: ManualClock;
  limits?: Partial<RpcLimits>;
  chain?: Chain;
  prover?: Prover;
  signal?: AbortSignal;
}

/**
 * Opens a source for the running test, and returns it with its log. Advances a manual clock while the source
 * opens.
 */
export async function open(
  urls: string[],
  options: OpenOptions = {},
): Promise<{ source: RpcSource; warnings: string[]; infos: string[] }> {
  const warnings: string[] = [];
  const infos: string[] = [];
  const logger: SourceLogger = {
    info: (fields, message) => infos.push(`${message} ${JSON.stringify(fields)}`),
    warn: (fields, message) => warnings.push(`${message} ${JSON.stringify(fields)}`),
  };
  const { clock, prover, signal } = options;
  const limits = { ...FAST, ...(clock === undefined ? {} : HONOURED), ...options.limits };
  const opening = openRpcSource({
    urls,
    chain: options.chain ?? ETH,
    verify: options.verify ?? true,
    verifySenders: options.verifySenders ?? false,
    logger,
    limits,
    ...(clock === undefined ? {} : { clock }),
    ...(prover === undefined ? {} : { prover }),
    ...(signal === undefined ? {} : { signal }),
  });
  const source = await (clock === undefined ? opening : settled(clock, opening));
  onTestFinished(() => source.close());
  return { source, warnings, infos };
}

export async function collect(source: RpcSource, from: number, to: number): Promise<Block[]> {
  const blocks: Block[] = [];
  for await (const block of source.blocks({ from, to }, new AbortController().signal)) blocks.push(block);
  return blocks;
}

/** Returns the error of a promise that must reject. */
export async function failure(promise: Promise<unknown>): Promise<BaseError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof BaseError)) throw new Error(`expected a BaseError, got ${error}`);
  return error;
}

export interface Call {
  method: string;
  params: unknown[];
}

/** Starts a JSON-RPC endpoint that responds with the given results, and counts its HTTP requests. */
export async function endpoint(
  respond: (call: Call) => unknown,
  options: { batches?: boolean; status?: (request: number) => number; headers?: Record<string, string> } = {},
): Promise<{ url: string; requests: () => number }> {
  let requests = 0;
  const server: Server = createServer((request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    const handle = async () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      const status = options.status?.(requests) ?? 200;
      if (status !== 200) return response.writeHead(status, options.headers).end("no");
      const one = async (call: Call & { id: number }) => {
        const result = await respond(call);
        return result instanceof Error
          ? { jsonrpc: "2.0", id: call.id, error: { code: -32000, message: result.message } }
          : { jsonrpc: "2.0", id: call.id, result };
      };
      if (Array.isArray(body) && options.batches === false) {
        const error = { code: -32600, message: "batch requests are not supported" };
        return response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error }));
      }
      return response.end(
        JSON.stringify(Array.isArray(body) ? await Promise.all(body.map(one)) : await one(body)),
      );
    };
    request.on("end", () => {
      requests++;
      handle().catch((error) => {
        // At the end of a test, this connection is closed before the node behind this endpoint stops. Errors
        // after that do not matter.
        if (response.socket?.destroyed === false) throw error;
      });
    });
  });
  return { url: await listen(server), requests: () => requests };
}

/** Starts an endpoint that sends the given text in response to a single call. */
export async function rawEndpoint(respond: (call: Call & { id: number }) => string): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.end(respond(JSON.parse(Buffer.concat(chunks).toString())));
  });
  return listen(server);
}

/** Starts a server for the running test, and returns its URL. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts an endpoint that forwards requests to another one, but closes the connection for some of them. */
export async function dropping(url: string, isDropped: (calls: readonly Call[]) => boolean): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (isDropped([JSON.parse(body)].flat())) return void request.socket.destroy();
    response.end(await (await fetch(url, { method: "POST", body })).text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * Returns a function that forwards calls to another node, but responds to `lacking` methods with an error.
 */
export function forward(url: string, lacking: string[] = []): (call: Call) => Promise<unknown> {
  return async (call) => {
    if (lacking.includes(call.method))
      return new Error(`the method ${call.method} does not exist/is not available`);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: call.method, params: call.params });
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body });
    const json = (await response.json()) as { result?: unknown; error?: { message: string } };
    return json.error === undefined ? json.result : new Error(json.error.message);
  };
}
