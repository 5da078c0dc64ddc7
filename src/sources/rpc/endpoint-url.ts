import { BaseError } from "../../lib/error.ts";

/** Path segments at least this long are taken for API keys. */
const SECRET_LENGTH = 16;

export interface EndpointUrl {
  origin: string;
  path: string;
  authorization: string | null;
  /** The URL as it may be shown: no credentials, no keys. */
  masked: string;
}

/** @throws InvalidEndpointUrl */
export function parseEndpointUrl(text: string): EndpointUrl {
  const url = URL.parse?.(text) ?? tryParse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) throw new InvalidEndpointUrl(text);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    authorization: credentials === ":" ? null : `Basic ${Buffer.from(credentials).toString("base64")}`,
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
      `RPC URL "${start}${text.length > 12 ? "…" : ""}" is not valid: give an http:// or https:// URL`,
    );
  }
}
