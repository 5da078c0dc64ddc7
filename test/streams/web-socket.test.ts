import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { LATER_BYTES } from "../../src/api/streams/socket-input.ts";
import { commitTrades, ETH, hexOf } from "../../src/reads/support/market.ts";
import { openChainStore } from "../../src/storage/clickhouse-store.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import type { ChainStore, Engine } from "../../src/storage/store.ts";
import { temporaryFolder } from "../support/processes/processes.ts";
import { openEvents } from "./support/event-reader.ts";
import { type StreamService, serveFollower, serveWriter, Writer } from "./support/stream-service.ts";

const AT = 1_700_000_040;
const TOKEN = hexOf(9);
const FIRST = 1000;

const folder = temporaryFolder();
let engine: Engine;
let store: ChainStore;
let service: StreamService;
let next = FIRST;

async function commit(price: number): Promise<void> {
  await commitTrades(store, [{ token: TOKEN, at: AT + 12 * (next - FIRST), price }], { firstBlock: next });
  next++;
}

beforeAll(async () => {
  engine = await openEmbeddedEngine({ path: folder.path });
  store = await openChainStore(engine, ETH.name, {});
  const writer = new Writer();
  store.follow(writer);
  await commit(2);
  service = await serveWriter(engine, store, writer);
});

afterAll(async () => {
  await service?.stop();
  await engine?.close();
  folder.remove();
});

const failure = (error: unknown) => ({ event: "error", data: { error } });
const connect = (query: string) => new WebSocket(`${service.url.replace("http", "ws")}/v1/stream${query}`);
const closeCode = (socket: WebSocket) => new Promise((resolve) => socket.once("close", resolve));
const message = (socket: WebSocket) =>
  new Promise<{ event: string; id?: string; data: Record<string, unknown> }>((resolve) =>
    socket.once("message", (data) => resolve(JSON.parse(String(data)))),
  );

describe("max_lag", () => {
  it("refuses to begin with an old block, by both transports", async () => {
    const refused = await fetch(`${service.url}/v1/stream?type=blocks&max_lag=60`);
    expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
      503,
      "1",
      { error: expect.stringContaining(`The newest indexed block is ${next - 1}`) },
    ]);
    const stream = openEvents(`${service.url}/v1/stream?type=blocks&max_lag=315360000`, {});
    expect((await stream.next()).event).toBe("snapshot");
    stream.close();
    const socket = connect("");
    const [answer, code] = [message(socket), closeCode(socket)];
    await new Promise((resolve) => socket.once("open", resolve));
    socket.send(JSON.stringify({ subscriptions: [{ type: "trades" }], max_lag: 60 }));
    expect(await answer).toMatchObject(failure(expect.stringContaining("max_lag (60 s)")));
    expect(await code).toBe(1013);
  });
});

describe("a WebSocket", () => {
  it("gets the same frames, with subscriptions in the URL or in its first message", async () => {
    for (const query of ["?type=trades", ""]) {
      const socket = connect(query);
      const first = message(socket);
      await new Promise((resolve) => socket.once("open", resolve));
      if (query === "") socket.send(JSON.stringify({ subscriptions: [{ type: "trades" }] }));
      expect(await first).toMatchObject({ event: "snapshot", id: expect.stringContaining(`:${next - 1}:`) });
      const block = message(socket);
      await commit(4);
      expect(await block).toMatchObject({
        event: "block",
        data: { block: next - 1, data: { trades: [{ price_token_usd_tick_1: 4 }] } },
      });
      socket.close();
    }
  });

  it("is refused for bad subscriptions, at other paths, and for pages of other origins", async () => {
    const status = (socket: WebSocket) =>
      new Promise((resolve) => {
        socket.once("unexpected-response", (_request, response) => resolve(response.statusCode));
        socket.once("open", () => resolve("open"));
        socket.once("error", () => undefined);
      });
    expect(await status(connect("?type=trade"))).toBe(400);
    expect(await status(new WebSocket(`${service.url.replace("http", "ws")}/v1/status`))).toBe(400);
    const local = await serveFollower(engine, { allowedOrigins: ["local"] });
    const from = (origin: string) =>
      new WebSocket(`${local.url.replace("http", "ws")}/v1/stream?type=blocks`, { origin });
    expect(await status(from("https://evil.example"))).toBe(403);
    expect(await status(from("http://localhost:5173"))).toBe("open");
    await local.stop();
    const socket = connect("");
    await new Promise((resolve) => socket.once("open", resolve));
    const [error, code] = [message(socket), closeCode(socket)];
    socket.send("[]");
    expect(await error).toMatchObject(failure(expect.stringContaining("must be a JSON object")));
    expect(await code).toBe(1008);
    const large = connect("");
    await new Promise((resolve) => large.once("open", resolve));
    const refusal = message(large);
    large.send(JSON.stringify(Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`k${i}`, 1]))));
    expect(await refusal).toMatchObject(failure(expect.stringContaining("has more than 5000 fields")));
  });

  it("is served one frame at a time, however many arrive together", async () => {
    const sender = await isOpen(connect(""));
    const [served] = service.app.websocketServer.clients;
    let [pings, inTurn, most] = [0, 0, 0];
    served?.on("ping", () => {
      pings++;
      inTurn++;
    });
    connectionOf(sender).write(Buffer.concat(Array.from({ length: 50 }, () => PING)));
    while (pings < 50) {
      inTurn = 0;
      await new Promise(setImmediate);
      most = Math.max(most, inTurn);
    }
    expect(most).toBe(1);
    sender.terminate();
  });

  it("is refused if it sends more than control frames after its subscriptions", async () => {
    const socket = connect("?type=blocks");
    expect(await message(socket)).toMatchObject({ event: "snapshot" });
    const [refusal, code] = [message(socket), closeCode(socket)];
    socket.send("x".repeat(LATER_BYTES));
    const reason = expect.stringContaining(`may send at most ${LATER_BYTES} bytes in 15 s`);
    expect(await refusal).toMatchObject(failure(reason));
    expect(await code).toBe(1008);
  });

  it("is refused after a delay if the client has too many streams", async () => {
    const rejectionDelayMs = 700;
    const limited = await serveFollower(engine, { limits: { clientStates: 1, rejectionDelayMs } });
    const socket = await isOpen(new WebSocket(`${limited.url.replace("http", "ws")}/v1/stream`));
    const refusal = message(socket);
    const sentMs = performance.now();
    const prices = { type: "prices", token_address: [TOKEN, hexOf(10)] };
    socket.send(JSON.stringify({ subscriptions: [prices] }));
    expect(await refusal).toMatchObject(failure(expect.stringContaining("may follow at most 1")));
    // Timers may fire a millisecond early.
    expect(performance.now() - sentMs).toBeGreaterThan(rejectionDelayMs - 10);
    await limited.stop();
  });

  it("shares the memory for bodies with the client's other unfinished messages", async () => {
    const limited = await serveFollower(engine, { limits: { clientBodyBytes: 1_000_000 } });
    const url = `${limited.url.replace("http", "ws")}/v1/stream`;
    const sockets = [0, 1].map(() => new WebSocket(url));
    const [first, second] = await Promise.all(sockets.map(isOpen));
    if (first === undefined || second === undefined) throw new Error("two sockets");
    connectionOf(first).write(unfinished(600_000));
    const metric = "quarry_http_body_memory_bytes";
    const held = async () => Number(new RegExp(`^${metric} (\\d+)$`, "m").exec(await metrics(limited))?.[1]);
    await expect.poll(held).toBeGreaterThan(600_000);
    const [refusal, code] = [message(second), closeCode(second)];
    connectionOf(second).write(unfinished(600_000));
    expect(await refusal).toMatchObject(
      failure(expect.stringContaining("its unfinished request bodies may take at most 1 MiB")),
    );
    expect(await code).toBe(1013);
    first.terminate();
    await expect.poll(held).toBe(0);
    await limited.stop();
  });
});

/** A ping without data, as a client would send it. */
const PING = Buffer.from([0x89, 0x80, 0, 0, 0, 0]);

/** Returns the header of a message of a million bytes, and the given number of its bytes. */
function unfinished(bytes: number): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(1_000_000n);
  return Buffer.concat([Buffer.from([0x81, 0xff]), length, Buffer.alloc(4 + bytes, "x")]);
}

/** Returns the TCP connection of a WebSocket, to send frames that the client's library would not send. */
function connectionOf(socket: WebSocket): Socket {
  return (socket as unknown as { _socket: Socket })._socket;
}

const isOpen = (socket: WebSocket) =>
  new Promise<WebSocket>((resolve) => socket.once("open", () => resolve(socket)));
const metrics = async ({ url }: StreamService) => (await fetch(`${url}/metrics`)).text();
