import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { fillDisk, mountSmallDisk } from "../../../../test/support/engine/small-disk.ts";
import { hexOf, type Market, openMarket } from "../../../reads/support/market.ts";
import type { ApiLimits } from "../../admission/limits.ts";
import { createServer } from "../../http/server.ts";
import { bufferFiles } from "../../support/open-files.ts";
import { answerDiskBytes } from "./answer-disk.ts";

/**
 * Makes a query whose answer takes 40 MB as JSON: far more than sockets buffer. Each query is different,
 * because equal queries would share an answer.
 */
const large = () =>
  `SELECT REPEAT(transaction_hash, 200) AS text FROM eth_dex_trades LIMIT ${3_000 + serial++}`;
let serial = 0;
const FILES_ONLY = { answerMemoryBytes: 1 };

let market: Market;
beforeAll(async () => {
  const trades = Array.from({ length: 3_000 }, (_, i) => ({
    token: hexOf(1),
    at: 1_704_412_800 + i,
    price: 1,
  }));
  market = await openMarket(trades);
});
afterAll(() => market.close());

async function serve(limits: Partial<ApiLimits>) {
  const app = await createServer({ ...market, limits: { ...FILES_ONLY, ...limits } });
  onTestFinished(() => app.close());
  const url = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));
  const metrics = async () => (await app.inject("/metrics")).body;
  return { app, url, metrics };
}

const ask = (url: URL) =>
  fetch(`${url}v1/sql`, {
    method: "POST",
    headers: { "content-type": "application/json", "accept-encoding": "identity" },
    body: JSON.stringify({ query: large() }),
  });

/** Sends a request and does not read its response. */
function askWithoutReading(url: URL, localAddress = "127.0.0.1") {
  const body = JSON.stringify({ query: large() });
  const socket = connect({ port: Number(url.port), host: url.hostname, localAddress });
  onTestFinished(() => void socket.destroy());
  socket.pause();
  socket.on("error", () => {});
  socket.write(
    `POST /v1/sql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

describe("answers that are not read", () => {
  it("cost a client its connection if it does not read, but not if it reads slowly", async () => {
    const { url, metrics } = await serve({ readingWindowMs: 1_500, readingBytesPerSecond: 64 * 1024 });
    for (let i = 0; i < 3; i++) askWithoutReading(url);
    await expect.poll(bufferFiles, { timeout: 20_000 }).toBe(3);
    await expect.poll(bufferFiles, { timeout: 20_000 }).toBe(0);
    expect(await metrics()).toContain("quarry_http_slow_readers_total 3");
    await expect.poll(answerDiskBytes).toBe(0);

    const response = await ask(url);
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(bytes).toBe(Number(response.headers.get("content-length")));
  });

  it("cost a client its connection if it would take too long to read everything", async () => {
    const limits = { readingWindowMs: 1_000, readingBytesPerSecond: 1, readingSeconds: 4 };
    const { url, metrics } = await serve(limits);
    const response = await ask(url);
    const reader = response.body?.getReader();
    for (let isOpen = true; isOpen; ) {
      // 64 KiB in 100 ms is less than a tenth of what the client must read.
      isOpen = await (reader?.read() ?? Promise.reject()).then(
        ({ done }) => !done,
        () => false,
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await metrics()).toContain("quarry_http_slow_readers_total 1");
    await expect.poll(answerDiskBytes).toBe(0);
  });

  it.each([
    [{ answerDiskBytes: 10_000 }, 503, "10", /no disk space left .* Try again later/],
    [{ clientDiskBytes: 2 ** 20 }, 429, "1", /take 1 MiB on disk, the maximum for one client/],
  ])("are limited on disk: %o", async (limits, status, retryAfter, message) => {
    const response = await ask((await serve(limits)).url);
    expect([response.status, response.headers.get("retry-after")]).toEqual([status, retryAfter]);
    expect(((await response.json()) as { error: string }).error).toMatch(message);
    await expect.poll(answerDiskBytes).toBe(0);
  });

  it("give way to the answers of others, unless they are read", {
    timeout: 60_000,
  }, async () => {
    // There is room for two of them.
    const { url, metrics } = await serve({ answerDiskBytes: 130 * 2 ** 20, clientDiskBytes: 130 * 2 ** 20 });
    const sockets = ["127.0.0.2", "127.0.0.3"].map((address) => askWithoutReading(url, address));
    const isClosed = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    await expect.poll(answerDiskBytes, { timeout: 20_000 }).toBeGreaterThan(70 * 2 ** 20);
    const reading = setInterval(() => sockets[1]?.read(), 50);
    onTestFinished(() => clearInterval(reading));
    expect((await ask(url)).status).toBe(503);
    await expect.poll(async () => (await ask(url)).status, { timeout: 40_000, interval: 500 }).toBe(200);
    sockets[0]?.resume();
    await isClosed[0];
    expect(await metrics()).toContain("quarry_http_readers_displaced_total 1");
    expect(sockets[1]?.destroyed).toBe(false);
  });

  it("get 503 when the disk for temporary files is full", async ({ skip }) => {
    const disk = mountSmallDisk("4m");
    if (disk === null) return skip();
    const before = process.env.TMPDIR;
    process.env.TMPDIR = disk.path;
    onTestFinished(() => {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      disk.unmount();
    });
    expect(tmpdir()).toBe(disk.path);
    const { url } = await serve({});
    for (const fill of [() => {}, () => fillDisk(join(disk.path, "filler"))]) {
      fill();
      const response = await ask(url);
      expect([response.status, response.headers.get("x-error-code")]).toEqual([503, "not-ready"]);
      expect(((await response.json()) as { error: string }).error).toMatch(/no disk space left/);
    }
    expect([bufferFiles(), answerDiskBytes()]).toEqual([0, 0]);
  });
});
