import { BaseError } from "../../lib/error.ts";
import { isLoopback } from "../../lib/names/host-name.ts";

/**
 * Path segments that are certainly not API keys: versions, chain ids, and words that endpoints use. Any other
 * segment may be a key, however short.
 */
const PUBLIC_SEGMENT =
  /^(|v\d{1,2}|\d{1,5}|rpc|jsonrpc|json-rpc|api|ws|wss|http|https|public|node|archive|full|ext|bc|evm|eth|ethereum|base|matic|polygon|bsc|bnb|optimism|arbitrum|avalanche|gnosis|mainnet|testnet|sepolia|one|main)$/i;

/** Requests go to HTTP endpoints. WebSocket endpoints only announce new heads. */
const TRANSPORTS: Record<string, Transport> = {
  "http:": "http",
  "https:": "http",
  "ws:": "ws",
  "wss:": "ws",
};

type Transport = "http" | "ws";

export interface EndpointUrl {
  transport: Transport;
  origin: string;
  path: string;
  authorization: string | null;
  /** True for an endpoint on this machine. */
  isLocal: boolean;
  /** The WebSocket URL of the same endpoint, if it has one. Never log it: its path may contain a key. */
  socketUrl: string;
  /** The URL without credentials and keys, for logs and status. */
  masked: string;
}

/**
 * Parses the URLs of a chain, and groups them by transport.
 *
 * @throws InvalidEndpointUrl; OnlyWebSockets if no URL can serve blocks
 */
export function endpointUrls(
  texts: readonly string[],
  chain: string,
): { urls: EndpointUrl[]; sockets: EndpointUrl[] } {
  const parsed = texts.map(parseEndpointUrl);
  const urls = parsed.filter(({ transport }) => transport === "http");
  const sockets = parsed.filter(({ transport }) => transport === "ws");
  if (urls.length === 0 && sockets.length > 0) throw new OnlyWebSockets(chain);
  return { urls, sockets };
}

/** @throws InvalidEndpointUrl */
export function parseEndpointUrl(text: string): EndpointUrl {
  const url = URL.parse?.(text) ?? tryParse(text);
  const transport = url === null ? undefined : TRANSPORTS[url.protocol];
  if (url === null || transport === undefined) throw new InvalidEndpointUrl(text);
  const credentials = `${decoded(url.username, text)}:${decoded(url.password, text)}`;
  const path = url.pathname + url.search;
  const isSecure = url.protocol === "https:" || url.protocol === "wss:";
  return {
    transport,
    origin: url.origin,
    path,
    isLocal: isLoopback(url.hostname),
    authorization: credentials === ":" ? null : `Basic ${Buffer.from(credentials).toString("base64")}`,
    socketUrl: `${isSecure ? "wss" : "ws"}://${url.host}${path}`,
    masked: mask(url),
  };
}

/** @throws InvalidEndpointUrl if the text is not valid percent-encoding */
function decoded(part: string, text: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new InvalidEndpointUrl(text);
  }
}

function tryParse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function mask(url: URL): string {
  const path = url.pathname
    .split("/")
    .map((segment) => (PUBLIC_SEGMENT.test(segment) ? segment : "***"))
    .join("/");
  const query = [...url.searchParams.keys()].map((name) => `${name}=***`).join("&");
  const user = url.username === "" && url.password === "" ? "" : "***@";
  return `${url.protocol}//${user}${url.host}${path === "/" ? "" : path}${query === "" ? "" : `?${query}`}`;
}

/** Number of characters of a URL that its error message repeats; what follows may be a key. */
const SHOWN_CHARACTERS = 12;

/** The text is not an RPC URL. The message shows only its start, and nothing of a user name or password. */
export class InvalidEndpointUrl extends BaseError {
  constructor(text: string) {
    const scheme = /^\w+:\/\//.exec(text)?.[0] ?? "";
    const start = text.includes("@") ? scheme : text.slice(0, SHOWN_CHARACTERS);
    const rest = text.length > start.length ? "…" : "";
    super(
      "bad-config",
      `RPC URL "${start}${rest}" is not valid: give an http:// or https:// URL, with %25 for a % in its user name or ` +
        "password; a ws:// or wss:// URL that announces new blocks may be given in addition",
    );
  }
}

class OnlyWebSockets extends BaseError {
  constructor(chain: string) {
    super(
      "bad-config",
      `chain "${chain}" has only ws:// and wss:// RPC URLs. They announce new blocks, but blocks are read over HTTP: ` +
        "add an http:// or https:// URL",
    );
  }
}
