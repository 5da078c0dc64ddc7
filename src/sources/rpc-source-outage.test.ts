import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Clock } from "../lib/async/clock.ts";
import type { Hex } from "../lib/hex.ts";
import { ManualClock } from "../lib/support/manual-clock.ts";
import type { RpcSource } from "./rpc-source.ts";
import { pass, passUntil, settled } from "./support/manual-time.ts";
import { type Call, collect, endpoint, failure, open } from "./support/rpc-endpoints.ts";

const HASH: Hex = `0x${"ab".repeat(32)}`;
const respond = ({ method }: Call) => (method === "eth_chainId" ? "0x1" : { number: "0x9", hash: HASH });

/** Starts an endpoint that the test can turn off. It then fails or does not respond. */
async function node() {
  const state: { mode: "up" | "down" | "silent" } = { mode: "up" };
  const { url, requests } = await endpoint(
    (call) => (state.mode === "silent" ? new Promise(() => {}) : respond(call)),
    { status: () => (state.mode === "down" ? 502 : 200) },
  );
  return { url, state, requests };
}

/** Requests the head repeatedly, as the indexer does. */
function following(source: RpcSource, clock: Clock): { stop: () => Promise<void> } {
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      await source.head().catch(() => undefined);
      await clock.sleep(50);
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await source.close();
      await loop;
    },
  };
}

const BACKOFF = { minRetryDelayMs: 250, maxRetryDelayMs: 1_000, minBackoffMs: 1_000, maxBackoffMs: 60_000 };

describe("RpcSource.outage", () => {
  it.each(["down", "silent"] as const)(
    "reports that all endpoints are %s, and when one is back",
    async (mode) => {
      const clock = new ManualClock();
      const nodes = [await node(), await node()];
      const urls = nodes.map(({ url }) => url);
      const { source } = await open(urls, { clock, limits: BACKOFF });
      const loop = following(source, clock);
      await pass(clock, 200);
      const [first, second] = nodes;
      if (first === undefined || second === undefined) throw new Error("there are two");
      first.state.mode = mode;
      await pass(clock, 3_000);
      expect(source.outage()).toBeNull();
      second.state.mode = mode;
      expect(await passUntil(clock, () => source.outage() !== null)).toBeLessThan(9_000);
      for (const { url } of nodes) expect(source.outage()).toContain(`${url}: `);
      expect(source.outage()).toMatch(mode === "down" ? /HTTP 502/ : /no response/);
      first.state.mode = "up";
      expect(await passUntil(clock, () => source.outage() === null)).toBeLessThan(13_000);
      await settled(clock, loop.stop());
    },
  );

  it("notices during a read that the endpoints without requests are gone as well", async () => {
    const clock = new ManualClock();
    const nodes = [await node(), await node()];
    const { source } = await open(
      nodes.map(({ url }) => url),
      { clock, verify: false, limits: { ...BACKOFF, silenceMs: 500, outageAfterMs: 200 } },
    );
    for (const { state } of nodes) state.mode = "silent";
    const abort = new AbortController();
    const reading = (async () => {
      for await (const _ of source.blocks({ from: 1, to: 1 }, abort.signal));
    })();
    expect(await passUntil(clock, () => source.outage() !== null)).toBeLessThan(8_000);
    abort.abort(new Error("stop"));
    await expect(reading).rejects.toThrow("stop");
  });

  it("reports a failure only after some time", async () => {
    const clock = new ManualClock();
    const { url, state } = await node();
    const limits = { maxCallAttempts: 1, outageAfterMs: 1_000 };
    const { source } = await open([url], { clock, limits });
    state.mode = "down";
    await settled(clock, failure(source.head()));
    expect(source.outage()).toBeNull();
    expect(await passUntil(clock, () => source.outage() !== null)).toBeLessThan(5_000);
  });

  it("does not report a failure that passes", async () => {
    const clock = new ManualClock();
    let requests = 0;
    const { url } = await endpoint(respond, { status: () => (++requests % 2 === 0 ? 500 : 200) });
    const { source } = await open([url], { clock });
    for (let i = 0; i < 20; i++) {
      await settled(clock, source.head({ number: 9, hash: HASH }));
      expect(source.outage()).toBeNull();
    }
    expect(source.endpoints()[0]?.failures).toBeGreaterThan(5);
  });

  it("sends fewer and fewer requests while no endpoint responds", async () => {
    const clock = new ManualClock();
    const { url, state, requests } = await node();
    const { source } = await open([url], { clock, limits: { ...BACKOFF, maxRetryDelayMs: 10_000 } });
    state.mode = "down";
    const before = requests();
    const loop = following(source, clock);
    await pass(clock, 4_000);
    // head() and its first retry send requests at once. The next ones follow after at most 0.25, 0.5, 1 and 2
    // s.
    expect(requests() - before).toBeGreaterThan(3);
    expect(requests() - before).toBeLessThan(9);
    await settled(clock, loop.stop());
  });
});

describe("EndpointStatus", () => {
  const counted = async (status: (request: number) => number, limits: object = {}, headers = {}) => {
    const clock = new ManualClock();
    const { url } = await endpoint(respond, { status, headers });
    const { source } = await open([url], { clock, limits });
    await settled(
      clock,
      source.head().catch(() => undefined),
    );
    return source.endpoints()[0];
  };

  it("counts rate limits and other failures", async () => {
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

  it("counts timeouts", async () => {
    const silent = await node();
    const clock = new ManualClock();
    const limits = { requestTimeoutMs: 100, maxCallAttempts: 2 };
    const { source } = await open([silent.url], { clock, limits });
    silent.state.mode = "silent";
    await settled(clock, failure(source.head()));
    expect(source.endpoints()[0]).toMatchObject({ failures: 3, timeouts: 3, rateLimited: 0 });
  });

  it("counts truncated responses as failures, and as nothing else", async () => {
    let isTruncated = false;
    const server = createServer((request, response) => {
      request.resume();
      const whole = JSON.stringify({
        jsonrpc: "2.0",
        id: 0,
        result: isTruncated ? { number: "0x9", hash: HASH } : "0x1",
      });
      response.end(isTruncated ? whole.slice(0, 40) : whole);
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { source } = await open([`http://127.0.0.1:${port}`], { limits: { maxCallAttempts: 2 } });
    isTruncated = true;
    expect((await failure(source.head())).message).toContain("truncated or not JSON");
    const counts = { requests: 4, failures: 3, rateLimited: 0, timeouts: 0, lies: 0, missing: 0 };
    expect(source.endpoints()[0]).toMatchObject(counts);
  });

  it("counts missing blocks", async () => {
    const empty = await endpoint(({ method }) => (method === "eth_chainId" ? "0x1" : null));
    const lacking = await open([empty.url], { limits: { maxBlockAttempts: 6 } });
    await failure(collect(lacking.source, 5, 5));
    expect(lacking.source.endpoints()[0]).toMatchObject({ failures: 0, lies: 0 });
    expect(lacking.source.endpoints()[0]?.missing).toBeGreaterThan(1);
  });

  it("is summarized in the log at intervals, if there were failures", async () => {
    const clock = new ManualClock();
    const bad = await endpoint(respond, { status: (request) => (request % 2 === 0 ? 500 : 200) });
    const good = await endpoint(respond);
    const limits = { summaryIntervalMs: 200 };
    const { source, infos } = await open([bad.url, good.url], { clock, limits });
    for (let i = 0; i < 5; i++) await settled(clock, source.head());
    await pass(clock, 500);
    const lines = infos.filter((line) => line.includes("requests failed"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      new RegExp(`^${bad.url}: \\d+ of \\d+ requests failed \\(timeouts: 0, rate limits: 0`),
    );
  });
});

it("an outage names each endpoint once, even if the endpoint refuses the block that it reports as its head", async () => {
  const refusing = async (number: Hex) => {
    const { url } = await endpoint(({ method, params }) => {
      if (method === "eth_chainId") return "0x1";
      return params[0] === "latest" ? { number, hash: HASH } : new Error("try later");
    });
    return url;
  };
  const urls = await Promise.all([refusing("0x9"), refusing("0x5")]);
  const { source } = await open(urls, { limits: { maxCallAttempts: 1, outageAfterMs: 0 } });
  await failure(source.head());
  const outage = source.outage() ?? "";
  for (const url of urls) expect(outage.split(url)).toHaveLength(2);
});
