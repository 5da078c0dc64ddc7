import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { readAddresses } from "./client-address.ts";

const PROXY = "10.0.0.1";

/**
 * Starts a service that responds with the client's address. Returns the service's log, and a function that
 * requests the address.
 */
function serve(proxies: string[]) {
  const log: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line) => void log.push(JSON.parse(line).msg) });
  const app: FastifyInstance = Fastify({ loggerInstance: logger as FastifyBaseLogger });
  readAddresses(app, proxies);
  app.get("/", (request) => request.address);
  const addressOf = async (forwarded: string | undefined, remoteAddress = PROXY) => {
    const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
    return (await app.inject({ url: "/", remoteAddress, headers })).body;
  };
  return { addressOf, log };
}

describe("the address of a client", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    [" 192.0.2.1 ", "192.0.2.1"],
    ["192.0.2.1:5678", "192.0.2.1"],
    ["2001:db8::1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:80", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["[::ffff:192.0.2.1]:80", "192.0.2.1"],
    ["9.9.9.9, 192.0.2.1:5678", "192.0.2.1"],
    ["192.0.2.1, 10.2.3.4:80, [fd00::7]:80", "192.0.2.1"],
    ["10.2.3.4", "10.2.3.4"],
  ])("is read from %j of trusted proxies", async (forwarded, address) => {
    expect(await serve(["10.0.0.0/8", "fd00::7"]).addressOf(forwarded)).toBe(address);
  });

  it.each([
    "",
    ",",
    "unknown",
    "192.0.2.1, unknown",
    "192.0.2",
    "192.0.2.1:",
    "[192.0.2.1",
    "[::1]80",
    "1:2",
  ])("is the proxy's address if it sends %j", async (forwarded) => {
    expect(await serve([PROXY]).addressOf(forwarded)).toBe(PROXY);
  });

  it("is a proxy's address if the list of proxies is too long", async () => {
    const { addressOf } = serve(["10.0.0.0/8"]);
    const through = (proxies: number) =>
      addressOf(["192.0.2.1", ...Array.from({ length: proxies }, (_, i) => `10.1.1.${i}`)].join(","));
    expect(await through(31)).toBe("192.0.2.1");
    expect(await through(100)).toBe("10.1.1.68");
  });

  it("is the peer's address if the peer is not a trusted proxy", async () => {
    const { addressOf, log } = serve(["loopback"]);
    for (const peer of ["10.0.0.1", "128.0.0.1", "::2"])
      expect(await addressOf("192.0.2.1", peer)).toBe(peer);
    for (const peer of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"]) {
      expect(await addressOf("192.0.2.1", peer)).toBe("192.0.2.1");
    }
    expect(log).toEqual([]);
  });

  it("is the proxy's address if no proxy is trusted, which is logged once", async () => {
    const { addressOf, log } = serve([]);
    expect(await addressOf(undefined)).toBe(PROXY);
    expect(log).toEqual([]);
    for (const client of ["192.0.2.1", "192.0.2.2"]) expect(await addressOf(client)).toBe(PROXY);
    expect(log).toEqual([
      expect.stringContaining(`start with --trust-proxy ${PROXY}; without it, all clients of the proxy`),
    ]);
  });
});
