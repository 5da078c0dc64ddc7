import { systemClock } from "../../lib/async/clock.ts";
import { type LiveLine, openLiveLine } from "../terminal/live-line.ts";
import { barText } from "../terminal/screen.ts";

interface CopyProgress {
  date: string;
  table?: string;
  doneRows: number;
  totalRows: number;
}

/** How often a line is printed if the output is not a terminal. */
const PRINT_MS = 5_000;

/** Shows the progress of `quarry export` and `quarry import` on standard error. */
export class ProgressView {
  readonly #step: string;
  readonly #stream: NodeJS.WriteStream;
  readonly #live: LiveLine | null;
  #printedMs = systemClock.monotonic();

  constructor(step: string, stream: NodeJS.WriteStream = process.stderr) {
    this.#step = step;
    this.#stream = stream;
    this.#live = openLiveLine(stream);
  }

  update({ date, table, doneRows, totalRows }: CopyProgress): void {
    const share = totalRows === 0 ? 1 : doneRows / totalRows;
    const place = table === undefined ? date : `${date} ${table}`;
    const text = `${this.#step} ${barText(share)} | ${place} | ${doneRows} of ${totalRows} rows`;
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
