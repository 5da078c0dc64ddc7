import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Chain } from "../../chains/chain.ts";
import type { RpcSource } from "../rpc-source.ts";
import { headServer } from "../support/head-server.ts";
import { type Call, ETH, endpoint, failure, open } from "../support/rpc-endpoints.ts";

const LONG_MS = 60_000;
const LIMITS = { minReconnectMs: 10, maxReconnectMs: 50 };

const hash = (number: number) => `0x${number.toString(16).padStart(64, "0")}`;

/** An HTTP endpoint whose head the test moves. */
async function node(first = 1) {
  let newest = first;
  const { url } = await endpoint(({ method, params: [tag] }: Call) => {
    if (method === "eth_chainId") return "0x1";
    const number = tag === "latest" ? newest : Number(tag);
    return number > newest ? null : { number: `0x${number.toString(16)}`, hash: hash(number) };
  });
  return { url, moveTo: (number: number) => (newest = number) };
}

/** Milliseconds until it is time to ask for the head; null when it is not for `atMostMs`. */
async function wait(source: RpcSource, pollMs: number, atMostMs = 10_000): Promise<number | null> {
  const startedAt = performance.now();
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), atMostMs);
  await source.nextHead(pollMs, abort.signal);
  clearTimeout(timer);
  return abort.signal.aborted ? null : performance.now() - startedAt;
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 500) throw new Error("it never became so");
    await sleep(10);
  }
}

/** A source that hears of heads from a WebSocket server, and whose first look has been taken. */
async function listening(options: { chain?: Chain; answer?: (call: Call) => unknown; limits?: object } = {}) {
  const server = await headServer(options.answer);
  const { url, moveTo } = await node();
  const limits = { ...LIMITS, ...options.limits };
  const chain = options.chain ?? ETH;
  const opened = await open([url, server.url], { limits, chain });
  await opened.source.head();
  return { ...opened, server, moveTo };
}

describe("RpcSource.nextHead, with a WebSocket URL beside", () => {
  it("resolves when a block is announced, once for each block", async () => {
    const { source, server, moveTo, told } = await listening();
    expect(told.join("\n")).toContain(`${server.url} announces new heads`);
    for (let number = 2; number < 5; number++) {
      setTimeout(() => {
        moveTo(number);
        for (let i = 0; i < 3; i++) server.announce(number);
      }, 20);
      expect(await wait(source, LONG_MS)).toBeLessThan(5_000);
      expect((await source.head()).number).toBe(number);
      await sleep(20);
      expect(await wait(source, LONG_MS, 100)).toBeNull();
    }
  });

  it("remembers what is announced while nobody waits, until the head is asked for", async () => {
    const { source, server, moveTo } = await listening();
    await source.head();
    moveTo(2);
    server.announce(2);
    await sleep(50);
    expect(await wait(source, LONG_MS)).toBeLessThan(5_000);
    await source.head();
    expect(await wait(source, LONG_MS, 100)).toBeNull();
  });

  it("asks again soon for a block that is announced before it is there", async () => {
    const { source, server } = await listening({ limits: { promisedPollMs: 20, promiseMs: 500 } });
    server.announce(9);
    expect(await wait(source, LONG_MS)).toBeLessThan(5_000);
    let looks = 0;
    for (; looks < 100; looks++) {
      await source.head();
      if ((await wait(source, LONG_MS, 700)) === null) break;
    }
    expect(looks).toBeGreaterThan(2);
    expect(looks).toBeLessThan(30);
  });

  it("looks once for a block that several announce, though it is not there yet", async () => {
    const { source, server } = await listening({ limits: { promiseMs: 0 } });
    server.announce(9);
    expect(await wait(source, LONG_MS)).toBeLessThan(5_000);
    await source.head();
    server.announce(9);
    expect(await wait(source, LONG_MS, 200)).toBeNull();
  });

  it("takes no harm from garbage, foreign subscriptions and large messages", async () => {
    const { source, server, moveTo } = await listening({ limits: { maxSocketMessageBytes: 2_000 } });
    await source.head();
    server.announce(7, "0x2");
    for (const text of ["", "{", "null", "[]", "7", '{"params":null}', '{"id":1,"result":null}'])
      server.say(text);
    server.say('{"method":"eth_subscription","params":{"subscription":"0x1","result":{"number":"many"}}}');
    server.send(Buffer.from([0x82, 3, 1, 2, 3]));
    expect(await wait(source, LONG_MS, 150)).toBeNull();
    expect(server.connections()).toBe(1);
    server.say("x".repeat(3_000));
    await until(() => server.connections() === 2);
    server.send(Buffer.from([0xff, 0xff, 0xff]));
    await until(() => server.connections() === 3 && server.open() === 1);
    moveTo(2);
    await sleep(50);
    server.announce(2);
    expect(await wait(source, LONG_MS)).toBeLessThan(5_000);
  });

  it("leaves a server that floods it, and looks no more often than by polling", async () => {
    const chain = { ...ETH, blockTimeMs: 400 };
    const { source, server } = await listening({ chain, limits: { maxSocketMessagesPerMinute: 3_000 } });
    let number = 100;
    const flood = setInterval(() => server.announce(number++), 1);
    const startedAt = Date.now();
    let looks = 0;
    for (; Date.now() - startedAt < 2_000; looks++) {
      await wait(source, LONG_MS, 500);
      await source.head();
    }
    expect(looks).toBeLessThanOrEqual(8 + (2_500 / 400) * 4);
    expect(looks).toBeGreaterThan(8);
    for (let i = 0; i < 4_000; i++) server.say("{}");
    await until(() => server.connections() > 1);
    clearInterval(flood);
  });

  it("polls seldom while blocks are announced, and as told when they are not any more", async () => {
    const { source, server, moveTo } = await listening({ chain: { ...ETH, blockTimeMs: 300 } });
    moveTo(2);
    server.announce(2);
    expect(await wait(source, 1)).toBeLessThan(250);
    await source.head();
    expect(await wait(source, 1)).toBeGreaterThan(250);
    await sleep(1_200);
    expect(await wait(source, 1)).toBeLessThan(250);
  });

  it("subscribes anew where new blocks are not announced", async () => {
    const chain = { ...ETH, blockTimeMs: 10 };
    const { source, server, moveTo, said } = await listening({ chain, limits: { minSilenceMs: 100 } });
    await source.head();
    await sleep(200);
    await source.head();
    expect(server.connections()).toBe(1);
    moveTo(2);
    await source.head();
    await until(() => server.connections() === 2);
    expect(said.join("\n")).toContain("polled instead");
    expect(said.join("\n")).toContain("it announces no new blocks any more");
  });

  it("comes back after a hang-up, says so, and looks for what it missed", async () => {
    const { source, server, said, told } = await listening();
    server.hangUp();
    expect(await wait(source, LONG_MS)).toBeLessThan(5_000);
    expect(server.connections()).toBe(2);
    expect(said.filter((line) => line.includes("polled instead"))).toHaveLength(1);
    expect(told.filter((line) => line.includes("announces new heads"))).toHaveLength(2);
  });

  it("polls where the server hangs up at once, and tries it ever more seldom", async () => {
    const server = await headServer();
    const early = setInterval(() => server.hangUp(), 1);
    const { url } = await node();
    const { source, said } = await open([url, server.url], {
      limits: { minReconnectMs: 100, maxReconnectMs: 60_000 },
    });
    expect(await wait(source, 30)).toBeLessThan(5_000);
    await sleep(1_000);
    clearInterval(early);
    expect(server.connections()).toBeLessThan(8);
    expect(said.filter((line) => line.includes("polled instead")).length).toBeLessThan(8);
  });

  it("gives up an endpoint that refuses subscriptions", async () => {
    const answer = ({ method }: Call) => (method === "eth_chainId" ? "0x1" : new Error("method not found"));
    const { server, said } = await listening({ answer });
    await sleep(200);
    expect(server.connections()).toBe(1);
    expect(server.open()).toBe(0);
    expect(said.join("\n")).toContain("eth_subscribe was refused: method not found");
  });

  it("refuses one of another chain", async () => {
    const server = await headServer(() => "0x38");
    const error = await failure(open([(await node()).url, server.url]));
    expect(error.message).toContain(`${server.url} serves chain id 56, but chain "eth" has chain id 1`);
    await until(() => server.open() === 0);
  });

  it("goes on without one that cannot be reached", async () => {
    const { source, said } = await open([(await node()).url, "ws://127.0.0.1:1"], { limits: LIMITS });
    expect(said.join("\n")).toContain("polled instead: ws://127.0.0.1:1: it cannot be reached");
    expect((await source.head()).number).toBe(1);
    await sleep(300);
    expect(said).toHaveLength(1);
  });

  it("wants an HTTP URL beside it", async () => {
    const error = await failure(open(["wss://node.example"]));
    expect(error.code).toBe("bad-config");
    expect(error.message).toContain("give an http:// or https:// URL beside them");
  });

  it("sends credentials, and shows none", async () => {
    const server = await headServer();
    const url = server.url.replace("ws://", "ws://user:hidden-word@");
    const key = "0123456789abcdef0123456789abcdef";
    const opened = await open([(await node()).url, `${url}/v3/${key}`], { limits: LIMITS });
    server.hangUp();
    await until(() => server.connections() === 2);
    const basic = `Basic ${Buffer.from("user:hidden-word").toString("base64")}`;
    expect(server.handshakes[0]?.authorization).toBe(basic);
    const log = [...opened.said, ...opened.told].join("\n");
    expect(log).toContain("/v3/***");
    expect(log).not.toMatch(/hidden-word|0123456789abcdef/);
  });

  it("hangs up when the source is closed or its signal aborts", async () => {
    const { source, server } = await listening();
    const waiting = source.nextHead(LONG_MS, new AbortController().signal);
    await source.close();
    await waiting;
    await until(() => server.open() === 0);
    const abort = new AbortController();
    const other = await headServer();
    await open([(await node()).url, other.url], { signal: abort.signal });
    expect(other.open()).toBe(1);
    abort.abort();
    await until(() => other.open() === 0);
    await sleep(100);
    expect(other.connections()).toBe(1);
  });
});
