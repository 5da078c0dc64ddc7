import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { WebSocket } from "ws";
import type { Frame } from "../../streams/frame.ts";

/** The connection that a stream writes to. */
export interface Sink {
  readonly transport: Transport;
  readonly isClosed: boolean;
  /** Bytes that are buffered in this process because the client reads slowly. */
  readonly bufferedBytes: number;
  /**
   * Writes the frame to the connection immediately. Bytes that the connection does not accept yet are
   * buffered.
   */
  send(frame: Frame): void;
  /** Shows the client and proxies that the connection is alive. */
  beat(): void;
  /** Resolves when most of the buffer is sent, or the connection is closed. */
  drained(): Promise<void>;
  /** Closes the connection once everything sent so far has been written. */
  end(): void;
  /** Closes the connection immediately. */
  destroy(): void;
  onClose(closed: () => void): void;
}

/** How frames are delivered, by the names used in the metrics. */
export const TRANSPORTS = ["sse", "websocket", "webhook"] as const;

export type Transport = (typeof TRANSPORTS)[number];

/** Sends frames as server-sent events. */
export class EventSink implements Sink {
  readonly transport = "sse";
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get isClosed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  send(frame: Frame): void {
    this.#response.cork();
    for (const piece of frame.sse) this.#response.write(piece);
    this.#response.uncork();
    // Without this, Node would hold back the writes until the event loop's turn ends, and `bufferedBytes`
    // could not reveal a slow client yet.
    this.#response.socket?.uncork();
  }

  beat(): void {
    this.#response.write(":\n\n");
  }

  async drained(): Promise<void> {
    if (this.isClosed || !this.#response.writableNeedDrain) return;
    const settled = new AbortController();
    const { signal } = settled;
    const events = [once(this.#response, "drain", { signal }), once(this.#response, "close", { signal })];
    await Promise.race(events).catch(() => undefined);
    settled.abort();
    await Promise.allSettled(events);
  }

  end(): void {
    this.#response.end();
  }

  destroy(): void {
    this.#response.destroy();
  }

  onClose(closed: () => void): void {
    this.#response.once("close", closed);
  }
}

/** A WebSocket's buffer counts as drained at this size. It is polled at this interval. */
const DRAINED_BYTES = 64 * 1024;
const LOOK_MS = 20;

/** Status code for closing a WebSocket whose client should reconnect. */
export const TRY_AGAIN_LATER = 1013;

/** Sends frames as messages of a WebSocket. */
export class SocketSink implements Sink {
  readonly transport = "websocket";
  readonly #socket: WebSocket;
  readonly #sleep: (ms: number) => Promise<void>;

  constructor(socket: WebSocket, sleep: (ms: number) => Promise<void>) {
    this.#socket = socket;
    this.#sleep = sleep;
  }

  get isClosed(): boolean {
    return this.#socket.readyState !== this.#socket.OPEN;
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  send(frame: Frame): void {
    this.#socket.send(frame.message);
  }

  beat(): void {
    this.#socket.ping();
  }

  /** Polls the buffer, because a WebSocket has no drain event. */
  async drained(): Promise<void> {
    while (!this.isClosed && this.bufferedBytes > DRAINED_BYTES) await this.#sleep(LOOK_MS);
  }

  end(): void {
    this.#socket.close(TRY_AGAIN_LATER);
  }

  destroy(): void {
    this.#socket.terminate();
  }

  onClose(closed: () => void): void {
    this.#socket.once("close", closed);
  }
}
