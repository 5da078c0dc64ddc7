import type { FastifyInstance, FastifyReply } from "fastify";
import { Counter, type Registry } from "prom-client";
import type { Clock } from "../../../lib/async/clock.ts";
import { type ApiLimits, SMALL_ANSWER_BYTES } from "../../admission/limits.ts";
import { BufferedAnswer } from "./buffered-answer.ts";
import { SLOW_READERS } from "./slow-readers.ts";

interface PaceOptions {
  limits: Pick<ApiLimits, "readingBytesPerSecond" | "readingWindowMs" | "readingSeconds">;
  clock: Clock;
  metrics: Registry;
}

/** Maximum bytes of a streamed answer that are still in memory once all of it has left its buffer. */
const TAIL_BYTES = 1024 * 1024;

/**
 * Disconnects clients that read an answer more slowly than allowed, on average over a window, because an
 * unread answer takes memory and disk. The larger it is, the faster it must be read. If there is no disk space
 * left for the answers of others, the slowest clients are disconnected although they are fast enough
 * otherwise.
 */
export function requireReading(app: FastifyInstance, options: PaceOptions): void {
  const slow = new Counter({
    name: "quarry_http_slow_readers_total",
    help: "Clients disconnected because they read a response more slowly than --reading-rate",
    registers: [options.metrics],
  });
  if (options.limits.readingBytesPerSecond === 0) return;
  app.addHook("onSend", async (request, reply, payload) => {
    const answer = watchedAnswer(payload);
    if (answer === null) return payload;
    watchReading(answer, reply, {
      ...options,
      onSlow: () => {
        slow.inc();
        request.log.warn(
          { bytes: answer.bytes },
          "disconnecting a client that reads its response too slowly",
        );
      },
    });
    return payload;
  });
}

interface WatchedAnswer {
  bytes: number;
  /**
   * The answer while it is read from its buffer piece by piece; null if all of it was handed to the
   * connection.
   */
  buffer: BufferedAnswer | null;
}

function watchedAnswer(payload: unknown): WatchedAnswer | null {
  if (payload instanceof BufferedAnswer) return { bytes: payload.bytes, buffer: payload };
  if (!(payload instanceof Buffer) && typeof payload !== "string") return null;
  return payload.length < SMALL_ANSWER_BYTES ? null : { bytes: payload.length, buffer: null };
}

function watchReading(
  answer: WatchedAnswer,
  reply: FastifyReply,
  { limits, clock, onSlow }: PaceOptions & { onSlow(): void },
): void {
  const { raw: response } = reply;
  const leastPerSecond = Math.max(limits.readingBytesPerSecond, answer.bytes / limits.readingSeconds);
  const leastBytes = (leastPerSecond * limits.readingWindowMs) / 1000;
  const pace = new ReadingPace(answer, leastBytes);
  let cancel = () => {};
  // A response queued after another one on the same connection has no socket yet.
  let isSending = response.socket !== null;
  const look = () => {
    if (isSending && pace.isTooSlow()) {
      onSlow();
      answer.buffer?.destroy();
      response.destroy();
      return;
    }
    isSending = response.socket !== null;
    cancel = clock.after(limits.readingWindowMs, look);
  };
  cancel = clock.after(limits.readingWindowMs, look);
  const remove = answer.buffer?.isOnDisk ? letGiveWay(answer.buffer, reply) : () => {};
  response.once("close", () => {
    cancel();
    remove();
  });
}

/**
 * Lets an answer's client be disconnected if others need the disk space that the answer takes, until the
 * returned function is called.
 */
function letGiveWay(answer: BufferedAnswer, { raw: response, request }: FastifyReply): () => void {
  return SLOW_READERS.add({
    client: answer.client,
    sentBytes: () => answer.bytesRead,
    unsentBytes: () => answer.bytes - answer.bytesRead,
    async cut() {
      request.log.warn(
        { bytes: answer.bytes },
        "disconnecting a client that reads its response slowly, to make room for others",
      );
      response.destroy();
      await answer.discard();
    },
  });
}

/** Compares what a client has read since the last check with the minimum for a window. */
class ReadingPace {
  readonly #answer: WatchedAnswer;
  readonly #leastBytes: number;
  #bytesRead = 0;
  /** Number of further windows in which the client may read the part in the connection's own buffers. */
  #windowsLeft: number;

  constructor(answer: WatchedAnswer, leastBytes: number) {
    this.#answer = answer;
    this.#leastBytes = leastBytes;
    const inMemory = answer.buffer === null ? answer.bytes : Math.min(answer.bytes, TAIL_BYTES);
    this.#windowsLeft = Math.ceil(inMemory / leastBytes);
  }

  isTooSlow(): boolean {
    const { buffer } = this.#answer;
    if (buffer === null || buffer.destroyed) {
      this.#windowsLeft--;
      return this.#windowsLeft < 0;
    }
    const bytes = buffer.bytesRead - this.#bytesRead;
    this.#bytesRead = buffer.bytesRead;
    return bytes < this.#leastBytes;
  }
}
