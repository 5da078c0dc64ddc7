import type { FastifyRequest } from "fastify";
import { isLoopback } from "../../lib/names/host-name.ts";
import { HttpError } from "../errors/errors.ts";
import { nameOfHost } from "./hosts.ts";

/** Headers with which a proxy says that a request comes from elsewhere. */
const FORWARDED = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];

/**
 * Rejects requests that do not come from the machine of the service. One that a proxy on this machine passes on
 * is recognized by the host or by the headers of the proxy, and one of a page from elsewhere, in a browser on
 * this machine, by its origin.
 */
export function requireOwnMachine({ raw: { socket }, headers, routeOptions }: FastifyRequest): void {
  const { host, origin } = headers;
  const isForwarded = FORWARDED.some((name) => headers[name] !== undefined);
  const isOwn = isOwnAddress(socket.remoteAddress) && isOwnHost(host) && isOwnOrigin(origin);
  if (isOwn && !isForwarded) return;
  throw new HttpError(
    403,
    `${routeOptions.url} shows what the clients of the service do. Without API keys, only the machine of the ` +
      "service may read it. To read it from elsewhere, start the service with --keys or --key-file.",
  );
}

function isOwnHost(host: string | undefined): boolean {
  const name = host === undefined ? null : nameOfHost(host);
  return name !== null && isLoopback(name);
}

/** Browsers send the origin of a page with every request whose response a page of another origin could read. */
function isOwnOrigin(origin: string | undefined): boolean {
  return origin === undefined || (URL.canParse(origin) && isLoopback(new URL(origin).hostname));
}

function isOwnAddress(address: string | undefined): boolean {
  return address !== undefined && isLoopback(address.replace(/^::ffff:/i, ""));
}
