import type { FastifyRequest } from "fastify";
import { isLoopback } from "../../lib/names/host-name.ts";
import { HttpError } from "../errors/errors.ts";
import { nameOfHost } from "./hosts.ts";

/** Headers that proxies add to the requests that they forward. */
const FORWARDED = /^(forwarded|via|x-forwarded-.*|x-envoy-.*|cf-.*|x-real-ip|x-client-ip|true-client-ip)$/;

/**
 * Rejects requests that do not come from the service's own machine. A request that a proxy on this machine
 * forwards is recognized by the proxy's address or headers, or by the host. A request from a page of another
 * site, in a browser on this machine, is recognized by its origin. A proxy cannot be recognized if it is not
 * trusted, adds none of these headers and passes on the Host header, because its clients choose that header.
 */
export function requireOwnMachine(request: FastifyRequest): void {
  const { raw, headers, routeOptions } = request;
  const isForwarded = request.isFromProxy || Object.keys(headers).some((name) => FORWARDED.test(name));
  if (!isForwarded && isOwnAddress(raw.socket.remoteAddress) && isOwnPage(headers)) return;
  throw new HttpError(
    403,
    `${routeOptions.url} shows what clients of the service are doing. Without API keys, it can be read only on the ` +
      "machine that runs the service. To read it from elsewhere, start the service with --keys or --key-file.",
  );
}

/**
 * Returns whether the Host header names this machine, and the request comes from a page of the service or
 * from no page. Browsers send the origin of a page with every request whose response a page of another origin
 * could read. The port must also match, because other programs on this machine may serve pages on other
 * ports.
 */
function isOwnPage({ host = "", origin }: FastifyRequest["headers"]): boolean {
  const name = nameOfHost(host);
  if (name === null || !isLoopback(name)) return false;
  return origin === undefined || origin === new URL(`http://${host}`).origin;
}

function isOwnAddress(address: string | undefined): boolean {
  return address !== undefined && isLoopback(address.replace(/^::ffff:/i, ""));
}
