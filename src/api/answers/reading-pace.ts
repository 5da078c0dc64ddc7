import type { FastifyInstance, FastifyReply } from "fastify";
import { Counter, type Registry } from "prom-client";
import type { Clock } from "../../lib/async/clock.ts";
import type { ApiLimits } from "../admission/limits.ts";
import { BufferedAnswer } from "./buffered-answer.ts";

interface PaceOptions {
  limits: Pick<ApiLimits, "readingBytesPerSecond" | "readingWindowMs" | "readingSeconds">;
  clock: Clock;
  metrics: Registry;
}

/**
 * Disconnects clients that read a buffered answer more slowly than allowed, on average over a window, because
 * an unread answer takes memory and disk. The larger it is, the faster it must be read.
 */
export function requireReading(app: FastifyInstance, options: PaceOptions): void {
  const slow = new Counter({
    name: "quarry_http_slow_readers_total",
    help: "Clients disconnected because they read a response more slowly than --reading-rate",
    registers: [options.metrics],
  });
  if (options.limits.readingBytesPerSecond === 0) return;
  app.addHook("onSend", async (request, reply, payload) => {
    if (!(payload instanceof BufferedAnswer)) return payload;
    watchReading(payload, reply, {
      ...options,
      onSlow: () => {
        slow.inc();
        request.log.warn({ bytes: payload.bytes }, "disconnecting a client that does not read its response");
      },
    });
    return payload;
  });
}

function watchReading(
  answer: BufferedAnswer,
  reply: FastifyReply,
  { limits, clock, onSlow }: PaceOptions & { onSlow(): void },
): void {
  const leastPerSecond = Math.max(limits.readingBytesPerSecond, answer.bytes / limits.readingSeconds);
  const leastBytes = (leastPerSecond * limits.readingWindowMs) / 1000;
  let read = answer.bytesRead;
  let cancel = () => {};
  const look = () => {
    // A response queued after another one on the same connection.
    const isWaiting = reply.raw.socket === null;
    if (!isWaiting && answer.bytesRead - read < leastBytes) {
      onSlow();
      answer.destroy();
      reply.raw.destroy();
      return;
    }
    read = answer.bytesRead;
    cancel = clock.after(limits.readingWindowMs, look);
  };
  cancel = clock.after(limits.readingWindowMs, look);
  answer.once("close", () => cancel());
}
