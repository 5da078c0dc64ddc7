import { describe, expect, it } from "vitest";
import type { LogFilter } from "../../schema/log-filter.ts";
import { type Call, endpoint, failure, open } from "../support/rpc-endpoints.ts";

const FILTER: LogFilter = {
  address: "0x000000000004444c5dc75cb358380d2e3de08a90",
  topics: [[`0x${"1".repeat(64)}`], [`0x${"2".repeat(64)}`, `0x${"3".repeat(64)}`]],
  from: 21_688_329,
  to: 22_000_000,
  atLeast: 1,
};
const LOG = { address: FILTER.address, topics: [`0x${"1".repeat(64)}`], data: "0x", logIndex: 7 };
const TOLD = { ...LOG, logIndex: "0x7", blockNumber: "0x14af3a0" };

const node = (logs: (call: Call) => unknown) =>
  endpoint((call) => (call.method === "eth_getLogs" ? logs(call) : "0x1"));

describe("RpcSource.pastLogs", () => {
  it("asks for one range of blocks, with several values of a topic", async () => {
    const asked: unknown[] = [];
    const { url } = await node(({ params }) => {
      asked.push(...params);
      return [TOLD];
    });
    const { source, said } = await open([url]);
    expect(await source.pastLogs(FILTER)).toEqual([LOG]);
    const { address, topics } = FILTER;
    expect(asked).toEqual([{ address, topics, fromBlock: "0x14af009", toBlock: "0x14fb180" }]);
    expect(said).toEqual([]);
  });

  it("asks the next endpoint where one refuses, whatever its words", async () => {
    const refusing = await node(() => new Error("eth_getLogs is limited to 0 - 10000 blocks"));
    const telling = await node(() => [TOLD]);
    for (const urls of [
      [refusing.url, telling.url],
      [telling.url, refusing.url],
    ]) {
      const { source, said } = await open(urls);
      for (let i = 0; i < 4; i++) expect(await source.pastLogs(FILTER)).toEqual([LOG]);
      expect(said).toEqual([]);
    }
  });

  it("asks the next endpoint where one tells fewer than there are, and takes what both tell", async () => {
    const other = { ...TOLD, logIndex: "0x8" };
    const [nothing, half, rest] = await Promise.all([
      node(() => []),
      node(() => [TOLD]),
      node(() => [other]),
    ]);
    const some = await open([nothing.url, half.url]);
    expect(await some.source.pastLogs(FILTER)).toEqual([LOG]);
    expect(some.said).toEqual([]);
    const { source, said } = await open([nothing.url, half.url, rest.url]);
    const logs = await source.pastLogs({ ...FILTER, atLeast: 2 });
    expect(logs?.map(({ logIndex }) => logIndex).sort()).toEqual([7, 8]);
    expect(said).toEqual([expect.stringContaining("1 logs instead of 2")]);
    expect(await (await open([nothing.url])).source.pastLogs(FILTER)).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ["refuses", () => new Error("query timed out")],
    ["keeps silent", () => new Promise(() => {})],
    ["answers nonsense", () => "0x1"],
    ["answers half a log", () => [{ ...TOLD, topics: ["0x12"] }]],
  ])("says null, and why in the log once, where every endpoint %s", async (_, answer) => {
    const { url } = await node(answer);
    const { source, said } = await open([url], { limits: { maxCallAttempts: 2, requestTimeoutMs: 50 } });
    expect(await source.pastLogs(FILTER)).toBeNull();
    expect(await source.pastLogs(FILTER)).toBeNull();
    const complaints = said.filter((words) =>
      words.startsWith("no endpoint tells all logs of blocks before"),
    );
    expect(complaints).toHaveLength(1);
  });

  it("does not ask a silent endpoint again and again, nor soon", async () => {
    const asked: Call[] = [];
    const { url } = await node((call) => {
      asked.push(call);
      return new Promise(() => {});
    });
    const { source } = await open([url], { limits: { requestTimeoutMs: 100 } });
    for (let i = 0; i < 3; i++) expect(await source.pastLogs(FILTER)).toBeNull();
    expect(asked).toHaveLength(1);
    await expect.poll(() => source.pastLogs(FILTER).then(() => asked.length), { timeout: 10_000 }).toBe(2);
  });

  it("takes no outage for an answer", async () => {
    let isGone = false;
    const { url } = await endpoint(() => (isGone ? new Promise(() => {}) : "0x1"));
    const { source, said } = await open([url], { limits: { requestTimeoutMs: 50, maxCallAttempts: 2 } });
    isGone = true;
    expect(await failure(source.pastLogs(FILTER))).toMatchObject({ code: "endpoint", retryable: true });
    expect(said).not.toContainEqual(expect.stringContaining("no endpoint tells"));
  });
});
