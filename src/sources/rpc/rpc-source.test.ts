import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { decodeFunctionData, encodeFunctionResult, multicall3Abi } from "viem";
import { afterEach, describe, expect, it } from "vitest";
import { bundlesArePresent, MAINNET, USDC_WETH } from "../../../test/support/bundles.ts";
import { startReplayNode } from "../../../test/support/processes.ts";
import { recordedBlocks } from "../../../test/support/recording.ts";
import type { Chain } from "../../chains/chain.ts";
import { BaseError } from "../../lib/error.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block } from "../../schema/block.ts";
import { openRpcSource, type RpcLimits, type RpcSource, type SourceLogger } from "./rpc-source.ts";

const ETH: Chain = {
  name: "eth",
  chainId: 1,
  nativeSymbol: "ETH",
  wrappedNative: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  stableCoins: [],
  referencePools: [],
  deployments: [],
  finality: { kind: "tag" },
  blockTimeMs: 12_000,
};

/** Waits that tests can afford; Retry-After is honoured all the same. */
const FAST: Partial<RpcLimits> = { minRetryDelayMs: 2, maxRetryDelayMs: 20, minAvoidMs: 5, maxAvoidMs: 50 };

const FIRST = 17_686_110;
const LAST = 17_686_121;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function replay(bundle: string, ...options: string[]): Promise<string> {
  const node = await startReplayNode([bundle], options);
  cleanups.push(() => node.stop());
  return node.url;
}

interface Opened {
  verify?: boolean;
  limits?: Partial<RpcLimits>;
  chain?: Chain;
}

async function open(urls: string[], options: Opened = {}): Promise<{ source: RpcSource; said: string[] }> {
  const said: string[] = [];
  const logger: SourceLogger = {
    info: () => {},
    warn: (fields, message) => said.push(`${message} ${JSON.stringify(fields)}`),
  };
  const limits = { ...FAST, ...options.limits };
  const source = await openRpcSource({
    urls,
    chain: options.chain ?? ETH,
    verify: options.verify ?? true,
    logger,
    limits,
  });
  cleanups.push(() => source.close());
  return { source, said };
}

async function collect(source: RpcSource, from = FIRST, to = LAST): Promise<Block[]> {
  const blocks: Block[] = [];
  for await (const block of source.blocks({ from, to }, new AbortController().signal)) blocks.push(block);
  return blocks;
}

async function failure(promise: Promise<unknown>): Promise<BaseError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof BaseError)) throw new Error(`expected a BaseError, got ${error}`);
  return error;
}

interface Call {
  method: string;
  params: unknown[];
}

/** A JSON-RPC endpoint that answers as told; counts its HTTP requests. */
async function endpoint(
  answer: (call: Call) => unknown,
  options: { batches?: boolean; status?: (request: number) => number; headers?: Record<string, string> } = {},
): Promise<{ url: string; requests: () => number }> {
  let requests = 0;
  const server: Server = createServer((request, response) => {
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
  cleanups.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests };
}

/** Passes calls on to another node, but for methods that this one lacks. */
function forward(url: string, lacking: string[] = []): (call: Call) => Promise<unknown> {
  return async (call) => {
    if (lacking.includes(call.method))
      return new Error(`the method ${call.method} does not exist/is not available`);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: call.method, params: call.params });
    const response = await fetch(url, { method: "POST", body });
    const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
    return answer.error === undefined ? answer.result : new Error(answer.error.message);
  };
}

describe.skipIf(!bundlesArePresent)("RpcSource, on recorded blocks", () => {
  const truth = recordedBlocks(MAINNET);

  it("gives the blocks in order, proven, and knows head, finality and single blocks", async () => {
    const { source } = await open([await replay(MAINNET)]);
    expect(await collect(source)).toEqual(truth);
    expect(await source.head()).toEqual({ number: LAST, hash: truth.at(-1)?.hash });
    expect(await source.finalized()).toEqual({ number: FIRST, hash: truth[0]?.hash });
    expect(await source.blockRef(FIRST + 3)).toEqual({ number: FIRST + 3, hash: truth[3]?.hash });
    expect(await source.blockRef(LAST + 1)).toBeNull();
    expect(source.endpoints()).toMatchObject([{ failures: 0, lies: 0, avoidedUntil: null }]);
  });

  it("gives the same blocks from an endpoint that fails, cuts, lags and lies", async () => {
    const faults = "429:0.05,500:0.05,truncate:0.02,null:0.02,drop-log:0.02,dup-log:0.02";
    for (const seed of ["1", "2"]) {
      const url = await replay(MAINNET, "--faults", faults, "--seed", seed);
      const { source } = await open([url], { limits: { maxBlocksPerRequest: 1 } });
      for (let round = 0; round < 4; round++) expect(await collect(source)).toEqual(truth);
      expect(source.endpoints()[0]?.failures).toBeGreaterThan(0);
    }
  });

  it("catches every second answer being a lie, names endpoint and block, and counts it", async () => {
    const url = await replay(MAINNET, "--faults", "drop-log:0.4,dup-log:0.2");
    const { source, said } = await open([url]);
    expect(await collect(source)).toEqual(truth);
    expect(source.endpoints()[0]?.lies).toBeGreaterThan(0);
    expect(said.join("\n")).toMatch(new RegExp(`${url}: block 176861\\d\\d .*receipts root does not match`));
  });

  it("prefers the honest of two endpoints and names the other", async () => {
    const [honest, liar] = [await replay(MAINNET), await replay(MAINNET, "--faults", "drop-log:1")];
    const limits = { minAvoidMs: 5_000, maxAvoidMs: 60_000, maxBlocksPerRequest: 1 };
    const { source, said } = await open([liar, honest], { limits });
    expect(await collect(source)).toEqual(truth);
    expect(said.join("\n")).toContain(`${liar}: block`);
    expect(said.join("\n")).not.toContain(`${honest}: block`);
    const before = source.endpoints()[0]?.requests;
    expect(await collect(source)).toEqual(truth);
    expect(source.endpoints()[0]?.requests).toBe(before);
    expect(source.endpoints()[0]?.avoidedUntil).toBeGreaterThan(Date.now() / 1000);
  });

  it("asks for receipts one by one where eth_getBlockReceipts is missing", async () => {
    const { source } = await open([await replay(MAINNET, "--no-block-receipts", "--faults", "null:0.001")]);
    expect(await collect(source)).toEqual(truth);
  });

  it("refuses an endpoint that has no receipts at all, since nothing can be proven with it", async () => {
    const lacking = ["eth_getBlockReceipts", "eth_getTransactionReceipt"];
    const full = await replay(MAINNET);
    const poor = await endpoint(forward(full, lacking));
    const { source } = await open([poor.url]);
    const error = await failure(collect(source));
    expect(error).toMatchObject({ code: "bad-config", retryable: false });
    expect(error.message).toContain(
      `${poor.url} offers neither eth_getBlockReceipts nor eth_getTransactionReceipt`,
    );
    const both = await open([poor.url, full]);
    expect(await collect(both.source)).toEqual(truth);
  });

  it("takes logs alone from it when nothing is to be proven, in ranges as short as it wants", async () => {
    const lacking = ["eth_getBlockReceipts", "eth_getTransactionReceipt"];
    const { url } = await endpoint(forward(await replay(MAINNET, "--max-range", "3"), lacking));
    const { source } = await open([url], { verify: false, limits: { targetResponseBytes: 12_000_000 } });
    const blocks = await collect(source);
    const logs = (of: Block[]) => of.map((block) => block.transactions.map((tx) => [tx.hash, tx.logs]));
    expect(logs(blocks)).toEqual(logs(truth));
    expect(blocks[0]?.transactions[0]).toMatchObject({ status: null, gasUsed: 0 });
  });

  it("asks again, and blames nobody for a lie, when a reorg came between block and receipts", async () => {
    const node = forward(await replay(MAINNET));
    let torn = 2;
    const { url } = await endpoint(async (call) => {
      const result = await node(call);
      if (call.method !== "eth_getBlockReceipts" || torn-- <= 0) return result;
      return (result as object[]).map((receipt) => ({ ...receipt, blockHash: `0x${"ab".repeat(32)}` }));
    });
    const { source, said } = await open([url]);
    expect(await collect(source)).toEqual(truth);
    expect(said.join("\n")).toMatch(/receipts are of block hash 0xabab/);
  });

  it("gives up a request that hangs and repeats it", async () => {
    const url = await replay(MAINNET, "--faults", "hang:0.3", "--seed", "7");
    const { source, said } = await open([url], { limits: { requestTimeoutMs: 400, maxBlocksPerRequest: 1 } });
    expect(await collect(source)).toEqual(truth);
    expect(said.join("\n")).toMatch(/no answer within 400 ms/);
  });

  it("stops after a bounded number of attempts at a block that is never right, saying all", async () => {
    const url = await replay(MAINNET, "--faults", "drop-log:1");
    const { source } = await open([url], { limits: { maxBlockAttempts: 4 } });
    const error = await failure(collect(source));
    expect(error).toMatchObject({ code: "verification", retryable: false });
    expect(error.message).toMatch(
      /^block 176861\d\d cannot be proven: receipts root does not match the receipts and their logs \(last asked: http/,
    );
    expect(source.endpoints()[0]?.lies).toBeGreaterThanOrEqual(4);
  });

  it("says so for a block that no endpoint has", async () => {
    const { source } = await open([await replay(MAINNET)], { limits: { maxBlockAttempts: 3 } });
    const error = await failure(collect(source, LAST, LAST + 1));
    expect(error.message).toContain(`block ${LAST + 1} cannot be proven: the endpoint has no such block yet`);
  });

  it("reads an endpoint that refuses batches", async () => {
    const node = forward(await replay(MAINNET));
    const { url } = await endpoint(node, { batches: false });
    const { source } = await open([url]);
    expect(await collect(source)).toEqual(truth);
  });

  it("reads ahead no further than the limits and stops when the consumer does", async () => {
    const { source } = await open([await replay(MAINNET)], { limits: { maxBlocksAhead: 2 } });
    for await (const block of source.blocks({ from: FIRST, to: LAST }, new AbortController().signal)) {
      if (block.number === FIRST + 1) break;
    }
    expect(source.endpoints()[0]?.requests).toBeLessThanOrEqual(5);
  });

  it("ends with the signal's reason when aborted, even while waiting for an endpoint", async () => {
    const node = await startReplayNode([MAINNET]);
    const { source } = await open([node.url]);
    await node.stop();
    const abort = new AbortController();
    const reading = (async () => {
      for await (const _ of source.blocks({ from: FIRST, to: LAST }, abort.signal));
    })();
    setTimeout(() => abort.abort(new Error("shutting down")), 100);
    await expect(reading).rejects.toThrow("shutting down");
  });

  it("takes a recording of logs alone as it is, saying so, when verification is off", async () => {
    const { source, said } = await open([await replay(USDC_WETH)], { verify: false });
    const blocks = recordedBlocks(USDC_WETH);
    expect(await collect(source, 18_937_382, 18_937_881)).toEqual(blocks.slice(0, 500));
    expect(said.join("\n")).toMatch(/blocks are NOT verified/);
  });

  it("calls contracts through Multicall3, null where they revert", async () => {
    const { source } = await open([await replay(MAINNET)], { limits: { maxCallsPerMulticall: 2 } });
    const weth: Hex = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
    const nobody: Hex = `0x${"11".repeat(20)}`;
    const decimals: Hex = "0x313ce567";
    const eighteen = `0x${"12".padStart(64, "0")}`;
    const calls = [weth, nobody, weth, nobody, weth].map((to) => ({ to, data: decimals }));
    expect(await source.call(calls)).toEqual([eighteen, null, eighteen, null, eighteen]);
    expect(await source.call(calls.slice(1, 2))).toEqual([null]);
    expect(await source.call([])).toEqual([]);
  });

  it("never takes a failing transport for a revert", async () => {
    const url = await replay(MAINNET, "--faults", "429:0.05,500:0.3,truncate:0.3", "--seed", "3");
    const { source } = await open([url], { limits: { maxCallAttempts: 50 } });
    const weth: Hex = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
    const calls = Array.from({ length: 10 }, () => ({ to: weth, data: "0x313ce567" as Hex }));
    expect(await source.call(calls)).toEqual(calls.map(() => `0x${"12".padStart(64, "0")}`));
  });
});

describe("opening an RpcSource", () => {
  it("refuses an endpoint of another chain, naming it and both chain ids", async () => {
    const { url } = await endpoint(() => "0x2105");
    const error = await failure(open([url]));
    expect(error).toMatchObject({ code: "bad-config", retryable: false });
    expect(error.message).toContain(`${url} serves chain id 8453, but chain "eth" has chain id 1`);
  });

  it("says which URL cannot be reached", async () => {
    const error = await failure(open(["http://127.0.0.1:1"]));
    expect(error.code).toBe("endpoint");
    expect(error.message).toMatch(
      /no RPC endpoint of chain "eth" can be reached: http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
  });

  it("goes on without an endpoint that is down, and says so", async () => {
    const { url } = await endpoint(({ method }) => (method === "eth_chainId" ? "0x1" : null));
    const { said } = await open(["http://127.0.0.1:1", url]);
    expect(said.join("\n")).toMatch(/cannot be reached.*http:\/\/127\.0\.0\.1:1/);
  });

  it("gives a busy endpoint another chance, after the time that it asks for", async () => {
    const { url, requests } = await endpoint(() => "0x1", {
      status: (request) => (request === 1 ? 429 : 200),
      headers: { "retry-after": "1" },
    });
    const startedAt = Date.now();
    await open([url]);
    expect(requests()).toBe(2);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  it("checks an endpoint that comes back before it is used, and refuses it then", async () => {
    let isUp = false;
    const late = await endpoint(() => (isUp ? "0x38" : new Error("starting")));
    const good = await endpoint(({ method }) =>
      method === "eth_chainId" ? "0x1" : { number: "0x5", hash: `0x${"ab".repeat(32)}` },
    );
    const { source, said } = await open([late.url, good.url]);
    isUp = true;
    for (let i = 0; i < 40 && !said.some((line) => line.includes("serves chain id")); i++) {
      expect((await source.head()).number).toBe(5);
      await sleep(10);
    }
    expect(said.join("\n")).toContain(`${late.url} serves chain id 56, but chain "eth" has chain id 1`);
    const asked = late.requests();
    for (let i = 0; i < 10; i++) await source.head();
    expect(late.requests()).toBe(asked);
  });

  it("wants at least one URL, and http", async () => {
    expect((await failure(open([]))).message).toMatch(/no RPC URL for chain "eth"/);
    expect((await failure(open(["ws://127.0.0.1"]))).code).toBe("bad-config");
  });

  it("knows no finality where the tag is refused", async () => {
    const { url } = await endpoint(({ method }) =>
      method === "eth_chainId" ? "0x1" : new Error("finalized block not found"),
    );
    const { source } = await open([url]);
    expect(await source.finalized()).toBeNull();
  });
});

/** Blocks 1, 2, ... of a chain without transactions, each with the parent that is asked for. */
function chainOf(parentOf: (number: number) => number): (call: Call) => unknown {
  const hash = (number: number) => `0x${number.toString(16).padStart(64, "0")}`;
  return ({ method, params }) => {
    if (method === "eth_chainId") return "0x1";
    if (method === "eth_getBlockReceipts") return [];
    const number = Number(params[0]);
    return {
      number: params[0],
      hash: hash(number),
      parentHash: hash(parentOf(number)),
      timestamp: "0x1",
      miner: `0x${"00".repeat(20)}`,
      gasLimit: "0x1",
      gasUsed: "0x0",
      extraData: "0x",
      transactions: [],
    };
  };
}

describe("the links between blocks", () => {
  it("takes a block that does not link for a reorg, after fetching it again", async () => {
    const { url } = await endpoint(chainOf((number) => (number === 4 ? 77 : number - 1)));
    const { source } = await open([url], { verify: false });
    const seen: number[] = [];
    const reading = (async () => {
      for await (const block of source.blocks({ from: 1, to: 6 }, new AbortController().signal))
        seen.push(block.number);
    })();
    const error = await failure(reading);
    expect(error).toMatchObject({ code: "verification", retryable: true });
    expect(error.message).toMatch(
      /block 4 does not follow the one before: parent hash 0x0+4d is not the hash of block 3/,
    );
    expect(seen).toEqual([1, 2, 3]);
  });

  it("goes on when the block links at the second attempt", async () => {
    let asked = 0;
    const { url } = await endpoint(chainOf((number) => (number === 4 && asked++ === 0 ? 77 : number - 1)));
    const { source } = await open([url], { verify: false });
    expect((await collect(source, 1, 6)).map((block) => block.number)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("yields nothing for an empty range", async () => {
    const { url } = await endpoint(chainOf((number) => number - 1));
    const { source } = await open([url], { verify: false });
    expect(await collect(source, 5, 4)).toEqual([]);
  });
});

describe("contract calls", () => {
  const target = (number: number): Hex => `0x${number.toString(16).padStart(40, "0")}`;
  const calls = Array.from({ length: 9 }, (_, i) => ({ to: target(i), data: "0x1234" as Hex }));

  it("halves a multicall that fails as a whole, down to the call that burns all gas", async () => {
    const sizes: number[] = [];
    const { url } = await endpoint(({ method, params }) => {
      if (method === "eth_chainId") return "0x1";
      if (method === "eth_getCode") return "0x60";
      const call = params[0] as { to: Hex; data: Hex };
      const { args } =
        call.data === "0x1234" ? { args: null } : decodeFunctionData({ abi: multicall3Abi, data: call.data });
      const targets = args === null ? [call.to] : args[0].map((item) => item.target.toLowerCase());
      sizes.push(targets.length);
      if (targets.includes(target(4))) return new Error("out of gas");
      if (args === null) return "0xff";
      const result = targets.map(() => ({ success: true, returnData: "0xff" as Hex }));
      return encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result });
    });
    const { source } = await open([url]);
    expect(await source.call(calls)).toEqual(calls.map((_, i) => (i === 4 ? null : "0xff")));
    expect(sizes[0]).toBe(9);
    expect(Math.min(...sizes)).toBe(1);
  });

  it("calls one by one where there is no Multicall3", async () => {
    const { url } = await endpoint(({ method, params }) => {
      if (method === "eth_chainId") return "0x1";
      if (method === "eth_getCode") return "0x";
      return (params[0] as { to: Hex }).to === target(4) ? new Error("execution reverted") : "0xff";
    });
    const { source } = await open([url]);
    expect(await source.call(calls)).toEqual(calls.map((_, i) => (i === 4 ? null : "0xff")));
  });

  it("fails, rather than say null, when the endpoint keeps failing", async () => {
    const { url } = await endpoint(({ method }) => {
      if (method === "eth_chainId") return "0x1";
      return method === "eth_getCode" ? "0x" : new Error("header not found");
    });
    const { source } = await open([url], { limits: { maxCallAttempts: 3 } });
    const error = await failure(source.call(calls));
    expect(error).toMatchObject({ code: "endpoint", retryable: true });
    expect(error.message).toContain("header not found");
  });
});
