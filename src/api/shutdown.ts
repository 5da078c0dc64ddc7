import type { FastifyInstance } from "fastify";
import { BaseError } from "../lib/error.ts";

/** On close: running requests get so long to finish, new ones are refused, then connections are cut. */
export function stopGracefully(app: FastifyInstance, graceMs: number): void {
  let stopping = false;
  let cut: NodeJS.Timeout | undefined;
  app.addHook("onRequest", async () => {
    if (stopping) throw new Stopping();
  });
  // A connection that is kept alive would keep the server from closing.
  app.addHook("onSend", async (_request, reply) => {
    if (stopping) reply.header("connection", "close");
  });
  app.addHook("preClose", async () => {
    stopping = true;
    cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
  });
  app.addHook("onClose", async () => clearTimeout(cut));
}

class Stopping extends BaseError {
  constructor() {
    super("not-ready", "The service is stopping. Try again in a moment.", { retryable: true });
  }
}
