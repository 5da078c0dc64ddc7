import type { FastifyReply } from "fastify";
import { ClientClosed } from "../admission/fair-queue.ts";

/**
 * Calls `run` with a signal that aborts when the client disconnects. Listens to the reply, because the
 * `close` event of a request only marks the end of its body. Stops listening when `run` ends, because sending
 * a response takes almost all of the ten listeners that Node allows without a warning.
 */
export async function whileConnected<T>(
  { raw }: FastifyReply,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const onClose = () => {
    if (!raw.writableFinished) controller.abort(new ClientClosed());
  };
  if (raw.closed || raw.destroyed) onClose();
  raw.once("close", onClose);
  try {
    return await run(controller.signal);
  } finally {
    raw.off("close", onClose);
  }
}
