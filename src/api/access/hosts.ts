import type { FastifyInstance } from "fastify";
import { hostName, isLoopback } from "../../lib/names/host-name.ts";
import { HttpError } from "../errors/errors.ts";

/**
 * Rejects requests for any host that is not allowed. The owner of a web page can point its host name to
 * 127.0.0.1 (DNS rebinding). The page's requests to that name would then reach a service that listens only on
 * this machine.
 *
 * @param hosts allowed names and addresses, without a port; this machine's own are always allowed
 */
export function requireHost(app: FastifyInstance, hosts: readonly string[]): void {
  const allowed = new Set(hosts.map(hostName));
  app.addHook("onRequest", async ({ headers: { host } }) => {
    // A request without a Host header does not come from a page: browsers always send one.
    if (host === undefined) return;
    const name = nameOfHost(host);
    if (name === null || !(isLoopback(name) || allowed.has(name))) throw new UnknownHost(host);
  });
}

/** Returns the name or address in a Host header, without its port; null if there is none. */
export function nameOfHost(host: string): string | null {
  // Only a name and a port: a URL may have a user name, a path, and more.
  if (/[/\\@?#]/.test(host)) return null;
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") : null;
}

/** Maximum number of characters of a host that a message repeats. */
const MAX_SHOWN = 100;

class UnknownHost extends HttpError {
  constructor(host: string) {
    super(
      403,
      `This service does not accept requests for the host ${JSON.stringify(host.slice(0, MAX_SHOWN))}. ` +
        "To allow it, start the service with this name in --allowed-hosts.",
    );
  }
}
