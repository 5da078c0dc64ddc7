import type { Frame } from "../../../streams/frame.ts";
import type { Sink } from "../sink.ts";

/** The connection of a client that reads only when the test requests it. */
export class UnreadSink implements Sink {
  readonly transport = "sse";
  readonly events: string[] = [];
  /** The data of the newest frame, as text. */
  data = "";
  #bytes = 0;
  #isClosed = false;
  readonly #closed: (() => void)[] = [];
  #isRead: () => void = () => {};

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get bufferedBytes(): number {
    return this.#bytes;
  }

  send(frame: Frame): void {
    this.events.push(frame.event);
    this.data = frame.data;
    for (const { length } of frame.sse) this.#bytes += length;
  }

  beat(): void {}

  drained(): Promise<void> {
    if (this.#bytes === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#isRead = resolve;
    });
  }

  /** Takes everything that was sent. */
  read(): void {
    this.#bytes = 0;
    this.#isRead();
  }

  end(): void {}

  destroy(): void {
    this.#isClosed = true;
    this.read();
    for (const closed of this.#closed) closed();
  }

  onClose(closed: () => void): void {
    this.#closed.push(closed);
  }
}
