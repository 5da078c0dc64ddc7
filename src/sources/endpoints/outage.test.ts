import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Hex } from "../../lib/hex.ts";
import type { RpcSource } from "../rpc-source.ts";
import { type Call, collect, endpoint, failure, open } from "../support/rpc-endpoints.ts";

const HASH: Hex = `0x${"ab".repeat(32)}`;
const answer = ({ method }: Call) => (method === "eth_chainId" ? "0x1" : { number: "0x9", hash: HASH });

/** An endpoint that the test turns off: it refuses, or keeps silent. */
async function node() {
  const state: { mode: "up" | "down" | "silent" } = { mode: "up" };
  const { url, requests } = await endpoint(
    (call) => (state.mode === "silent" ? new Promise(() => {}) : answer(call)),
    { status: () => (state.mode === "down" ? 502 : 200) },
  );
  return { url, state, requests };
}

/** Asks for the head again and again, as the indexer does. */
function following(source: RpcSource): { stop: () => Promise<void> } {
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      await source.head().catch(() => undefined);
      await sleep(50);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await source.close();
      await asking;
    },
  };
}

async function secondsUntil(isSo: () => boolean): Promise<number> {
  const startedAt = Date.now();
  while (!isSo() && Date.now() - startedAt < 30_000) await sleep(20);
  return (Date.now() - startedAt) / 1000;
}

/** As in use, but for delays of retries, which end sooner. */
const USUAL = { minRetryDelayMs: 250, maxRetryDelayMs: 1_000, minAvoidMs: 1_000, maxAvoidMs: 60_000 };

describe("RpcSource.outage", () => {
  it.each(["down", "silent"] as const)(
    "tells when all endpoints are %s, and when one is back",
    async (mode) => {
      const nodes = [await node(), await node()];
      const { source } = await open(
        nodes.map(({ url }) => url),
        { limits: { ...USUAL } },
      );
      const loop = following(source);
      await sleep(200);
      const [first, second] = nodes;
      if (first === undefined || second === undefined) throw new Error("there are two");
      first.state.mode = mode;
      await sleep(3_000);
      expect(source.outage()).toBeNull();
      second.state.mode = mode;
      expect(await secondsUntil(() => source.outage() !== null)).toBeLessThan(9);
      for (const { url } of nodes) expect(source.outage()).toContain(`${url}: `);
      expect(source.outage()).toMatch(mode === "down" ? /HTTP 502/ : /no answer/);
      first.state.mode = "up";
      expect(await secondsUntil(() => source.outage() === null)).toBeLessThan(13);
      await loop.stop();
    },
  );

  it("notices in the middle of a read that the endpoints nobody asks are gone, too", async () => {
    const nodes = [await node(), await node()];
    const { source } = await open(
      nodes.map(({ url }) => url),
      {
        verify: false,
        limits: { ...USUAL, silenceMs: 500, outageAfterMs: 200 },
      },
    );
    for (const { state } of nodes) state.mode = "silent";
    const abort = new AbortController();
    const reading = (async () => {
      for await (const _ of source.blocks({ from: 1, to: 1 }, abort.signal));
    })();
    expect(await secondsUntil(() => source.outage() !== null)).toBeLessThan(8);
    abort.abort(new Error("stop"));
    await expect(reading).rejects.toThrow("stop");
  });

  it("waits whether a failure passes", async () => {
    const { url, state } = await node();
    const { source } = await open([url], { limits: { maxCallAttempts: 1, outageAfterMs: 1_000 } });
    state.mode = "down";
    await failure(source.head());
    expect(source.outage()).toBeNull();
    expect(await secondsUntil(() => source.outage() !== null)).toBeLessThan(5);
  });

  it("says nothing of a failure that passes", async () => {
    let requests = 0;
    const { url } = await endpoint(answer, { status: () => (++requests % 2 === 0 ? 500 : 200) });
    const { source } = await open([url]);
    for (let i = 0; i < 20; i++) {
      await source.head({ number: 9, hash: HASH });
      expect(source.outage()).toBeNull();
    }
    expect(source.endpoints()[0]?.failures).toBeGreaterThan(5);
  });

  it("asks ever more seldom while nobody answers", async () => {
    const { url, state, requests } = await node();
    const { source } = await open([url], { limits: { ...USUAL, maxRetryDelayMs: 10_000 } });
    state.mode = "down";
    const before = requests();
    const loop = following(source);
    await sleep(4_000);
    // At once, by head() itself and its first repetition; then after 0.25, 0.5, 1, 2 s and less.
    expect(requests() - before).toBeLessThan(9);
    await loop.stop();
  });
});

describe("EndpointStatus", () => {
  const counted = async (status: (request: number) => number, limits: object = {}, headers = {}) => {
    const { url } = await endpoint(answer, { status, headers });
    const { source } = await open([url], { limits });
    await source.head().catch(() => undefined);
    return source.endpoints()[0];
  };

  it("counts requests for their rate, and other failures", async () => {
    const limited = await counted((request) => (request === 2 ? 429 : 200));
    expect(limited).toMatchObject({
      requests: 4,
      failures: 1,
      rateLimited: 1,
      timeouts: 0,
      lies: 0,
      missing: 0,
    });
    const failing = await counted((request) => (request === 2 ? 500 : 200));
    expect(failing).toMatchObject({ requests: 4, failures: 1, rateLimited: 0, timeouts: 0 });
    expect(failing?.latencyMs).toEqual(expect.any(Number));
  });

  it("counts what takes too long", async () => {
    const silent = await node();
    const { source } = await open([silent.url], { limits: { requestTimeoutMs: 100, maxCallAttempts: 2 } });
    silent.state.mode = "silent";
    await failure(source.head());
    expect(source.endpoints()[0]).toMatchObject({ failures: 3, timeouts: 3, rateLimited: 0 });
  });

  it("counts cut answers as failures, and lets them pass for nothing else", async () => {
    let isCut = false;
    const server = createServer((request, response) => {
      request.resume();
      const whole = JSON.stringify({
        jsonrpc: "2.0",
        id: 0,
        result: isCut ? { number: "0x9", hash: HASH } : "0x1",
      });
      response.end(isCut ? whole.slice(0, 40) : whole);
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { source } = await open([`http://127.0.0.1:${port}`], { limits: { maxCallAttempts: 2 } });
    isCut = true;
    expect((await failure(source.head())).message).toContain("not JSON or was cut");
    const counts = { requests: 4, failures: 3, rateLimited: 0, timeouts: 0, lies: 0, missing: 0 };
    expect(source.endpoints()[0]).toMatchObject(counts);
  });

  it("counts blocks that are not there as missing", async () => {
    const empty = await endpoint(({ method }) => (method === "eth_chainId" ? "0x1" : null));
    const lacking = await open([empty.url], { limits: { maxBlockAttempts: 6 } });
    await failure(collect(lacking.source, 5, 5));
    expect(lacking.source.endpoints()[0]).toMatchObject({ failures: 0, lies: 0 });
    expect(lacking.source.endpoints()[0]?.missing).toBeGreaterThan(1);
  });

  it("is summed up in the log from time to time, where anything went wrong", async () => {
    const bad = await endpoint(answer, { status: (request) => (request % 2 === 0 ? 500 : 200) });
    const good = await endpoint(answer);
    const { source, told } = await open([bad.url, good.url], { limits: { summaryIntervalMs: 200 } });
    for (let i = 0; i < 5; i++) await source.head();
    await sleep(500);
    const lines = told.filter((line) => line.includes("requests failed"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      new RegExp(`^${bad.url}: \\d+ of \\d+ requests failed \\(0 without an answer in time, 0 for`),
    );
  });
});
