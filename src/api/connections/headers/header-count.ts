import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { HttpError } from "../../errors/errors.ts";

/**
 * Number of headers from which on a request is rejected. Clients and proxies send at most a few dozen. Each
 * takes memory until the response is sent, and thousands of pipelined requests may wait for theirs.
 */
const TOO_MANY = 100;

export const TOO_MANY_HEADERS = `The request has too many headers: at most ${TOO_MANY - 1} are allowed.`;

/** Returns whether Node may have dropped some of a request's headers. */
export function mayLackHeaders({ rawHeaders }: IncomingMessage): boolean {
  // Names and values alternate.
  return rawHeaders.length >= 2 * TOO_MANY;
}

/**
 * Rejects requests from which Node may have dropped headers. Proxies add their headers at the end, so a
 * client that sends too many headers could cut off the proxy's X-Forwarded-For, and claim any address in its
 * own. The connection is closed, because the requests that follow are probably like this one.
 */
export function refuseTooManyHeaders(app: FastifyInstance): void {
  // Node drops further ones.
  app.server.maxHeadersCount = TOO_MANY;
  app.addHook("onRequest", async ({ raw }) => {
    if (mayLackHeaders(raw)) throw new HttpError(431, TOO_MANY_HEADERS, { connection: "close" });
  });
}
