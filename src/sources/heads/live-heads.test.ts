import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { caller } from "../../../test/support/nodes/local-node.ts";
import { ROOT, type Running, startProcess } from "../../../test/support/processes/processes.ts";
import { ETH, endpoint, forward, open } from "../support/rpc-endpoints.ts";

const LOCAL = { ...ETH, name: "local", chainId: 31337 };
const LONG_MS = 60_000;

async function anvil(port = 0): Promise<{ url: string; port: number; running: Running }> {
  const running = startProcess(join(ROOT, "node_modules/.bin/anvil"), [
    "--port",
    String(port),
    "--no-mining",
  ]);
  onTestFinished(async () => void (await running.stop()));
  const [, address = ""] = await running.printed(/Listening on (\S+)/);
  return { url: `http://${address}`, port: Number(address.split(":")[1]), running };
}

const forever = new AbortController().signal;

describe("RpcSource.nextHead on a live node", () => {
  it("reports a block within a second, also after the node was killed and restarted", async () => {
    const first = await anvil();
    const { source, infos } = await open([first.url], { chain: LOCAL, limits: { maxReconnectMs: 200 } });
    const announced = () => infos.filter((line) => line.includes("announces new heads")).length;
    const until = async (condition: () => boolean) => {
      for (let tries = 0; tries < 1_000 && !condition(); tries++) await sleep(10);
    };
    /** Mines a block and returns the milliseconds until the source reports it. */
    const delayMs = async () => {
      await source.head();
      const waiting = source.nextHead(LONG_MS, forever);
      await sleep(50);
      const minedAt = performance.now();
      await caller(first.url)("anvil_mine", "0x1");
      await waiting;
      return performance.now() - minedAt;
    };

    const waiting = source.nextHead(LONG_MS, forever);
    await until(() => announced() === 1);
    await waiting;
    for (let i = 0; i < 3; i++) expect(await delayMs()).toBeLessThan(1_000);
    expect((await source.head()).number).toBe(3);

    await first.running.stop();
    await anvil(first.port);
    await until(() => announced() === 2);
    expect(announced()).toBe(2);
    await source.head();
    expect(await delayMs()).toBeLessThan(1_000);
    expect((await source.head()).number).toBe(1);
  });

  it("subscribes once when the given WebSocket URL is the node's own", async () => {
    const { url } = await anvil();
    const { source, infos } = await open([url, url.replace("http://", "ws://")], { chain: LOCAL });
    await source.nextHead(200, forever);
    await sleep(300);
    expect(infos.filter((line) => line.includes("announces new heads"))).toHaveLength(1);
  });

  it("polls a node that does not accept WebSockets", async () => {
    const { url } = await anvil();
    const plain = await endpoint(forward(url));
    const { source, warnings, infos } = await open([plain.url], { chain: LOCAL });
    await caller(url)("anvil_mine", "0x1");
    const startedAt = performance.now();
    for (let i = 0; i < 3; i++) await source.nextHead(50, forever);
    expect(performance.now() - startedAt).toBeGreaterThan(140);
    expect(await source.head()).toMatchObject({ number: 1 });
    expect([...warnings, ...infos].join("\n")).not.toContain("announce");
  });

  it("abandons a server that does not complete the handshake", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    onTestFinished(() => void silent.closeAllConnections());
    onTestFinished(() => void silent.close());
    await new Promise((resolve) => silent.once("listening", resolve));
    const { url } = await anvil();
    const ws = `ws://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { warnings } = await open([url, ws], { chain: LOCAL, limits: { connectTimeoutMs: 200 } });
    expect(warnings.join("\n")).toContain("it does not accept WebSockets");
  });
});
