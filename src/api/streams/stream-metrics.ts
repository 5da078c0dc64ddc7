import { Counter, Histogram, type Registry } from "prom-client";
import type { Clock } from "../../lib/async/clock.ts";
import { gauge } from "../../lib/figures.ts";
import type { Commit } from "../../storage/store.ts";
import type { Frame } from "../../streams/frame.ts";
import type { Transport } from "./sink.ts";

/** Upper bounds of the buckets, in seconds: from a fast chain's head to a node that lags by some blocks. */
const BLOCK_AGE_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 13, 30, 60];

/** An older block is not one at the head: the index is catching up. */
const MAX_HEAD_AGE_SECONDS = 120;

/** What streams report to /metrics. */
export class StreamFigures {
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #frames: Counter;
  readonly #age: Histogram;

  constructor(registry: Registry, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
    this.#frames = new Counter({
      name: "quarry_stream_frames_total",
      help: "Frames sent to clients of /v1/stream and to webhooks, by kind",
      labelNames: ["transport", "event"],
      registers: [registry],
    });
    this.#age = new Histogram({
      name: "quarry_block_age_at_frame_seconds",
      help: "Age of a block at the head, by its own timestamp, when its frames have been sent",
      labelNames: ["chain"],
      buckets: BLOCK_AGE_BUCKETS,
      registers: [registry],
    });
  }

  /** @param bufferedBytes what clients have not taken yet */
  measure(open: () => number, bufferedBytes: () => number): void {
    gauge(
      this.#registry,
      { name: "quarry_streams", help: "Open streams, also of webhooks; at most --streams" },
      open,
    );
    const buffered = {
      name: "quarry_stream_buffer_bytes",
      help: "Frames that clients of streams have not taken yet; at most --stream-memory",
    };
    gauge(this.#registry, buffered, bufferedBytes);
  }

  onFrame(transport: Transport): (frame: Frame) => void {
    return ({ event }) => this.#frames.inc({ transport, event });
  }

  onSent(chain: string): (commit: Commit) => void {
    return ({ timestamp }) => {
      const ageSeconds = this.#clock.now() / 1000 - timestamp;
      if (ageSeconds <= MAX_HEAD_AGE_SECONDS) this.#age.observe({ chain }, Math.max(0, ageSeconds));
    };
  }
}
