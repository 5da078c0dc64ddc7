import { request } from "node:http";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Market, openMarket } from "../../reads/support/market.ts";
import { createServer } from "../http/server.ts";

let market: Market;
let app: FastifyInstance;

beforeAll(async () => {
  market = await openMarket([]);
  app = await createServer({
    ...market,
    allowedHosts: ["quarry.example.org", "2001:db8::1"],
    allowedOrigins: ["local"],
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
  await market.close();
});

function get(headers: Record<string, string>) {
  const { port } = app.server.address() as { port: number };
  return new Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      const sent = request({ port, host: "127.0.0.1", path: "/health", headers }, (response) => {
        let text = "";
        response.on("data", (chunk) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
      });
      sent.on("error", reject).end();
    },
  );
}

it.each([
  "localhost",
  "LOCALHOST:8080",
  "localhost.:8080",
  "quarry.localhost",
  "127.0.0.1:1",
  "127.9.9.9",
  "[::1]:8080",
  "quarry.example.org",
  "Quarry.Example.org:443",
  "[2001:DB8::1]:8080",
])("a request for %s is answered", async (host) => {
  expect((await get({ host })).status).toBe(200);
});

it.each([
  "evil.example",
  "evil.example:8080",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "quarry.example.org.evil.example",
  "evil.example@127.0.0.1",
  "0.0.0.0",
  "192.168.1.7",
  "a b",
  "@localhost:x",
])("a request for %s is rejected", async (host) => {
  const { status, text } = await get({ host });
  expect([status, JSON.parse(text).error]).toEqual([
    403,
    `This service does not accept requests for the host ${JSON.stringify(host)}. To allow it, start the service with this name in --allowed-hosts.`,
  ]);
});

it("pages of this machine may read responses, others may not", async () => {
  const allowedOrigin = async (origin: string) => {
    const { headers } = await get({ origin });
    expect(headers.vary).toBe("Origin");
    return headers["access-control-allow-origin"];
  };
  for (const origin of ["http://localhost:5173", "http://127.0.0.1:3000", "https://[::1]"]) {
    expect(await allowedOrigin(origin)).toBe(origin);
  }
  for (const origin of ["https://evil.example", "http://localhost.evil.example", "null", "x"]) {
    expect(await allowedOrigin(origin)).toBeUndefined();
  }
});
