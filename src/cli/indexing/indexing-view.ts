import type { ExtensionProgress } from "../../ingest/extension/extension.ts";
import type { Progress } from "../../ingest/state/progress.ts";
import { systemClock } from "../../lib/async/clock.ts";
import { ageText } from "../terminal/duration.ts";
import { type LiveLine, openLiveLine } from "../terminal/live-line.ts";
import { barText } from "../terminal/screen.ts";
import { figuresText, type LiveFigures } from "./live-figures.ts";

/** Without a terminal: how often the progress of a backfill and the figures of a service are logged. */
const LOG_PROGRESS_MS = 5_000;
const LOG_FIGURES_MS = 30_000;
/** On a terminal: how often the line changes. */
const REFRESH_MS = 1_000;
/** A service that is at most this many blocks behind is following the head, not backfilling. */
const FOLLOWING_BLOCKS = 50;

interface IndexingViewOptions {
  /** The live line appears on this stream if it is a terminal. */
  stream?: NodeJS.WriteStream;
  /** Called with a line at intervals if the stream is not a terminal. */
  log(fields: object, text: string): void;
}

/** Shows what an indexing process does: in a live line on a terminal, otherwise in log lines at intervals. */
export class IndexingView {
  readonly live: LiveLine | null;
  readonly #stream: NodeJS.WriteStream;
  readonly #log: IndexingViewOptions["log"];
  #loggedMs = Number.NEGATIVE_INFINITY;
  #isAtEnd = false;
  #progress: Progress | null = null;
  #extension: ExtensionProgress | null = null;
  #extensionLoggedMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor({ stream = process.stderr, log }: IndexingViewOptions) {
    this.live = openLiveLine(stream);
    this.#stream = stream;
    this.#log = log;
  }

  /** Must be called after each commit. */
  update(progress: Progress): void {
    this.#progress = progress;
    if (this.live !== null && this.#timer === undefined) this.#showLive(progressText(progress));
    if (this.live === null) this.#logProgress(progress);
  }

  /**
   * Must be called after each commit of an extension to earlier blocks, and with null when the extension
   * ends.
   */
  updateExtension(progress: ExtensionProgress | null): void {
    this.#extension = progress;
    if (progress === null) return;
    if (this.live === null) this.#logExtension(progress);
    else if (this.#timer === undefined) {
      const own = this.#progress === null ? "" : progressText(this.#progress);
      this.#showLive(own);
    }
  }

  /**
   * Shows the figures of a service from now on. On a terminal, the progress of a backfill replaces them until
   * the service has caught up.
   */
  follow(figures: Pick<LiveFigures, "read">): void {
    // The log reports a store that does not respond; the next refresh may succeed.
    const refresh = () => void this.#show(figures).catch(() => {});
    this.#timer = setInterval(refresh, this.live === null ? LOG_FIGURES_MS : REFRESH_MS).unref();
    refresh();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    if (this.live === null) return;
    this.live.stop();
    // The final progress of a backfill stays on the screen.
    if (this.#timer === undefined && this.#progress !== null)
      this.#stream.write(`${progressText(this.#progress)}\n`);
  }

  async #show(figures: Pick<LiveFigures, "read">): Promise<void> {
    const read = await figures.read();
    if (this.#isStopped) return;
    const isFollowing = (read.lag ?? 0) <= FOLLOWING_BLOCKS;
    if (this.live === null) this.#log(read, figuresText(read));
    else if (isFollowing || this.#progress === null) this.#showLive(figuresText(read));
    else this.#showLive(progressText(this.#progress));
  }

  /** Shows a line, followed by the progress of the extension. */
  #showLive(line: string): void {
    if (this.#isStopped) return;
    const parts = [line, ...(this.#extension === null ? [] : [extensionText(this.#extension)])];
    this.live?.show(parts.filter((part) => part !== "").join(" · "));
  }

  #logExtension(progress: ExtensionProgress): void {
    if (systemClock.monotonic() - this.#extensionLoggedMs < LOG_FIGURES_MS) return;
    this.#extensionLoggedMs = systemClock.monotonic();
    const { from, block, target, etaSeconds } = progress;
    this.#log({ from, block, target, eta: etaText(etaSeconds) }, extensionText(progress));
  }

  #logProgress(progress: Progress): void {
    const wasAtEnd = this.#isAtEnd;
    this.#isAtEnd = progress.block === progress.target;
    const pauseMs = this.#isAtEnd && wasAtEnd ? LOG_FIGURES_MS : LOG_PROGRESS_MS;
    const justReachedEnd = this.#isAtEnd && !wasAtEnd;
    if (!justReachedEnd && systemClock.monotonic() - this.#loggedMs < pauseMs) return;
    this.#loggedMs = systemClock.monotonic();
    const { block, target, etaSeconds } = progress;
    this.#log(
      { block, target, eta: etaText(etaSeconds) },
      `indexed to block ${block} (${ratesText(progress)})`,
    );
  }
}

function progressText(progress: Progress): string {
  const { block, from, target, etaSeconds } = progress;
  const share = (block - from + 1) / (target - from + 1);
  return `indexing ${barText(share)} | block ${block} of ${target} | ${ratesText(progress)} | ETA ${etaText(etaSeconds)}`;
}

/** Formats the progress of the extension: `extending to block 5: 43 %, 12.0 blocks/s, ETA 2 h`. */
export function extensionText({
  from,
  block,
  target,
  blocksPerSecond,
  etaSeconds,
}: Pick<ExtensionProgress, "from" | "block" | "target" | "blocksPerSecond" | "etaSeconds">): string {
  const share = block === null ? 0 : (block - from + 1) / Math.max(1, target - from + 1);
  return `extending to block ${from}: ${Math.floor(100 * share)} %, ${blocksPerSecond.toFixed(1)} blocks/s, ETA ${etaText(etaSeconds)}`;
}

function ratesText({ blocksPerSecond, logsPerSecond }: Progress): string {
  return `${blocksPerSecond.toFixed(1)} blocks/s, ${Math.round(logsPerSecond)} logs/s`;
}

function etaText(seconds: number | null): string {
  return seconds === null ? "unknown" : ageText(seconds);
}
