import type { FastifyInstance } from "fastify";
import type { Clock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { PendingResponses } from "../connections/pipelining/pending-responses.ts";

/** Time for the last bytes of an answer to be sent before its connection is closed. */
const LAST_BYTES_MS = 100;

/**
 * On close, rejects new requests and gives running ones `graceMs` to finish, then closes all connections.
 * Idle connections that browsers keep open do not delay this.
 */
export function stopGracefully(
  app: FastifyInstance,
  { pending, graceMs, clock }: { pending: PendingResponses; graceMs: number; clock: Clock },
): void {
  let stopping = false;
  let running = 0;
  let cancelCut = () => {};
  const cutAfter = (ms: number) => {
    cancelCut();
    cancelCut = clock.after(ms, () => {
      app.server.closeAllConnections();
      pending.destroyConnections();
      // The server does not track these connections, and a client may never complete the closing handshake.
      for (const socket of app.websocketServer.clients) socket.terminate();
    });
  };
  app.addHook("onRequest", async (_request, reply) => {
    if (stopping) throw new Stopping();
    running++;
    reply.raw.once("close", () => {
      running--;
      if (stopping && running === 0) cutAfter(LAST_BYTES_MS);
    });
  });
  // A kept-alive connection would keep the server from closing.
  app.addHook("onSend", async (_request, reply) => {
    if (stopping) reply.header("connection", "close");
  });
  app.addHook("preClose", async () => {
    stopping = true;
    cutAfter(running === 0 ? LAST_BYTES_MS : graceMs);
  });
}

class Stopping extends BaseError {
  constructor() {
    super("not-ready", "The service is stopping. Try again in a moment.", { retryable: true });
  }
}
