import { BlockList, isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { addressGroup } from "../admission/address-group.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The client's address. All clients behind an untrusted proxy have the proxy's address. */
    readonly address: string;
    /** Whether a trusted proxy sent the request. */
    readonly isFromProxy: boolean;
  }
}

/**
 * Returns the group of the client's address: an IPv4 address itself, or the /64 network of an IPv6 address.
 */
export function clientGroup({ address }: FastifyRequest): string {
  return addressGroup(address);
}

/**
 * Adds the client's address to requests. If no proxy is trusted, logs a warning for the first request with an
 * X-Forwarded-For header, because all clients of the proxy that sent it share the limits of a single client.
 *
 * @param proxies addresses, ranges, or `loopback`
 */
export function readAddresses(app: FastifyInstance, proxies: readonly string[]): void {
  const trusted = listOf(proxies);
  let mayWarn = proxies.length === 0;
  app.decorateRequest("isFromProxy", {
    getter() {
      return isAmong(peerOf(this), trusted);
    },
  });
  app.decorateRequest("address", {
    getter() {
      const peer = peerOf(this);
      const forwarded = this.raw.headers["x-forwarded-for"];
      if (forwarded === undefined) return peer;
      if (mayWarn) warnOfProxy(this, peer);
      mayWarn = false;
      return originOf(String(forwarded).split(","), peer, trusted);
    },
  });
}

function peerOf({ raw }: FastifyRequest): string {
  return addressIn(raw.socket.remoteAddress ?? "") ?? "";
}

/**
 * Maximum number of addresses that are read. Requests pass through only a few proxies, but a header has room
 * for thousands of addresses, and checking them all would take tenths of a second.
 */
const MAX_READ = 32;

/** Returns the last address that is not a trusted proxy. Any client can forge the addresses before it. */
function originOf(forwarded: string[], peer: string, trusted: BlockList): string {
  let address = peer;
  for (let read = 0; read < MAX_READ && isAmong(address, trusted); read++) {
    const before = addressIn(forwarded.pop() ?? "");
    if (before === null) break;
    address = before;
  }
  return address;
}

/**
 * Parses an address as proxies write it: alone, with a port, in brackets or with a zone. Returns null for any
 * other text.
 */
function addressIn(text: string): string | null {
  const entry = text.trim();
  const [, inBrackets] = /^\[([^\]]+)\](?::\d+)?$/.exec(entry) ?? [];
  const [, beforePort] = /^([\d.]+):\d+$/.exec(entry) ?? [];
  const [address = ""] = (inBrackets ?? beforePort ?? entry).split("%");
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  return isIP(ipv4) === 0 ? null : ipv4;
}

function isAmong(address: string, list: BlockList): boolean {
  return address !== "" && list.check(address, familyOf(address));
}

function listOf(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of proxies.flatMap((proxy) => (proxy === "loopback" ? LOOPBACK : [proxy]))) {
    const [address = "", bits] = range.split("/");
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

const LOOPBACK = ["127.0.0.0/8", "::1"];

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}

function warnOfProxy({ log }: FastifyRequest, peer: string): void {
  log.warn(
    { peer },
    `ignoring X-Forwarded-For in a request from ${peer}: if ${peer} is your proxy, start with ` +
      `--trust-proxy ${peer}; without it, all clients of the proxy share the limits of one client`,
  );
}
