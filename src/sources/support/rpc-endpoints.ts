import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { BARE_CHAIN } from "../../../test/support/nodes/bare-chain.ts";
import { type ReplayOptions, startReplayNode } from "../../../test/support/nodes/replay/replay-node.ts";
import type { Chain } from "../../chains/chain.ts";
import { BaseError } from "../../lib/error.ts";
import type { Block } from "../../schema/block.ts";
import { openRpcSource, type RpcLimits, type RpcSource, type SourceLogger } from "../rpc-source.ts";

export const ETH: Chain = {
  ...BARE_CHAIN,
  name: "eth",
  chainId: 1,
};

/** Waits that tests can afford; Retry-After is honoured all the same. */
const FAST: Partial<RpcLimits> = { minRetryDelayMs: 2, maxRetryDelayMs: 20, minAvoidMs: 5, maxAvoidMs: 50 };

/** A replay of recorded blocks, for the running test. */
export async function replay(bundle: string, options: ReplayOptions = {}): Promise<string> {
  const node = await startReplayNode([bundle], options);
  onTestFinished(async () => {
    await node.stop();
  });
  return node.url;
}

interface Opened {
  verify?: boolean;
  limits?: Partial<RpcLimits>;
  chain?: Chain;
  signal?: AbortSignal;
}

/** A source of its own for the running test, all that it warned of (`said`), and what else it told. */
export async function open(
  urls: string[],
  options: Opened = {},
): Promise<{ source: RpcSource; said: string[]; told: string[] }> {
  const said: string[] = [];
  const told: string[] = [];
  const logger: SourceLogger = {
    info: (fields, message) => told.push(`${message} ${JSON.stringify(fields)}`),
    warn: (fields, message) => said.push(`${message} ${JSON.stringify(fields)}`),
  };
  const limits = { ...FAST, ...options.limits };
  const source = await openRpcSource({
    urls,
    chain: options.chain ?? ETH,
    verify: options.verify ?? true,
    logger,
    limits,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  onTestFinished(() => source.close());
  return { source, said, told };
}

export async function collect(source: RpcSource, from: number, to: number): Promise<Block[]> {
  const blocks: Block[] = [];
  for await (const block of source.blocks({ from, to }, new AbortController().signal)) blocks.push(block);
  return blocks;
}

/** The error that a promise must end with. */
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

/** A JSON-RPC endpoint that answers as told; counts its HTTP requests. */
export async function endpoint(
  answer: (call: Call) => unknown,
  options: { batches?: boolean; status?: (request: number) => number; headers?: Record<string, string> } = {},
): Promise<{ url: string; requests: () => number }> {
  let requests = 0;
  const server: Server = createServer((request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", async () => {
      requests++;
      const body = JSON.parse(Buffer.concat(chunks).toString());
      const status = options.status?.(requests) ?? 200;
      if (status !== 200) return response.writeHead(status, options.headers).end("no");
      const one = async (call: Call & { id: number }) => {
        const result = await answer(call);
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
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests };
}

/** Passes calls on to another node, but for methods that this one lacks. */
export function forward(url: string, lacking: string[] = []): (call: Call) => Promise<unknown> {
  return async (call) => {
    if (lacking.includes(call.method))
      return new Error(`the method ${call.method} does not exist/is not available`);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: call.method, params: call.params });
    const headers = { "content-type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body });
    const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
    return answer.error === undefined ? answer.result : new Error(answer.error.message);
  };
}
