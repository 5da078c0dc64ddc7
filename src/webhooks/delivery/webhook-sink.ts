import type { Sink } from "../../api/streams/sink.ts";
import type { Frame } from "../../streams/frame.ts";

/** Memory of a frame in addition to its data, in bytes. */
const FRAME_BYTES = 200;

/** A stream's sink that is not a connection: frames wait here until they are delivered. */
export class WebhookSink implements Sink, AsyncIterable<Frame> {
  readonly transport = "webhook";
  readonly #maxBytes: number;
  #frames: Frame[] = [];
  #bytes = 0;
  #isClosed = false;
  readonly #onClose: (() => void)[] = [];
  #wakeReader: () => void = () => {};
  #wakeWriter: () => void = () => {};

  /** @param maxBytes maximum total size of waiting frames */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** True if no further frames will arrive. Frames that are already waiting can still be read. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  get bufferedBytes(): number {
    return this.#bytes;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Frame> {
    for (;;) {
      const frame = this.#frames.shift();
      if (frame !== undefined) {
        this.#bytes -= sizeOf(frame);
        if (this.#bytes <= this.#maxBytes / 2) this.#wakeWriter();
        yield frame;
      } else if (this.#isClosed) return;
      else
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
    }
  }

  send(frame: Frame): void {
    this.#frames.push(frame);
    this.#bytes += sizeOf(frame);
    this.#wakeReader();
  }

  beat(): void {}

  async drained(): Promise<void> {
    if (this.#isClosed || this.#bytes <= this.#maxBytes / 2) return;
    await new Promise<void>((resolve) => {
      this.#wakeWriter = resolve;
    });
  }

  end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const closed of this.#onClose) closed();
    this.#wakeReader();
    this.#wakeWriter();
  }

  destroy(): void {
    this.#frames = [];
    this.#bytes = 0;
    this.end();
  }

  onClose(closed: () => void): void {
    if (this.#isClosed) closed();
    else this.#onClose.push(closed);
  }
}

function sizeOf({ data }: Frame): number {
  return data.length + FRAME_BYTES;
}
