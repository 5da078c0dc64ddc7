import { describe, expect, it } from "vitest";
import { bundleCounts, MAINNET, USDC_WETH } from "../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../test/support/nodes/recording.ts";
import { startReplayNode } from "../../test/support/nodes/replay/replay-node.ts";
import type { Hex } from "../lib/hex.ts";
import { ManualClock } from "../lib/support/manual-clock.ts";
import type { Block } from "../schema/block.ts";
import type { RpcSource } from "./rpc-source.ts";
import { pass } from "./support/manual-time.ts";
import { collect, endpoint, failure, forward, open, replay } from "./support/rpc-endpoints.ts";

const { first: FIRST, last: LAST } = bundleCounts(MAINNET);

const all = (source: RpcSource) => collect(source, FIRST, LAST);

describe("RpcSource, on recorded blocks", () => {
  const truth = recordedBlocks(MAINNET);

  it("returns verified blocks in order, and head, finality and single blocks", async () => {
    const { source } = await open([await replay(MAINNET)]);
    expect(await all(source)).toEqual(truth);
    expect(await source.head()).toEqual({ number: LAST, hash: truth.at(-1)?.hash });
    expect(await source.finalized()).toEqual({ number: FIRST, hash: truth[0]?.hash });
    expect(await source.blockRef(FIRST + 3)).toEqual({ number: FIRST + 3, hash: truth[3]?.hash });
    expect(await source.blockRef(LAST + 1)).toBeNull();
    expect(source.endpoints()).toMatchObject([{ failures: 0, lies: 0, avoidedUntil: null }]);
  });

  it("returns the same blocks from an endpoint that fails, truncates, lags and lies", async () => {
    const faults = { 429: 0.05, 500: 0.05, truncate: 0.02, null: 0.02, "drop-log": 0.02, "dup-log": 0.02 };
    for (const seed of [1, 2]) {
      const url = await replay(MAINNET, { faults, seed });
      const { source } = await open([url], { limits: { maxBlocksPerRequest: 1 } });
      for (let round = 0; round < 4; round++) expect(await all(source)).toEqual(truth);
      expect(source.endpoints()[0]?.failures).toBeGreaterThan(0);
    }
  });

  it("detects invalid data in every second response, names endpoint and block, and counts it", async () => {
    const url = await replay(MAINNET, { faults: { "drop-log": 0.4, "dup-log": 0.2 } });
    const { source, warnings } = await open([url]);
    expect(await all(source)).toEqual(truth);
    expect(source.endpoints()[0]?.lies).toBeGreaterThan(0);
    expect(warnings.join("\n")).toMatch(
      new RegExp(`${url}: block 176861\\d\\d .*receipts root does not match`),
    );
  });

  it("prefers the honest one of two endpoints and names the other", async () => {
    const [honest, liar] = [await replay(MAINNET), await replay(MAINNET, { faults: { "drop-log": 1 } })];
    const limits = { minBackoffMs: 5_000, maxBackoffMs: 60_000, maxBlocksPerRequest: 1 };
    const { source, warnings } = await open([liar, honest], { limits });
    expect(await all(source)).toEqual(truth);
    expect(warnings.join("\n")).toContain(`${liar}: block`);
    expect(warnings.join("\n")).not.toContain(`${honest}: block`);
    const before = source.endpoints()[0]?.requests;
    expect(await all(source)).toEqual(truth);
    expect(source.endpoints()[0]?.requests).toBe(before);
    expect(source.endpoints()[0]?.avoidedUntil).toBeGreaterThan(Date.now() / 1000);
  });

  it("requests receipts one by one when eth_getBlockReceipts is missing", async () => {
    const { source } = await open([
      await replay(MAINNET, { hasBlockReceipts: false, faults: { null: 0.001 } }),
    ]);
    expect(await all(source)).toEqual(truth);
  });

  it("excludes an endpoint without receipts, because its blocks cannot be verified", async () => {
    const lacking = ["eth_getBlockReceipts", "eth_getTransactionReceipt"];
    const full = await replay(MAINNET);
    const poor = await endpoint(forward(full, lacking));
    const { source } = await open([poor.url]);
    const error = await failure(all(source));
    expect(error).toMatchObject({ code: "bad-config", retryable: false });
    expect(error.message).toContain(
      `${poor.url} offers neither eth_getBlockReceipts nor eth_getTransactionReceipt`,
    );
    const both = await open([poor.url, full]);
    expect(await all(both.source)).toEqual(truth);
  });

  it("uses only its logs when blocks are not verified, in ranges as short as it requires", async () => {
    const lacking = ["eth_getBlockReceipts", "eth_getTransactionReceipt"];
    const { url } = await endpoint(forward(await replay(MAINNET, { maxRange: 3 }), lacking));
    const { source } = await open([url], { verify: false, limits: { targetResponseBytes: 12_000_000 } });
    const blocks = await all(source);
    const logs = (of: Block[]) => of.map((block) => block.transactions.map((tx) => [tx.hash, tx.logs]));
    expect(logs(blocks)).toEqual(logs(truth));
    expect(blocks[0]?.transactions[0]).toMatchObject({ status: null, gasUsed: 0 });
  });

  it.each([
    ["there is no list of them", () => null],
    [
      "they are of another fork",
      (logs: object[]) => logs.map((log) => ({ ...log, blockHash: `0x${"ab".repeat(32)}` })),
    ],
  ])("requests logs again if %s", async (_, wrong) => {
    const lacking = ["eth_getBlockReceipts", "eth_getTransactionReceipt"];
    const node = forward(await replay(MAINNET), lacking);
    let requests = 0;
    const { url } = await endpoint(async (call) => {
      const result = await node(call);
      return call.method === "eth_getLogs" && ++requests % 2 === 1 ? wrong(result as object[]) : result;
    });
    const { source } = await open([url], { verify: false });
    const logs = (of: Block[]) => of.map((block) => block.transactions.map((tx) => tx.logs));
    expect(logs(await all(source))).toEqual(logs(truth));
  });

  it("retries after a reorg between block and receipts, and reports no invalid data", async () => {
    const node = forward(await replay(MAINNET));
    const log: string[][] = [];
    const hasWarned = () => log.flat().some((line) => line.includes("receipts have block hash"));
    const { url } = await endpoint(async (call) => {
      const result = await node(call);
      if (call.method !== "eth_getBlockReceipts" || hasWarned()) return result;
      return (result as object[]).map((receipt) => ({ ...receipt, blockHash: `0x${"ab".repeat(32)}` }));
    });
    const { source, warnings } = await open([url]);
    log.push(warnings);
    expect(await all(source)).toEqual(truth);
    expect(warnings.join("\n")).toMatch(/receipts have block hash 0xabab/);
  });

  it("requests the last receipt when the list omits it", async () => {
    const node = forward(await replay(MAINNET));
    const { url } = await endpoint(async (call) => {
      const result = await node(call);
      return call.method === "eth_getBlockReceipts" ? (result as object[]).slice(0, -1) : result;
    });
    const { source } = await open([url]);
    expect(await collect(source, FIRST, FIRST + 1)).toEqual(truth.slice(0, 2));
    expect(source.endpoints()[0]?.lies).toBe(0);
  });

  it("retries a request that hangs", async () => {
    const url = await replay(MAINNET, { faults: { hang: 0.3 }, seed: 3 });
    const { source, warnings } = await open([url], {
      limits: { requestTimeoutMs: 400, maxBlocksPerRequest: 1 },
    });
    expect(await all(source)).toEqual(truth);
    expect(warnings.join("\n")).toMatch(/no response within 400 ms/);
  });

  it("stops after a limited number of attempts at a block that is never valid", async () => {
    const node = forward(await replay(MAINNET));
    const { url } = await endpoint(async (call) => {
      const result = await node(call);
      return call.method === "eth_getBlockReceipts" ? withoutOneLog(result as { logs: unknown[] }[]) : result;
    });
    const { source } = await open([url], { limits: { maxBlockAttempts: 2 } });
    const error = await failure(all(source));
    expect(error).toMatchObject({ code: "verification", retryable: false });
    expect(error.message).toMatch(
      /^block 176861\d\d cannot be verified: receipts root does not match the receipts and their logs \(last endpoint: http/,
    );
    expect(source.endpoints()[0]?.lies).toBeGreaterThanOrEqual(2);
  });

  it("gives up early when every endpoint keeps sending the same invalid block", async () => {
    const bad = async () => {
      const node = forward(await replay(MAINNET));
      return endpoint(async (call) => {
        const result = await node(call);
        return call.method === "eth_getBlockReceipts" ? (result as object[]).slice(0, -2) : result;
      });
    };
    const [one, other] = [await bad(), await bad()];
    const { source, warnings } = await open([one.url, other.url], { limits: { sameResponseMs: 20 } });
    const error = await failure(collect(source, FIRST, FIRST));
    expect(error).toMatchObject({ code: "verification", retryable: false });
    expect(error.message).toMatch(
      / receipts for \d+ transactions \(last endpoint.*Every endpoint .*--no-verify/,
    );
    expect(one.requests() + other.requests()).toBeLessThan(20);
    expect(warnings[0]).toMatch(new RegExp(`block ${FIRST} failed verification: \\d+ receipts for`));
  });

  it("does not give up while one endpoint's response changes", async () => {
    const node = forward(await replay(MAINNET));
    let responses = 0;
    const { url } = await endpoint(async (call) => {
      const result = await node(call);
      if (call.method !== "eth_getBlockReceipts" || ++responses > 6) return result;
      return (result as object[]).slice(0, -1 - responses);
    });
    const { source } = await open([url], { limits: { sameResponseMs: 20, maxBlocksPerRequest: 1 } });
    expect(await collect(source, FIRST, FIRST)).toEqual(truth.slice(0, 1));
  });

  it("reports a block that no endpoint has", async () => {
    const { source } = await open([await replay(MAINNET)], { limits: { maxBlockAttempts: 3 } });
    const error = await failure(collect(source, LAST, LAST + 1));
    expect(error.message).toContain(
      `block ${LAST + 1} cannot be verified: the endpoint does not have this block yet`,
    );
  });

  it("reads from an endpoint that refuses batches", async () => {
    const node = forward(await replay(MAINNET));
    const { url } = await endpoint(node, { batches: false });
    const { source } = await open([url]);
    expect(await all(source)).toEqual(truth);
  });

  it("reads ahead within the limits and stops when the consumer does", async () => {
    const { source } = await open([await replay(MAINNET)], { limits: { maxBlocksAhead: 2 } });
    for await (const block of source.blocks({ from: FIRST, to: LAST }, new AbortController().signal)) {
      if (block.number === FIRST + 1) break;
    }
    expect(source.endpoints()[0]?.requests).toBeLessThanOrEqual(5);
  });

  it("ends with the signal's reason when aborted, even while waiting for an endpoint", async () => {
    const node = await startReplayNode([MAINNET]);
    const clock = new ManualClock();
    const { source } = await open([node.url], { clock });
    await node.stop();
    const abort = new AbortController();
    const reading = (async () => {
      for await (const _ of source.blocks({ from: FIRST, to: LAST }, abort.signal));
    })();
    const rejected = expect(reading).rejects.toThrow("shutting down");
    await pass(clock, 100);
    abort.abort(new Error("shutting down"));
    await rejected;
  });

  it("accepts a recording of only logs when verification is off, with a warning", async () => {
    const { source, warnings } = await open([await replay(USDC_WETH)], { verify: false });
    const blocks = recordedBlocks(USDC_WETH, "none");
    const { first } = bundleCounts(USDC_WETH);
    expect(await collect(source, first, first + 499)).toEqual(blocks.slice(0, 500));
    expect(warnings.join("\n")).toMatch(/blocks are NOT verified/);
  });

  it("calls contracts through Multicall3, with null for a revert", async () => {
    const { source } = await open([await replay(MAINNET)], { limits: { maxCallsPerMulticall: 2 } });
    const weth: Hex = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
    const noContract: Hex = `0x${"11".repeat(20)}`;
    const decimals: Hex = "0x313ce567";
    const eighteen = `0x${"12".padStart(64, "0")}`;
    const calls = [weth, noContract, weth, noContract, weth].map((to) => ({ to, data: decimals }));
    expect(await source.call(calls)).toEqual([eighteen, null, eighteen, null, eighteen]);
    expect(await source.call(calls.slice(1, 2))).toEqual([null]);
    expect(await source.call([])).toEqual([]);
  });

  it("never takes a failing transport for a revert", async () => {
    const url = await replay(MAINNET, { faults: { 429: 0.05, 500: 0.3, truncate: 0.3 }, seed: 3 });
    const { source } = await open([url], { limits: { maxCallAttempts: 50 } });
    const weth: Hex = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
    const calls = Array.from({ length: 10 }, () => ({ to: weth, data: "0x313ce567" as Hex }));
    expect(await source.call(calls)).toEqual(calls.map(() => `0x${"12".padStart(64, "0")}`));
  });
});

function withoutOneLog(receipts: { logs: unknown[] }[]): object[] {
  const spoilt = receipts.findIndex(({ logs }) => logs.length > 0);
  return receipts.map((receipt, i) => (i === spoilt ? { ...receipt, logs: receipt.logs.slice(1) } : receipt));
}
