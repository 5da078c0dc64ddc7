import type { FastifyInstance } from "fastify";
import { BaseError } from "../../lib/error.ts";

/** Time for the last bytes of an answer to leave before its connection is cut. */
const LAST_BYTES_MS = 100;

/**
 * On close: running requests get so long to finish, new ones are refused, then connections are cut. Those
 * that browsers hold open without asking anything are not waited for.
 */
export function stopGracefully(app: FastifyInstance, graceMs: number): void {
  let stopping = false;
  let running = 0;
  let cut: NodeJS.Timeout | undefined;
  const cutAfter = (ms: number) => {
    clearTimeout(cut);
    cut = setTimeout(() => app.server.closeAllConnections(), ms);
  };
  app.addHook("onRequest", async (_request, reply) => {
    if (stopping) throw new Stopping();
    running++;
    reply.raw.once("close", () => {
      running--;
      if (stopping && running === 0) cutAfter(LAST_BYTES_MS);
    });
  });
  // A connection that is kept alive would keep the server from closing.
  app.addHook("onSend", async (_request, reply) => {
    if (stopping) reply.header("connection", "close");
  });
  app.addHook("preClose", async () => {
    stopping = true;
    cutAfter(running === 0 ? LAST_BYTES_MS : graceMs);
  });
  app.addHook("onClose", async () => clearTimeout(cut));
}

class Stopping extends BaseError {
  constructor() {
    super("not-ready", "The service is stopping. Try again in a moment.", { retryable: true });
  }
}
