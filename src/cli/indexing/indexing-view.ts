import type { Progress } from "../../ingest/state/progress.ts";
import { figuresText, type LiveFigures } from "../serving/live-figures.ts";
import { ageText } from "../terminal/duration.ts";
import { type LiveLine, openLiveLine } from "../terminal/live-line.ts";
import { barText } from "../terminal/screen.ts";

/** Without a terminal: how often progress is told amid a backfill, and the figures of a service. */
const TELL_PROGRESS_MS = 5_000;
const TELL_FIGURES_MS = 30_000;
/** On a terminal: how often the line changes. */
const REFRESH_MS = 1_000;
/** So few blocks behind, a service follows: their progress is no backfill. */
const FOLLOWING_BLOCKS = 50;

interface ViewOptions {
  /** Where the line is, if that is a terminal. */
  stream?: NodeJS.WriteStream;
  /** Takes a line from time to time where it is none. */
  tell(fields: object, text: string): void;
}

/** Shows what an indexing process does: a line that changes on a terminal, a line from time to time elsewhere. */
export class IndexingView {
  readonly live: LiveLine | null;
  readonly #stream: NodeJS.WriteStream;
  readonly #tell: ViewOptions["tell"];
  #toldMs = 0;
  #isAtEnd = false;
  #progress: Progress | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor({ stream = process.stderr, tell }: ViewOptions) {
    this.live = openLiveLine(stream);
    this.#stream = stream;
    this.#tell = tell;
  }

  /** After each commit. */
  update(progress: Progress): void {
    this.#progress = progress;
    if (this.live !== null && this.#timer === undefined) this.live.show(progressText(progress));
    if (this.live === null) this.#tellProgress(progress);
  }

  /** From now on shows the figures of a service; a backfill's progress before them. */
  follow(figures: Pick<LiveFigures, "read">): void {
    // A store that does not answer is what the log tells of; the next look may succeed.
    const refresh = () => void this.#show(figures).catch(() => {});
    this.#timer = setInterval(refresh, this.live === null ? TELL_FIGURES_MS : REFRESH_MS).unref();
    refresh();
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    if (this.live === null) return;
    this.live.stop();
    // What a backfill came to stays on the screen.
    if (this.#timer === undefined && this.#progress !== null)
      this.#stream.write(`${progressText(this.#progress)}\n`);
  }

  async #show(figures: Pick<LiveFigures, "read">): Promise<void> {
    const read = await figures.read();
    if (this.#isStopped) return;
    const isFollowing = (read.lag ?? 0) <= FOLLOWING_BLOCKS;
    if (this.live === null) this.#tell(read, figuresText(read));
    else if (isFollowing || this.#progress === null) this.live.show(figuresText(read));
    else this.live.show(progressText(this.#progress));
  }

  #tellProgress(progress: Progress): void {
    const wasAtEnd = this.#isAtEnd;
    this.#isAtEnd = progress.block === progress.target;
    const pauseMs = this.#isAtEnd && wasAtEnd ? TELL_FIGURES_MS : TELL_PROGRESS_MS;
    const isNews = this.#isAtEnd && !wasAtEnd;
    if (!isNews && Date.now() - this.#toldMs < pauseMs) return;
    this.#toldMs = Date.now();
    const { block, target, etaSeconds } = progress;
    this.#tell(
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

function ratesText({ blocksPerSecond, logsPerSecond }: Progress): string {
  return `${blocksPerSecond.toFixed(1)} blocks/s, ${Math.round(logsPerSecond)} logs/s`;
}

function etaText(seconds: number | null): string {
  return seconds === null ? "unknown" : ageText(seconds);
}
