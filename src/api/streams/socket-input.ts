import type { Socket } from "node:net";
import type { Clock } from "../../lib/async/clock.ts";
import { DEFAULT_LIMITS } from "../admission/limits.ts";
import type { BodyShare } from "../bodies/body-memory.ts";
import { HttpError } from "../errors/errors.ts";

/** Maximum bytes of the message with the subscriptions: as many as a body may have. */
export const MAX_MESSAGE_BYTES = DEFAULT_LIMITS.bodyBytes;

/** Maximum bytes of the frames around that message, and of control frames before it ends. */
const FRAMING_BYTES = 64 * 1024;

/**
 * Maximum bytes that a client may send in each window of `WINDOW_MS` after that message. The client need not
 * send anything but control frames: one in response to each ping of the service, and its own pings.
 */
export const LATER_BYTES = 16 * 1024;
const WINDOW_MS = 15_000;

interface InputOptions {
  /** Counts the memory of an incomplete message. */
  share: BodyShare;
  clock: Clock;
  /** Called once, when the client has sent too much. */
  onExcess(error: Error): void;
}

/** Limits the data that a client sends over a WebSocket. */
export class SocketInput {
  readonly #options: InputOptions;
  readonly #stop: () => void;
  #bytes = 0;
  /** End of the window in which bytes are counted; null until the subscriptions have arrived. */
  #endsAtMs: number | null = null;

  constructor(connection: Socket, options: InputOptions) {
    this.#options = options;
    const onData = ({ length }: Buffer) => this.#add(length);
    const onClose = () => options.share.release();
    connection.on("data", onData).once("close", onClose);
    this.#stop = () => connection.off("data", onData);
  }

  /** Called when the subscriptions have arrived. */
  complete(): void {
    const { share, clock } = this.#options;
    share.release();
    this.#bytes = 0;
    this.#endsAtMs = clock.monotonic() + WINDOW_MS;
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    try {
      if (this.#endsAtMs === null) this.#requireRoom();
      else this.#requireFew(bytes, this.#endsAtMs);
    } catch (error) {
      this.#stop();
      this.#options.share.release();
      this.#options.onExcess(error as Error);
    }
  }

  /** @throws HttpError, ClientOverload, ServiceOverload */
  #requireRoom(): void {
    if (this.#bytes > MAX_MESSAGE_BYTES + FRAMING_BYTES)
      throw new HttpError(413, `The first message is larger than the allowed ${MAX_MESSAGE_BYTES} bytes.`);
    this.#options.share.grow(this.#bytes);
  }

  /** @throws HttpError */
  #requireFew(bytes: number, endsAtMs: number): void {
    const now = this.#options.clock.monotonic();
    if (now >= endsAtMs) {
      this.#bytes = bytes;
      this.#endsAtMs = now + WINDOW_MS;
    }
    if (this.#bytes <= LATER_BYTES) return;
    throw new HttpError(
      400,
      `A stream takes no further messages: after its subscriptions, the client may send at most ${LATER_BYTES} bytes in ${WINDOW_MS / 1000} s.`,
    );
  }
}
