import type { Chain } from "../../chains/chain.ts";
import { BaseError } from "../../lib/error.ts";

/** Path segments at least this long are taken for API keys. */
const SECRET_LENGTH = 16;

/** Schemes, and what an endpoint of each is asked for: everything, or to announce heads. */
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
  /** Where the same endpoint takes WebSockets, if it does. Not to be shown: keys stand in its path. */
  socketUrl: string;
  /** The URL as it may be shown: no credentials, no keys. */
  masked: string;
}

/**
 * The endpoints of a chain by what they are asked for.
 *
 * @throws InvalidEndpointUrl; OnlyWebSockets where none can be asked for blocks
 */
export function endpointUrls(
  texts: readonly string[],
  { name }: Pick<Chain, "name">,
): { urls: EndpointUrl[]; sockets: EndpointUrl[] } {
  const parsed = texts.map(parseEndpointUrl);
  const urls = parsed.filter(({ transport }) => transport === "http");
  const sockets = parsed.filter(({ transport }) => transport === "ws");
  if (urls.length === 0 && sockets.length > 0) throw new OnlyWebSockets(name);
  return { urls, sockets };
}

/** @throws InvalidEndpointUrl */
export function parseEndpointUrl(text: string): EndpointUrl {
  const url = URL.parse?.(text) ?? tryParse(text);
  const transport = url === null ? undefined : TRANSPORTS[url.protocol];
  if (url === null || transport === undefined) throw new InvalidEndpointUrl(text);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const path = url.pathname + url.search;
  const isSecure = url.protocol === "https:" || url.protocol === "wss:";
  return {
    transport,
    origin: url.origin,
    path,
    authorization: credentials === ":" ? null : `Basic ${Buffer.from(credentials).toString("base64")}`,
    socketUrl: `${isSecure ? "wss" : "ws"}://${url.host}${path}`,
    masked: mask(url),
  };
}

function tryParse(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function mask(url: URL): string {
  const path = url.pathname
    .split("/")
    .map((segment) => (segment.length >= SECRET_LENGTH ? "***" : segment))
    .join("/");
  const query = [...url.searchParams.keys()].map((name) => `${name}=***`).join("&");
  const user = url.username === "" && url.password === "" ? "" : "***@";
  return `${url.protocol}//${user}${url.host}${path === "/" ? "" : path}${query === "" ? "" : `?${query}`}`;
}

/** An RPC URL that is none. The text is not repeated in full: it may hold a key. */
export class InvalidEndpointUrl extends BaseError {
  constructor(text: string) {
    const start = text.slice(0, 12);
    super(
      "bad-config",
      `RPC URL "${start}${text.length > 12 ? "…" : ""}" is not valid: give an http:// or https:// URL; ` +
        "a ws:// or wss:// URL may stand beside it, to announce new blocks",
    );
  }
}

class OnlyWebSockets extends BaseError {
  constructor(chain: string) {
    super(
      "bad-config",
      `the RPC URLs of chain "${chain}" are ws:// and wss:// only: they announce new blocks, which are read ` +
        "over HTTP; give an http:// or https:// URL beside them",
    );
  }
}
