import { systemClock } from "../../lib/async/clock.ts";
import { type LiveLine, openLiveLine } from "./live-line.ts";
import { barText } from "./screen.ts";

/** How often a line is printed if the output is not a terminal. */
const PRINT_MS = 5_000;

/** Shows the progress of a long command on standard error. */
export class ProgressLine {
  readonly #step: string;
  readonly #stream: NodeJS.WriteStream;
  readonly #live: LiveLine | null;
  #printedMs = systemClock.monotonic();

  constructor(step: string, stream: NodeJS.WriteStream = process.stderr) {
    this.#step = step;
    this.#stream = stream;
    this.#live = openLiveLine(stream);
  }

  /** @param share from 0 to 1 */
  show(share: number, details: string): void {
    const text = `${this.#step} ${barText(share)} | ${details}`;
    this.#live?.show(text);
    if (this.#live !== null || systemClock.monotonic() - this.#printedMs < PRINT_MS) return;
    this.#printedMs = systemClock.monotonic();
    this.#stream.write(`quarry: ${text}\n`);
  }

  interrupted(): void {
    this.stop();
    this.#stream.write("quarry: stopped; run the same command again to continue\n");
  }

  stop(): void {
    this.#live?.stop();
  }
}
