import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { HttpError } from "../../errors/errors.ts";

/** Maximum number of names and values of headers that Node keeps; it drops further ones. */
const MAX_NAMES_AND_VALUES = 2_000;

export const TOO_MANY_HEADERS = `The request has too many headers: at most ${MAX_NAMES_AND_VALUES / 2 - 1} are allowed.`;

/** Returns whether Node may have dropped some of a request's headers. */
export function mayLackHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length >= MAX_NAMES_AND_VALUES;
}

/**
 * Rejects requests from which Node may have dropped headers. Proxies add their headers at the end, so a
 * client that sends too many headers could cut off the proxy's X-Forwarded-For, and claim any address in its
 * own.
 */
export function refuseTooManyHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ raw }) => {
    if (mayLackHeaders(raw)) throw new HttpError(431, TOO_MANY_HEADERS);
  });
}
