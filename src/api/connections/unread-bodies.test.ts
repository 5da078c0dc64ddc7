import { connect } from "node:net";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type Market, openMarket } from "../../reads/support/market.ts";
import { createServer } from "../http/server.ts";

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([]);
  app = await createServer({ ...market, limits: { bodyBytes: 1_000 } });
  await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
  await market.close();
});

const BODY = Buffer.alloc(16 * 2 ** 20, "x");
const PATH = "/v1/price-api/batch-latest-token-prices";

/** Sends the whole body before reading; resolves with everything read until the connection is closed. */
async function sendThenRead(length: string): Promise<{ text: string; failure: string | null }> {
  const { port } = app.server.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let failure: string | null = null;
  socket.on("error", ({ message }) => {
    failure = message;
  });
  socket.pause();
  socket.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`);
  const chunked = length.startsWith("Transfer");
  if (chunked) socket.write(`${BODY.length.toString(16)}\r\n`);
  await new Promise((sent) => socket.write(BODY, sent));
  if (chunked) socket.write("\r\n0\r\n\r\n");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.resume();
  await expect.poll(() => failure ?? text, { timeout: 20_000 }).toMatch(/\}$|E[A-Z]+/);
  return { text, failure };
}

it.each([`Content-Length: ${BODY.length}`, "Transfer-Encoding: chunked"])(
  "a client that sends a body that is too large can read the 413: %s",
  async (length) => {
    const { text, failure } = await sendThenRead(length);
    expect([text.slice(0, 12), failure]).toEqual(["HTTP/1.1 413", null]);
    expect(text).toContain('{"error":"The body is larger than the allowed 1000 bytes."}');
  },
);
