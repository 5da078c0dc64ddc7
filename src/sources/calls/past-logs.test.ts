import { describe, expect, it } from "vitest";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import type { LogFilter } from "../../schema/log-filter.ts";
import { pass, settled } from "../support/manual-time.ts";
import { type Call, endpoint, failure, open } from "../support/rpc-endpoints.ts";

const FILTER: LogFilter = {
  address: "0x000000000004444c5dc75cb358380d2e3de08a90",
  topics: [[`0x${"1".repeat(64)}`], [`0x${"2".repeat(64)}`, `0x${"3".repeat(64)}`]],
  from: 21_688_329,
  to: 22_000_000,
  atLeast: 1,
};
const LOG = { address: FILTER.address, topics: [`0x${"1".repeat(64)}`], data: "0x", logIndex: 7 };
const SENT = { ...LOG, logIndex: "0x7", blockNumber: "0x14af3a0" };

const node = (logs: (call: Call) => unknown) =>
  endpoint((call) => (call.method === "eth_getLogs" ? logs(call) : "0x1"));

describe("RpcSource.pastLogs", () => {
  it("requests one range of blocks, with several values of a topic", async () => {
    const filters: unknown[] = [];
    const { url } = await node(({ params }) => {
      filters.push(...params);
      return [SENT];
    });
    const { source, warnings } = await open([url]);
    expect(await source.pastLogs(FILTER)).toEqual([LOG]);
    const { address, topics } = FILTER;
    expect(filters).toEqual([{ address, topics, fromBlock: "0x14af009", toBlock: "0x14fb180" }]);
    expect(warnings).toEqual([]);
  });

  it("uses the next endpoint when one refuses with any message", async () => {
    const refusing = await node(() => new Error("eth_getLogs is limited to 0 - 10000 blocks"));
    const willing = await node(() => [SENT]);
    for (const urls of [
      [refusing.url, willing.url],
      [willing.url, refusing.url],
    ]) {
      const { source, warnings } = await open(urls);
      for (let i = 0; i < 4; i++) expect(await source.pastLogs(FILTER)).toEqual([LOG]);
      expect(warnings).toEqual([]);
    }
  });

  it("uses the next endpoint when one returns too few logs, and merges their logs", async () => {
    const other = { ...SENT, logIndex: "0x8" };
    const [nothing, half, rest] = await Promise.all([
      node(() => []),
      node(() => [SENT]),
      node(() => [other]),
    ]);
    const some = await open([nothing.url, half.url]);
    expect(await some.source.pastLogs(FILTER)).toEqual([LOG]);
    expect(some.warnings).toEqual([]);
    const { source, warnings } = await open([nothing.url, half.url, rest.url]);
    const logs = await source.pastLogs({ ...FILTER, atLeast: 2 });
    expect(logs?.map(({ logIndex }) => logIndex).sort()).toEqual([7, 8]);
    expect(warnings).toEqual([expect.stringContaining("1 logs instead of 2")]);
    expect(await (await open([nothing.url])).source.pastLogs(FILTER)).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ["refuses", () => new Error("query timed out")],
    ["does not respond", () => new Promise(() => {})],
    ["returns nonsense", () => "0x1"],
    ["returns half a log", () => [{ ...SENT, topics: ["0x12"] }]],
  ])("returns null, and logs the reasons once, when every endpoint %s", async (_, respond) => {
    const { url } = await node(respond);
    const clock = new ManualClock();
    const limits = { maxCallAttempts: 2, requestTimeoutMs: 50 };
    const { source, warnings } = await open([url], { clock, limits });
    expect(await settled(clock, source.pastLogs(FILTER))).toBeNull();
    expect(await settled(clock, source.pastLogs(FILTER))).toBeNull();
    const lines = warnings.filter((line) => line.startsWith("no endpoint returns all logs"));
    expect(lines).toHaveLength(1);
  });

  it("pauses before it requests logs of a silent endpoint again", async () => {
    const clock = new ManualClock();
    const calls: Call[] = [];
    const { url } = await node((call) => {
      calls.push(call);
      return new Promise(() => {});
    });
    const { source } = await open([url], { clock, limits: { requestTimeoutMs: 100 } });
    for (let i = 0; i < 3; i++) expect(await settled(clock, source.pastLogs(FILTER))).toBeNull();
    expect(calls).toHaveLength(1);
    const startedAt = clock.now();
    while (calls.length === 1) {
      expect(await settled(clock, source.pastLogs(FILTER))).toBeNull();
      await pass(clock, 20);
    }
    expect(clock.now() - startedAt).toBeGreaterThan(1_000);
    expect(calls).toHaveLength(2);
  });

  it("throws when the endpoints are gone, because that says nothing about logs", async () => {
    let isGone = false;
    const { url } = await endpoint(() => (isGone ? new Promise(() => {}) : "0x1"));
    const clock = new ManualClock();
    const limits = { requestTimeoutMs: 50, maxCallAttempts: 2 };
    const { source, warnings } = await open([url], { clock, limits });
    isGone = true;
    const error = await settled(clock, failure(source.pastLogs(FILTER)));
    expect(error).toMatchObject({ code: "endpoint", retryable: true });
    expect(warnings).not.toContainEqual(expect.stringContaining("no endpoint returns"));
  });
});
