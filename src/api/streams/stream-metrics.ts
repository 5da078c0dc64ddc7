import { Counter, type Histogram, type Registry } from "prom-client";
import { AGE_BOUNDS } from "../../lib/ages/age-bounds.ts";
import { blockAges } from "../../lib/ages/block-ages.ts";
import { RecentValues, type Summary } from "../../lib/ages/recent-values.ts";
import type { Clock } from "../../lib/async/clock.ts";
import { counter, gauge } from "../../lib/figures.ts";
import type { Commit } from "../../storage/store.ts";
import type { Frame } from "../../streams/frame.ts";
import type { Transport } from "./sink.ts";

/**
 * Maximum age of a block whose age is measured. If the newest block is older, the index is still catching up.
 */
const MAX_HEAD_AGE_SECONDS = 120;

/** The figures that streams report to /metrics. */
export class StreamFigures {
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #frames: Counter;
  readonly #ages: Histogram<"chain" | "stage">;
  readonly #recent = new Map<string, RecentValues>();
  #cut = 0;

  constructor(registry: Registry, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
    this.#frames = new Counter({
      name: "quarry_stream_frames_total",
      help: "Frames sent to clients of /v1/stream and to webhooks, by kind",
      labelNames: ["transport", "event"],
      registers: [registry],
    });
    this.#ages = blockAges(registry);
  }

  /** @param bufferedBytes bytes of frames that clients have not received yet */
  measure(open: () => number, bufferedBytes: () => number): void {
    gauge(
      this.#registry,
      { name: "quarry_streams", help: "Open streams, including those of webhooks; at most --streams" },
      open,
    );
    const buffered = {
      name: "quarry_stream_buffer_bytes",
      help: "Size of the frames that clients of streams have not received yet; at most --stream-memory",
    };
    gauge(this.#registry, buffered, bufferedBytes);
    const cut = {
      name: "quarry_streams_cut_total",
      help: "Streams whose connection was cut because unread frames took all of --stream-memory",
    };
    counter(this.#registry, cut, () => this.#cut);
  }

  /** Counts a stream that was cut off because slow clients used up the memory. */
  countCut(): void {
    this.#cut++;
  }

  onFrame(transport: Transport): (frame: Frame) => void {
    return ({ event }) => this.#frames.inc({ transport, event });
  }

  onSent(chain: string): (commit: Commit) => void {
    return ({ timestamp }) => {
      const age = Math.max(0, this.#clock.now() / 1000 - timestamp);
      if (age > MAX_HEAD_AGE_SECONDS) return;
      this.#ages.observe({ chain, stage: "sent" }, age);
      const recent = this.#recent.get(chain) ?? new RecentValues(AGE_BOUNDS);
      this.#recent.set(chain, recent);
      recent.add(age);
    };
  }

  /**
   * Returns the ages of a chain's newest blocks, in seconds, when their frames were sent; null if there are
   * none.
   */
  sentAges(chain: string): Summary | null {
    return this.#recent.get(chain)?.summary() ?? null;
  }
}
