import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { type Market, openMarket } from "../../reads/support/market.ts";
import { DEFAULT_CONNECTION_LIMITS } from "../admission/connection-limits.ts";
import type { ApiLimits } from "../admission/limits.ts";
import { createServer } from "../http/server.ts";
import { get } from "../support/http.ts";
import { withinFileHandles } from "./file-handles.ts";

let market: Market;
const apps: FastifyInstance[] = [];

beforeAll(async () => {
  market = await openMarket([]);
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});
afterAll(() => market.close());

/** A stopped clock: no connection has been idle for long. */
const STOPPED: Clock = { ...systemClock, monotonic: () => 0 };

async function serve(limits: Partial<ApiLimits>, clock: Clock = systemClock): Promise<FastifyInstance> {
  const app = await createServer({ ...market, limits, clock });
  apps.push(app);
  await app.listen({ port: 0, host: "0.0.0.0" });
  return app;
}

/** A client that never closes its side. */
class Client {
  text = "";
  /** Whether the service has closed its side of the connection, or reset it. */
  hasEnded = false;
  readonly socket: Socket;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on("data", (chunk) => {
      this.text += chunk;
    });
    const end = () => {
      this.hasEnded = true;
    };
    socket.on("end", end);
    socket.on("error", end);
  }

  async get(path: string): Promise<void> {
    this.text = "";
    this.socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect.poll(() => this.text).toContain("\r\n\r\n");
  }
}

async function connected(app: FastifyInstance, address = "127.0.0.1"): Promise<Client> {
  const { port } = app.server.address() as { port: number };
  const socket = connect({ port, host: "127.0.0.1", localAddress: address, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  const client = new Client(socket);
  await once(socket, "connect");
  return client;
}

/** Returns the number of open sockets, including those to which no limit applies. */
function openSockets(app: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) =>
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

async function figure(app: FastifyInstance, series: string): Promise<number> {
  const { body } = await get(app, "/metrics");
  const line = String(body)
    .split("\n")
    .find((text) => text.startsWith(`${series} `));
  return Number(line?.split(" ")[1] ?? Number.NaN);
}

describe("a slow sender", () => {
  const limits = { headerMs: 200, bodyMs: 200 };
  const json = "POST /v1/sql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n";

  it.each([
    ["nothing", ""],
    ["headers", "GET /health HTTP/1.1\r\nHost: "],
    ["a body", `${json}\r\n{`],
  ])("of %s gets 408, and its connection does not stay half open", async (_, start) => {
    const app = await serve(limits);
    const client = await connected(app);
    client.socket.write(start);
    const timer = setInterval(() => start !== "" && client.socket.writable && client.socket.write("x"), 50);
    onTestFinished(() => clearInterval(timer));
    await expect.poll(() => client.text, { timeout: 10_000 }).toMatch(/^HTTP\/1.1 408 /);
    expect(client.text).toContain('{"error":"The request did not arrive in time."}');
    await expect.poll(() => openSockets(app), { timeout: 10_000 }).toBe(0);
  });
});

describe("connections above a limit", () => {
  it("get 503 when all are in use", async () => {
    const app = await serve({ connections: 2 }, STOPPED);
    const first = await connected(app);
    await connected(app, "127.0.0.2");
    const third = await connected(app, "127.0.0.3");
    await expect.poll(() => third.text).toMatch(/^HTTP\/1.1 503 .*\r\nConnection: close\r\n/s);
    expect(third.text).toContain('{"error":"The service has no free connections.');
    await expect.poll(() => openSockets(app), { timeout: 10_000 }).toBe(2);
    expect(await figure(app, 'quarry_http_connections_refused_total{limit="all"}')).toBe(1);
    first.socket.destroy();
    await expect.poll(() => figure(app, "quarry_http_connections")).toBe(1);
    await (await connected(app)).get("/health");
  });

  it("get 429 when their address has too many, while other addresses are served", async () => {
    const app = await serve({ addressConnections: 2 }, STOPPED);
    await connected(app);
    const second = await connected(app);
    const third = await connected(app);
    await expect.poll(() => third.text).toMatch(/^HTTP\/1.1 429 .*\r\nConnection: close\r\n/s);
    expect(third.text).toContain('{"error":"Your address has too many open connections.');
    await (await connected(app, "127.0.0.2")).get("/health");
    await second.get("/health");
    expect(second.text).toContain("HTTP/1.1 200");
  });

  it("take the place of the longest idle one", async () => {
    let passedMs = 0;
    const app = await serve({ connections: 2 }, { ...systemClock, monotonic: () => passedMs });
    const used = await connected(app);
    const idle = await connected(app);
    passedMs = 5_000;
    await used.get("/health");
    const third = await connected(app);
    await third.get("/health");
    await used.get("/health");
    expect([third.text, used.text].map((text) => text.slice(0, 12))).toEqual([
      "HTTP/1.1 200",
      "HTTP/1.1 200",
    ]);
    await expect.poll(() => idle.hasEnded).toBe(true);
    expect(await figure(app, "quarry_http_connections_displaced_total")).toBe(1);
  });

  it("take the place of a busy one of the address with the most, however it is kept busy", async () => {
    const app = await serve({ connections: 6, shutdownMs: 100 }, STOPPED);
    const body =
      "POST /v1/sql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{";
    const busy: Client[] = [];
    for (const address of ["127.0.0.2", "127.0.0.2", "127.0.0.2", "127.0.0.2", "127.0.0.3", "127.0.0.3"]) {
      const client = await connected(app, address);
      client.socket.write(body);
      busy.push(client);
    }
    // All six are busy once none is idle.
    await expect.poll(() => openSockets(app)).toBe(6);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const another = await connected(app, "127.0.0.3");
    await expect.poll(() => another.text).toMatch(/^HTTP\/1.1 503 /);
    const first = await connected(app, "127.0.0.4");
    await first.get("/health");
    await expect.poll(() => busy.map(({ hasEnded }) => hasEnded).indexOf(true)).toBe(0);
    expect(busy.filter(({ hasEnded }) => hasEnded)).toHaveLength(1);
    // The service is full again, and no address has more than twice as many as this one would have.
    const next = await connected(app, "127.0.0.4");
    await expect.poll(() => next.text).toMatch(/^HTTP\/1.1 503 /);
    await first.get("/health");
    expect(first.text).toContain("HTTP/1.1 200");
  });

  it("do not take the place of an idle one of an address with fewer", async () => {
    let passedMs = 0;
    const app = await serve(
      { connections: 3, shutdownMs: 100 },
      { ...systemClock, monotonic: () => passedMs },
    );
    const few = await connected(app, "127.0.0.2");
    const many = [await connected(app, "127.0.0.3"), await connected(app, "127.0.0.3")];
    for (const { socket } of many)
      socket.write("POST /v1/sql HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n");
    await new Promise((resolve) => setTimeout(resolve, 200));
    passedMs = 5_000;
    const more = await connected(app, "127.0.0.3");
    await expect.poll(() => more.hasEnded).toBe(true);
    await few.get("/health");
    expect(few.text).toContain("HTTP/1.1 200");
  });

  it("are closed immediately when many are being refused", async () => {
    const app = await serve({ connections: 1 }, STOPPED);
    await connected(app);
    const others = await Promise.all(Array.from({ length: 60 }, () => connected(app)));
    await expect.poll(() => others.filter(({ hasEnded }) => hasEnded).length).toBe(60);
    expect(others.filter(({ text }) => text.startsWith("HTTP/1.1 503")).length).toBeLessThan(60);
  });
});

/** Returns the lowered limits, and the warnings about them. */
function lowered(limits: { connections?: number; addressConnections?: number }, handles: number) {
  const warnings: string[] = [];
  const logger = { warn: (_: unknown, text: string) => void warnings.push(text) };
  const all = { ...DEFAULT_CONNECTION_LIMITS, ...limits };
  const { connections, addressConnections } = withinFileHandles(all, logger, { limit: handles, used: 100 });
  return { connections, addressConnections, warnings };
}

describe("the limits of connections, by file handles,", () => {
  it("stay as they are if there are enough file handles, or if the system does not report them", () => {
    expect(lowered({}, 20_000)).toEqual({ connections: 10_000, addressConnections: 1_000, warnings: [] });
    const logger = { warn: () => expect.unreachable() };
    expect(withinFileHandles(DEFAULT_CONNECTION_LIMITS, logger, null)).toBe(DEFAULT_CONNECTION_LIMITS);
  });

  it("leave 512 handles to the engine, but at most half of the free ones", () => {
    for (const [handles, connections] of [
      [5_000, 4_388],
      [1_124, 512],
      [300, 100],
    ] as const) {
      expect(lowered({}, handles).connections).toBe(connections);
    }
  });

  it("are lowered together, so that an address keeps its share", () => {
    const { connections, addressConnections, warnings } = lowered({}, 1_100);
    expect(addressConnections).toBe(Math.ceil(connections / 10));
    expect(warnings).toEqual([
      `allowing ${connections} connections instead of 10000, and ${addressConnections} per address, ` +
        "because the limit on open files (ulimit -n) is 1100",
    ]);
  });

  it("are the same if they were the same, as behind a proxy", () => {
    const { connections, addressConnections } = lowered({ addressConnections: 10_000 }, 1_100);
    expect(addressConnections).toBe(connections);
  });

  it("allow one connection even without a free handle", () => {
    expect(lowered({}, 100)).toMatchObject({ connections: 1, addressConnections: 1 });
  });
});
