import { describe, expect, it } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import type { LogFilter } from "../../schema/log-filter.ts";
import { pass, passUntil, settled } from "../support/manual-time.ts";
import { type Call, endpoint, failure, open } from "../support/rpc-endpoints.ts";

const idOf = (digit: string): Hex => `0x${digit.repeat(64)}`;
const TOPIC = idOf("1");
const [A, B, C] = [idOf("a"), idOf("b"), idOf("c")];
const ADDRESS: Hex = "0x000000000004444c5dc75cb358380d2e3de08a90";
const FILTER: LogFilter = {
  address: ADDRESS,
  topic: TOPIC,
  ids: [A],
  from: 21_688_329,
  to: 22_000_000,
};
const BOTH = { ...FILTER, ids: [A, B] };

const logOf = (id: Hex) => ({ address: ADDRESS, topics: [TOPIC, id], data: "0x", logIndex: 7 });
const sentOf = (id: Hex) => ({ ...logOf(id), logIndex: "0x7", blockNumber: "0x14af3a0" });

const node = (logs: (call: Call) => unknown) =>
  endpoint((call) => (call.method === "eth_getLogs" ? logs(call) : "0x1"));

const reasonless = (warnings: readonly string[]) =>
  warnings.map((line) => line.slice(0, line.indexOf("{") - 1));
const LEFT_OUT =
  "no endpoint returns all logs from before the first indexed block: swaps in some older Uniswap V4 pools are " +
  "left out";

describe("RpcSource.pastLogs", () => {
  it("requests one range of blocks, with several ids", async () => {
    const filters: unknown[] = [];
    const { url } = await node(({ params }) => {
      filters.push(...params);
      return [sentOf(A), sentOf(B), sentOf(C)];
    });
    const { source, warnings } = await open([url]);
    expect(await source.pastLogs(BOTH)).toEqual([logOf(A), logOf(B)]);
    const topics = [[TOPIC], [A, B]];
    expect(filters).toEqual([{ address: ADDRESS, topics, fromBlock: "0x14af009", toBlock: "0x14fb180" }]);
    expect(warnings).toEqual([]);
  });

  it("uses the next endpoint when one refuses with any message", async () => {
    const refusing = await node(() => new Error("eth_getLogs is limited to 0 - 10000 blocks"));
    const willing = await node(() => [sentOf(A)]);
    for (const urls of [
      [refusing.url, willing.url],
      [willing.url, refusing.url],
    ]) {
      const { source, warnings } = await open(urls);
      for (let i = 0; i < 4; i++) expect(await source.pastLogs(FILTER)).toEqual([logOf(A)]);
      expect(warnings).toEqual([]);
    }
  });

  it("uses the next endpoint when one returns too few logs, and merges their logs", async () => {
    const [nothing, half, rest] = await Promise.all([
      node(() => []),
      node(() => [sentOf(A)]),
      node(() => [sentOf(B)]),
    ]);
    const { source, warnings } = await open([nothing.url, half.url, rest.url]);
    const logs = await source.pastLogs(BOTH);
    expect(logs?.map(({ topics }) => topics[1]).sort()).toEqual([A, B]);
    expect(warnings).toEqual([]);
    const some = await open([nothing.url, half.url]);
    expect(await some.source.pastLogs(BOTH)).toEqual([logOf(A)]);
    expect(reasonless(some.warnings)).toEqual([LEFT_OUT]);
    expect(some.warnings[0]).toContain("eth_getLogs returned 1 of 2 logs");
    expect(await (await open([nothing.url])).source.pastLogs(FILTER)).toBeNull();
  });

  it.each<[string, () => unknown]>([
    ["lacks the method", () => new Error("the method eth_getLogs does not exist/is not available")],
    ["returns nonsense", () => "0x1"],
    ["returns half a log", () => [{ ...sentOf(A), topics: ["0x12"] }]],
  ])("returns null, and logs the reasons once, when every endpoint %s", async (_, respond) => {
    const { url } = await node(respond);
    const { source, warnings } = await open([url], { limits: { maxCallAttempts: 2 } });
    for (let i = 0; i < 2; i++) expect(await source.pastLogs(FILTER)).toBeNull();
    expect(reasonless(warnings).filter((line) => line === LEFT_OUT)).toHaveLength(1);
  });

  it("waits once for an endpoint that does not respond to requests for logs", async () => {
    const clock = new ManualClock();
    const calls: Call[] = [];
    const { url } = await node((call) => {
      calls.push(call);
      return new Promise(() => {});
    });
    const { source } = await open([url], { clock, limits: { requestTimeoutMs: 100 } });
    for (let i = 0; i < 3; i++) expect(await settled(clock, source.pastLogs(FILTER))).toBeNull();
    const startedAt = clock.now();
    for (let i = 0; i < 10; i++) await source.pastLogs(FILTER);
    expect(clock.now()).toBe(startedAt);
    await pass(clock, 5_000);
    expect(calls.length).toBeLessThanOrEqual(2);
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

interface Part {
  from: number;
  to: number;
  ids: Hex[];
}

/**
 * Starts an endpoint that refuses ranges of more than `most` blocks, and that has the log of each id in the
 * given block.
 */
async function limited(most: number, blocks: Partial<Record<Hex, number>>) {
  const accepted: Part[] = [];
  const refused: Part[] = [];
  const { url } = await node(({ params }) => {
    const [{ fromBlock, toBlock, topics }] = params as [
      { fromBlock: Hex; toBlock: Hex; topics: [Hex[], Hex[]] },
    ];
    const part = { from: Number(fromBlock), to: Number(toBlock), ids: topics[1] };
    const isAccepted = part.to - part.from < most;
    (isAccepted ? accepted : refused).push(part);
    if (!isAccepted) return new Error(`query exceeds max block range ${most}`);
    const isThere = (at: number | undefined) => at !== undefined && at >= part.from && at <= part.to;
    return part.ids.filter((id) => isThere(blocks[id])).map(sentOf);
  });
  return { url, accepted, refused };
}

describe("an endpoint that refuses long ranges", () => {
  it("is searched in the largest parts that it accepts, newest first, while requests return at once", async () => {
    const clock = new ManualClock();
    const { url, accepted, refused } = await limited(10_000, { [A]: 21_955_000, [B]: 21_900_000 });
    const { source, warnings, infos } = await open([url], { clock });
    expect(await settled(clock, source.pastLogs(BOTH))).toBeNull();
    await passUntil(clock, () => accepted.length === 6);
    expect(await source.pastLogs(BOTH)).toEqual([logOf(A)]);
    await passUntil(clock, () => accepted.length === 11);
    expect(await source.pastLogs(BOTH)).toEqual([logOf(A), logOf(B)]);
    await pass(clock, 1_000);
    expect(accepted.map(({ from, to, ids }) => [to, to - from + 1, ids.length])).toEqual(
      Array.from({ length: 11 }, (_, i) => [22_000_000 - 10_000 * i, 10_000, i < 5 ? 2 : 1]),
    );
    // The whole range, then every size from 1,000,000 blocks down to 20,000.
    expect(refused).toHaveLength(7);
    expect(infos).toContainEqual(expect.stringContaining("in parts, in the background"));
    expect(warnings).toEqual([]);
  });

  it("is searched once for each id, whenever it is added, and never again", async () => {
    const clock = new ManualClock();
    const { url, accepted, refused } = await limited(100_000, { [C]: 21_990_000 });
    const { source, warnings } = await open([url], { clock });
    await settled(clock, source.pastLogs(FILTER));
    await passUntil(clock, () => accepted.length === 2);
    const later = { ...FILTER, ids: [A, C] };
    expect(await settled(clock, source.pastLogs(later))).toBeNull();
    await passUntil(clock, () => accepted.length === 5);
    await pass(clock, 50);
    expect(reasonless(warnings)).toEqual([LEFT_OUT]);
    expect(await source.pastLogs(later)).toEqual([logOf(C)]);
    expect(accepted.map(({ from, to, ids }) => [from, to, ids.join()])).toEqual([
      [21_900_001, 22_000_000, A],
      [21_800_001, 21_900_000, A],
      [21_700_001, 21_800_000, `${A},${C}`],
      [21_688_329, 21_700_000, `${A},${C}`],
      [21_900_001, 22_000_000, C],
    ]);
    const requests = accepted.length + refused.length;
    await pass(clock, 2_000);
    for (let i = 0; i < 3; i++) await source.pastLogs(later);
    expect(accepted.length + refused.length).toBe(requests);
  });

  it("passes ids that it does not have to the next endpoint, and the last one says why they are missing", async () => {
    const clock = new ManualClock();
    const [pruned, useless, full] = await Promise.all([
      limited(200_000, {}),
      limited(10, {}),
      limited(100_000, { [A]: 21_700_000 }),
    ]);
    const { source, warnings } = await open([pruned.url, useless.url, full.url], { clock });
    await settled(clock, source.pastLogs(BOTH));
    await passUntil(clock, () => warnings.length === 1);
    expect(await source.pastLogs(BOTH)).toEqual([logOf(A)]);
    expect(reasonless(warnings)).toEqual([LEFT_OUT]);
    expect(useless.accepted).toEqual([]);
  });
});
