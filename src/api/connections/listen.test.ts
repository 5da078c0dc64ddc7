import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { type Market, openMarket } from "../../reads/support/market.ts";
import type { ApiLimits } from "../admission/limits.ts";
import { createServer } from "../http/server.ts";
import { listenOn } from "./listen.ts";

const [FIRST, SECOND] = ["127.0.0.1", "127.0.0.2"] as const;

/** A stopped clock: no connection has been idle for long. */
const STOPPED: Clock = { ...systemClock, monotonic: () => 0 };

let market: Market;
beforeAll(async () => {
  market = await openMarket([]);
});
afterAll(() => market.close());

async function serve(limits: Partial<ApiLimits>, addresses: readonly string[] = [FIRST, SECOND]) {
  const app = await createServer({ ...market, limits, clock: STOPPED });
  const service = await listenOn(app, { host: "localhost", port: 0 }, async () => [...addresses]);
  onTestFinished(service.close);
  return { ...service, port: Number(new URL(service.url).port) };
}

async function connected(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port });
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

const health = (host: string, port: number) => fetch(`http://${host}:${port}/health`);

describe("a host with two addresses", () => {
  it("is served on both", async () => {
    const { url, port } = await serve({});
    expect(url).toBe(`http://${FIRST}:${port}`);
    for (const host of [FIRST, SECOND]) expect((await health(host, port)).status).toBe(200);
  });

  it("has one limit of connections for both", async () => {
    const { port } = await serve({ connections: 2 });
    for (const host of [FIRST, SECOND]) await connected(host, port);
    for (const host of [FIRST, SECOND]) expect((await health(host, port)).status).toBe(503);
  });

  it("has the time limits of arrival on both", async () => {
    const { port } = await serve({ headerMs: 200 });
    const slow = await connected(SECOND, port);
    slow.write("GET /health HTTP/1.1\r\n");
    const [answer] = await once(slow, "data");
    expect(String(answer)).toMatch(/^HTTP\/1.1 408 /);
  });

  it("closes both, even with idle connections", async () => {
    const { port, close } = await serve({});
    for (const host of [FIRST, SECOND]) await (await health(host, port)).text();
    const idle = await connected(SECOND, port);
    const ended = once(idle.resume(), "close");
    await close();
    await ended;
    await expect(health(SECOND, port)).rejects.toThrow("fetch failed");
  });

  it("is served on the first if the system has no second", async () => {
    const { port } = await serve({}, [FIRST, "203.0.113.1"]);
    expect((await health(FIRST, port)).status).toBe(200);
  });
});
