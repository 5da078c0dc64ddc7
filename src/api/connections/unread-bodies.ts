import type { FastifyInstance } from "fastify";

/**
 * Maximum bytes of a rejected body that are received; most clients stop sending when they see the response.
 */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024;

/**
 * Receives and drops the rest of a body that was rejected. Closing the connection instead would reset it, and
 * a client that is still sending would never see the response.
 */
export function dropUnreadBodies(app: FastifyInstance): void {
  app.addHook("onSend", async ({ raw }, reply) => {
    if (reply.statusCode < 400 || raw.complete || raw.socket === undefined) return;
    reply.removeHeader("connection");
    let bytes = 0;
    raw.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_DROPPED_BYTES) raw.destroy();
    });
  });
}
