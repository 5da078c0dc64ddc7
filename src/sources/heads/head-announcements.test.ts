import { beforeEach, describe, expect, it } from "vitest";
import type { Chain } from "../../chains/chain.ts";
import { ManualClock } from "../../lib/support/manual-clock.ts";
import type { RpcSource } from "../rpc-source.ts";
import { headServer } from "../support/head-server.ts";
import { pass, passUntil, settled } from "../support/manual-time.ts";
import { type Call, ETH, endpoint, failure, open } from "../support/rpc-endpoints.ts";

const LONG_MS = 60_000;
const LIMITS = { minReconnectMs: 10, maxReconnectMs: 50 };

const hash = (number: number) => `0x${number.toString(16).padStart(64, "0")}`;

let clock: ManualClock;

beforeEach(() => {
  clock = new ManualClock();
});

const head = (source: RpcSource) => settled(clock, source.head());

/** Starts an HTTP endpoint whose head the test moves. */
async function node(first = 1) {
  let newest = first;
  const { url } = await endpoint(({ method, params: [tag] }: Call) => {
    if (method === "eth_chainId") return "0x1";
    const number = tag === "latest" ? newest : Number(tag);
    return number > newest ? null : { number: `0x${number.toString(16)}`, hash: hash(number) };
  });
  return { url, moveTo: (number: number) => (newest = number) };
}

/**
 * Returns the milliseconds until the source reports that a head request is due; null if it does not within
 * `atMostMs`.
 */
async function wait(source: RpcSource, pollMs: number, atMostMs = 10_000): Promise<number | null> {
  const startedAt = clock.monotonic();
  const abort = new AbortController();
  const cancel = clock.after(atMostMs, () => abort.abort());
  await settled(clock, source.nextHead(pollMs, abort.signal));
  cancel();
  return abort.signal.aborted ? null : clock.monotonic() - startedAt;
}

const until = (condition: () => boolean) => passUntil(clock, condition, 5_000);

/** Opens a source with announcements from a WebSocket server, and makes its first head request. */
async function listening(
  options: { chain?: Chain; respond?: (call: Call) => unknown; limits?: object } = {},
) {
  const server = await headServer(options.respond);
  const { url, moveTo } = await node();
  const limits = { ...LIMITS, ...options.limits };
  const chain = options.chain ?? ETH;
  const opened = await open([url, server.url], { clock, limits, chain });
  await head(opened.source);
  return { ...opened, server, moveTo };
}

describe("RpcSource.nextHead with a WebSocket URL", () => {
  it("resolves when a block is announced, once for each block", async () => {
    const { source, server, moveTo, infos } = await listening();
    expect(infos.join("\n")).toContain(`${server.url} announces new heads`);
    for (let number = 2; number < 5; number++) {
      clock.after(20, () => {
        moveTo(number);
        for (let i = 0; i < 3; i++) server.announce(number);
      });
      expect(await wait(source, LONG_MS)).toBeLessThan(5_000);
      expect((await head(source)).number).toBe(number);
      await pass(clock, 20);
      expect(await wait(source, LONG_MS, 100)).toBeNull();
    }
  });

  it("waits no longer for a block when the wall clock steps back", async () => {
    const { source, server, moveTo } = await listening();
    for (const number of [2, 3]) {
      clock.after(20, () => {
        moveTo(number);
        server.announce(number);
      });
      expect(await wait(source, LONG_MS)).toBeLessThan(5_000);
      expect((await head(source)).number).toBe(number);
      clock.stepWall(-60_000);
    }
  });

  it("remembers an announcement without a waiting caller until the next head request", async () => {
    const { source, server, moveTo } = await listening();
    await head(source);
    moveTo(2);
    server.announce(2);
    await pass(clock, 50);
    expect(await wait(source, LONG_MS)).toBeLessThan(5_000);
    await head(source);
    expect(await wait(source, LONG_MS, 100)).toBeNull();
  });

  it("polls quickly for a block that is announced before it exists", async () => {
    const { source, server } = await listening({ limits: { announcedPollMs: 20, announcedBlockMs: 500 } });
    server.announce(9);
    expect(await wait(source, LONG_MS)).toBeLessThan(5_000);
    let looks = 0;
    for (; looks < 100; looks++) {
      await head(source);
      if ((await wait(source, LONG_MS, 700)) === null) break;
    }
    expect(looks).toBeGreaterThan(2);
    expect(looks).toBeLessThan(30);
  });

  it("requests a block once that several servers announce before it exists", async () => {
    const { source, server } = await listening({ limits: { announcedBlockMs: 0 } });
    server.announce(9);
    expect(await wait(source, LONG_MS)).toBeLessThan(5_000);
    await head(source);
    server.announce(9);
    expect(await wait(source, LONG_MS, 200)).toBeNull();
  });

  it("survives garbage, foreign subscriptions and large messages", async () => {
    const { source, server, moveTo } = await listening({ limits: { maxSocketMessageBytes: 2_000 } });
    await head(source);
    server.announce(7, "0x2");
    for (const text of ["", "{", "null", "[]", "7", '{"params":null}', '{"id":1,"result":null}'])
      server.sendText(text);
    server.sendText(
      '{"method":"eth_subscription","params":{"subscription":"0x1","result":{"number":"many"}}}',
    );
    server.send(Buffer.from([0x82, 3, 1, 2, 3]));
    expect(await wait(source, LONG_MS, 150)).toBeNull();
    expect(server.connections()).toBe(1);
    server.sendText("x".repeat(3_000));
    await until(() => server.connections() === 2);
    server.send(Buffer.from([0xff, 0xff, 0xff]));
    await until(() => server.connections() === 3 && server.open() === 1);
    moveTo(2);
    await pass(clock, 50);
    server.announce(2);
    expect(await wait(source, LONG_MS)).toBeLessThan(5_000);
  });

  it("disconnects a server that floods it, and requests heads no more often than with polling", async () => {
    const chain = { ...ETH, blockTimeMs: 400 };
    const limits = { maxSocketMessagesPerMinute: 3_000, headRequestsPerBlock: 4 };
    const { source, server } = await listening({ chain, limits });
    let number = 100;
    let isFlooding = true;
    const flood = (): void => {
      if (!isFlooding) return;
      server.announce(number++);
      clock.after(1, flood);
    };
    flood();
    const startedAt = clock.now();
    let looks = 0;
    for (; clock.now() - startedAt < 2_000; looks++) {
      await wait(source, LONG_MS, 500);
      await head(source);
    }
    expect(looks).toBeLessThanOrEqual(8 + (2_500 / 400) * 4);
    expect(looks).toBeGreaterThan(8);
    for (let i = 0; i < 4_000; i++) server.sendText("{}");
    await until(() => server.connections() > 1);
    isFlooding = false;
  });

  it("polls rarely while blocks are announced, and at the given interval when they no longer are", async () => {
    const { source, server, moveTo } = await listening({ chain: { ...ETH, blockTimeMs: 300 } });
    moveTo(2);
    server.announce(2);
    expect(await wait(source, 1)).toBeLessThan(250);
    await head(source);
    expect(await wait(source, 1)).toBeGreaterThan(250);
    await pass(clock, 1_200);
    expect(await wait(source, 1)).toBeLessThan(250);
  });

  it("subscribes again when new blocks are not announced", async () => {
    const chain = { ...ETH, blockTimeMs: 10 };
    const { source, server, moveTo, warnings } = await listening({ chain, limits: { minSilenceMs: 100 } });
    await head(source);
    await pass(clock, 200);
    await head(source);
    expect(server.connections()).toBe(1);
    moveTo(2);
    await head(source);
    await until(() => server.connections() === 2);
    expect(warnings.join("\n")).toContain("polling instead");
    expect(warnings.join("\n")).toContain("it no longer announces new blocks");
  });

  it("reconnects after a lost connection, logs it, and requests the blocks that it missed", async () => {
    const { source, server, warnings, infos } = await listening();
    server.hangUp();
    expect(await wait(source, LONG_MS)).toBeLessThan(5_000);
    expect(server.connections()).toBe(2);
    expect(warnings.filter((line) => line.includes("polling instead"))).toHaveLength(1);
    expect(infos.filter((line) => line.includes("announces new heads"))).toHaveLength(2);
  });

  it("polls when the server disconnects at once, and reconnects less and less often", async () => {
    const server = await headServer();
    let isDown = false;
    const disconnect = (): void => {
      if (isDown) return;
      server.hangUp();
      clock.after(1, disconnect);
    };
    disconnect();
    const { url } = await node();
    const limits = { minReconnectMs: 100, maxReconnectMs: 60_000 };
    const { source, warnings } = await open([url, server.url], { clock, limits });
    expect(await wait(source, 30)).toBeLessThan(5_000);
    await pass(clock, 1_000);
    isDown = true;
    expect(server.connections()).toBeLessThan(8);
    expect(warnings.filter((line) => line.includes("polling instead")).length).toBeLessThan(8);
  });

  it("abandons an endpoint that refuses subscriptions", async () => {
    const respond = ({ method }: Call) => (method === "eth_chainId" ? "0x1" : new Error("method not found"));
    const { server, warnings } = await listening({ respond });
    await pass(clock, 200);
    expect(server.connections()).toBe(1);
    expect(server.open()).toBe(0);
    expect(warnings.join("\n")).toContain("eth_subscribe was refused: method not found");
  });

  it("ignores an error of many levels", async () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const server = await headServer(({ method }: Call) => {
      if (method !== "eth_subscribe") return "0x1";
      server.sendText(`{"id":1,"error":${deep}}`);
      return "0x1";
    });
    const { infos } = await open([(await node()).url, server.url], { clock, limits: LIMITS });
    expect(infos.join("\n")).toContain(`${server.url} announces new heads`);
  });

  it("rejects a WebSocket endpoint of another chain", async () => {
    const server = await headServer(() => "0x38");
    const error = await failure(open([(await node()).url, server.url], { clock }));
    expect(error.message).toContain(`${server.url} serves chain id 56, but chain "eth" has chain id 1`);
    await until(() => server.open() === 0);
  });

  it("continues without a WebSocket endpoint that cannot be reached", async () => {
    const { source, warnings } = await open([(await node()).url, "ws://127.0.0.1:1"], {
      clock,
      limits: LIMITS,
    });
    expect(warnings.join("\n")).toContain("polling instead: ws://127.0.0.1:1: it cannot be reached");
    expect((await head(source)).number).toBe(1);
    await pass(clock, 300);
    expect(warnings).toHaveLength(1);
  });

  it("requires an HTTP URL as well", async () => {
    const error = await failure(open(["wss://node.example"]));
    expect(error.code).toBe("bad-config");
    expect(error.message).toContain("add an http:// or https:// URL");
  });

  it("sends credentials, and does not log them", async () => {
    const server = await headServer();
    const url = server.url.replace("ws://", "ws://user:hidden-word@");
    const key = "0123456789abcdef0123456789abcdef";
    const opened = await open([(await node()).url, `${url}/v3/${key}`], { clock, limits: LIMITS });
    server.hangUp();
    await until(() => server.connections() === 2);
    const basic = `Basic ${Buffer.from("user:hidden-word").toString("base64")}`;
    expect(server.handshakes[0]?.authorization).toBe(basic);
    const log = [...opened.warnings, ...opened.infos].join("\n");
    expect(log).toContain("/v3/***");
    expect(log).not.toMatch(/hidden-word|0123456789abcdef/);
  });

  it("disconnects when the source is closed or its signal aborts", async () => {
    const { source, server } = await listening();
    const waiting = source.nextHead(LONG_MS, new AbortController().signal);
    await source.close();
    await waiting;
    await until(() => server.open() === 0);
    const abort = new AbortController();
    const other = await headServer();
    await open([(await node()).url, other.url], { clock, signal: abort.signal });
    expect(other.open()).toBe(1);
    abort.abort();
    await until(() => other.open() === 0);
    await pass(clock, 100);
    expect(other.connections()).toBe(1);
  });
});
