import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Registry } from "prom-client";
import { unlessAborted, withAbort } from "../../lib/async/abort.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { gauge } from "../../lib/figures.ts";
import type { FairTurns } from "../../lib/queues/fair-turns.ts";
import { clientGroup } from "../access/client-address.ts";
import type { ApiLimits } from "../admission/limits.ts";
import { isRejection } from "../errors/errors.ts";
import { whileConnected } from "./while-connected.ts";

/** Maximum total bytes of the bodies of requests whose rejections are delayed. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

interface DelayOptions {
  limits: Pick<ApiLimits, "rejectionDelayMs" | "delayedRejections" | "bodyBytes">;
  clock: Clock;
  registry: Registry;
  turns: FairTurns;
}

/**
 * Delays the responses to rejected requests, because clients that repeat them immediately would keep the
 * event loop busy. Rejections beyond the limit are sent immediately, and close their connections.
 */
export function delayRejections(
  app: FastifyInstance,
  { limits, clock, registry, turns }: DelayOptions,
): void {
  const { rejectionDelayMs, delayedRejections, bodyBytes } = limits;
  const stopping = new AbortController();
  let delayed = 0;
  let delayedBytes = 0;
  app.addHook("preClose", async () => stopping.abort());
  app.addHook("onSend", async (request, reply) => {
    if (rejectionDelayMs === 0 || !isRejection(reply)) return;
    const bytes = bodyLength(request, bodyBytes);
    if (delayed >= delayedRejections || delayedBytes + bytes > MAX_BODY_BYTES) {
      reply.header("connection", "close");
      return;
    }
    delayed++;
    delayedBytes += bytes;
    await whileConnected(reply, (closed) =>
      withAbort([closed, stopping.signal], ({ signal }) =>
        unlessAborted(signal, () => clock.sleep(rejectionDelayMs, signal)),
      ),
    );
    // Without turns, the loop would send every rejection that is due before it handles new events.
    await turns.next(clientGroup(request), "rejection");
    delayed--;
    delayedBytes -= bytes;
  });
  const figure = {
    name: "quarry_http_delayed_rejections",
    help: "Rejected requests (429 or 503) whose response is delayed; at most --delayed-rejections",
  };
  gauge(registry, figure, () => delayed);
}

/**
 * Returns the length of a body that was read. A chunked body's length is unknown here, so it counts as the
 * maximum.
 */
function bodyLength({ body, headers }: FastifyRequest, mostBytes: number): number {
  if (body === undefined) return 0;
  return headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : mostBytes;
}
