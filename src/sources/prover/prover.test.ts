import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { bundleCounts, MAINNET } from "../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../test/support/nodes/recording.ts";
import { type Call, collect, endpoint, failure, forward, open, replay } from "../support/rpc-endpoints.ts";
import { defaultThreads, Prover, startProofWorker } from "./prover.ts";

const { first: FIRST, last: LAST } = bundleCounts(MAINNET);
const truth = recordedBlocks(MAINNET);

/** A prover that counts the blocks that threads have proven from whole responses. */
class CountingProver extends Prover {
  readonly counts = { response: 0 };

  override async response(...job: Parameters<Prover["response"]>) {
    const result = await super.response(...job);
    if (result !== null) this.counts.response += result.blocks.length;
    return result;
  }
}

// The tests share these threads, because each takes a second to load its code.
const shared = new CountingProver(2);
afterAll(() => shared.close());

describe("blocks from an endpoint, proven in threads", () => {
  it("equal those that the main thread proves", async () => {
    const { source } = await open([await replay(MAINNET)], { prover: shared });
    const before = shared.counts.response;
    expect(await collect(source, FIRST, LAST)).toEqual(truth);
    expect(shared.counts.response - before).toBe(LAST - FIRST + 1);
    expect(source.endpoints()).toMatchObject([{ failures: 0, lies: 0 }]);
  });

  it.each([
    ["that refuses batches", { batches: false }, []],
    ["without eth_getBlockReceipts", {}, ["eth_getBlockReceipts"]],
  ])("equal those that the main thread proves, from an endpoint %s", async (_, options, lacking) => {
    const { url } = await endpoint(forward(await replay(MAINNET), lacking), options);
    const { source } = await open([url], { prover: shared });
    expect(await collect(source, FIRST, FIRST + 2)).toEqual(truth.slice(0, 3));
  });

  it("equal them when the endpoint fails, truncates responses, lags and sends wrong data", async () => {
    const faults = { 429: 0.05, 500: 0.05, truncate: 0.05, null: 0.05, "drop-log": 0.05, "dup-log": 0.05 };
    const url = await replay(MAINNET, { faults, seed: 3 });
    const { source } = await open([url], { prover: shared, limits: { maxBlocksPerRequest: 1 } });
    expect(await collect(source, FIRST, LAST)).toEqual(truth);
    expect(source.endpoints()[0]?.failures).toBeGreaterThan(0);
  });

  it.each<[string, (call: Call, result: unknown) => unknown]>([
    ["a log is missing", (call, result) => (isReceipts(call) ? withoutOneLog(result as Receipt[]) : result)],
    ["receipts are missing", (call, result) => (isReceipts(call) ? (result as Receipt[]).slice(1) : result)],
    [
      "a field is malformed",
      (call, result) => (isReceipts(call) ? result : { ...(result as object), miner: "0x1" }),
    ],
    [
      "the block is of another number",
      (call, result) => (isReceipts(call) ? result : { ...(result as object), number: "0x1" }),
    ],
    [
      "a sender is another wallet",
      (call, result) => (isReceipts(call) ? result : withSender(result as Sent, `0x${"5e".repeat(20)}`)),
    ],
    ["there is no block", (call, result) => (isReceipts(call) ? result : null)],
    ["a call is refused", (call, result) => (isReceipts(call) ? new Error("out of luck") : result)],
  ])("are reported as on the main thread if %s", async (_, spoil) => {
    const node = forward(await replay(MAINNET));
    const { url } = await endpoint(async (call) => {
      const result = await node(call);
      return /Block(ByNumber|Receipts)$/.test(call.method) && call.params[0] !== "latest"
        ? spoil(call, result)
        : result;
    });
    const reports = [await reportOf(url, shared), await reportOf(url, new Prover(0))];
    expect(reports[0]).toEqual(reports[1]);
    expect(reports[0]).not.toBe("no problem");
  });

  it("are complete even if threads are killed meanwhile", async () => {
    const workers: Worker[] = [];
    const prover = new Prover(2, () => {
      const worker = startProofWorker();
      workers.push(worker);
      // The first two workers are killed while they have work.
      if (workers.length <= 2) worker.once("online", () => void worker.terminate());
      return worker;
    });
    onTestFinished(() => prover.close());
    const { source } = await open([await replay(MAINNET)], { prover, limits: { maxBlocksPerRequest: 1 } });
    expect(await collect(source, FIRST, LAST)).toEqual(truth);
    expect(workers.length).toBeGreaterThan(2);
  });

  it("fail with a clear error if every thread exits while working on a block", async () => {
    const end = `require("node:worker_threads").parentPort.on("message", () => process.exit(1))`;
    const prover = new Prover(1, () => new Worker(end, { eval: true }));
    onTestFinished(() => prover.close());
    const { source } = await open([await replay(MAINNET)], { prover, limits: { maxBlocksPerRequest: 1 } });
    const error = await failure(collect(source, FIRST, FIRST));
    expect(error).toMatchObject({ code: "internal", retryable: false });
    expect(error.message).toBe(
      `3 threads that prove blocks exited while working on block ${FIRST}: exit code 1`,
    );
  });

  it("fail with the signal's reason when it aborts while a thread is working", async () => {
    const idle = `require("node:worker_threads").parentPort.on("message", () => {})`;
    const workers: Worker[] = [];
    const prover = new Prover(1, () => {
      const worker = new Worker(idle, { eval: true });
      workers.push(worker);
      return worker;
    });
    const { source } = await open([await replay(MAINNET)], { prover });
    const stop = new AbortController();
    const reading = (async () => {
      for await (const _ of source.blocks({ from: FIRST, to: LAST }, stop.signal));
    })();
    while (workers.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort(new RangeError("enough"));
    await expect(reading).rejects.toThrow("enough");
    const ended = new Promise((resolve) => workers[0]?.on("exit", resolve));
    await prover.close();
    await ended;
  });
});

it("uses one thread fewer than there are cores, between two and four, and none with one core", () => {
  expect([1, 2, 3, 4, 5, 64].map(defaultThreads)).toEqual([0, 2, 2, 3, 4, 4]);
});

/** Returns the first warning about an endpoint, or the error if that comes first. */
async function reportOf(url: string, prover: Prover): Promise<string> {
  const limits = { maxBlockAttempts: 1_000, maxBlocksPerRequest: 1 };
  const { source, warnings } = await open([url], { prover, limits, verifySenders: true });
  const stop = new AbortController();
  const reading = (async () => {
    for await (const _ of source.blocks({ from: FIRST, to: FIRST }, stop.signal));
    return "no problem";
  })().catch((error: Error) => error.message);
  const watching = (async () => {
    while (warnings[0] === undefined && !stop.signal.aborted) await sleep(10);
    return warnings[0] ?? "";
  })();
  const report = await Promise.race([reading, watching]);
  stop.abort();
  await reading;
  return report;
}

interface Receipt {
  logs: unknown[];
}

interface Sent {
  transactions: object[];
}

/** Returns the block with another sender of its second transaction. */
function withSender(block: Sent, from: string): Sent {
  return { ...block, transactions: block.transactions.map((one, i) => (i === 1 ? { ...one, from } : one)) };
}

function isReceipts({ method }: Call): boolean {
  return method === "eth_getBlockReceipts";
}

function withoutOneLog(receipts: Receipt[]): Receipt[] {
  const spoilt = receipts.findIndex(({ logs }) => logs.length > 0);
  return receipts.map((receipt, i) => (i === spoilt ? { ...receipt, logs: receipt.logs.slice(1) } : receipt));
}
