import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { ageText } from "../terminal/duration.ts";
import { ProgressLine } from "../terminal/progress-line.ts";

interface CopyProgress {
  date: string;
  table?: string;
  doneRows: number;
  totalRows: number;
}

/** Shows the progress of `quarry export` and `quarry import` on standard error, with rate and time left. */
export class ProgressView extends ProgressLine {
  readonly #rate = new CopyRate();

  update({ date, table, doneRows, totalRows }: CopyProgress): void {
    const share = totalRows === 0 ? 1 : doneRows / totalRows;
    const place = table === undefined ? date : `${date} ${table}`;
    const rate = this.#rate.text({ doneRows, totalRows });
    this.show(share, `${place} | ${doneRows} of ${totalRows} rows${rate}`);
  }
}

/** Measures the rate at which rows are copied, from the first call on. */
export class CopyRate {
  readonly #clock: Clock;
  #begun: { ms: number; rows: number } | null = null;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Returns the rate and the time left, such as ` | 52000 rows/s | 3m 10s left`; empty if unknown. */
  text({ doneRows, totalRows }: { doneRows: number; totalRows: number }): string {
    // An earlier run may have copied some of the rows.
    this.#begun ??= { ms: this.#clock.monotonic(), rows: doneRows };
    const seconds = (this.#clock.monotonic() - this.#begun.ms) / 1000;
    const copied = doneRows - this.#begun.rows;
    if (copied <= 0 || seconds <= 0) return "";
    const perSecond = copied / seconds;
    return ` | ${Math.round(perSecond)} rows/s | ${ageText((totalRows - doneRows) / perSecond)} left`;
  }
}
