import type { ProcessReport } from "../../api/operations/process-report.ts";
import {
  type CollectedReport,
  REPORTS_KEPT_MS,
  type ReportExchange,
} from "../../api/operations/report-exchange.ts";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { sharedAndKept } from "../../lib/async/shared-while-running.ts";
import { BaseError } from "../../lib/error.ts";
import type { PrimaryLink, WorkerLink } from "./messages.ts";
import { PendingReplies } from "./pending-replies.ts";

/** A worker that is busy for longer than this is listed without a report. */
const REPORT_MS = 2_000;

/** Maximum time for which a worker waits for all reports. It is longer than the time for a single report. */
const COLLECT_MS = 3_000;

type Report = () => Promise<ProcessReport>;

/** In the primary process: collects the reports of all processes whenever a worker requests them. */
export class ServiceReports {
  readonly #own: Report;
  readonly #clock: Clock;
  readonly #collect: () => Promise<CollectedReport[]>;
  readonly #workers = new Map<number, ReportingWorker>();

  constructor(own: Report, clock: Clock = systemClock) {
    this.#own = own;
    this.#clock = clock;
    this.#collect = sharedAndKept(() => this.#collectAll(), { keepMs: REPORTS_KEPT_MS, clock });
  }

  /** Includes a worker as soon as it listens. @param number from 1 */
  add(link: WorkerLink, number: number): void {
    const worker = new ReportingWorker(link, this.#clock);
    link.onMessage((message) => {
      if (message.kind === "listening") this.#workers.set(number, worker);
      if (message.kind === "collect") void this.#send(link, message.id);
    });
    link.onClose(() => {
      if (this.#workers.get(number) === worker) this.#workers.delete(number);
    });
  }

  async #send(link: WorkerLink, id: number): Promise<void> {
    link.send({ kind: "collected", id, reports: await this.#collect() });
  }

  #collectAll(): Promise<CollectedReport[]> {
    const workers = [...this.#workers].sort(([a], [b]) => a - b);
    return Promise.all([
      unlessFailed(this.#own).then((report) => ({ process: "primary", report })),
      ...workers.map(async ([number, worker]) => ({
        process: `worker ${number}`,
        report: await worker.report(),
      })),
    ]);
  }
}

/** Returns a report; null if it fails, because the other reports are still useful. */
function unlessFailed(report: Report): Promise<ProcessReport | null> {
  return report().catch(() => null);
}

class ReportingWorker {
  readonly #link: WorkerLink;
  readonly #replies: PendingReplies<ProcessReport | null>;

  constructor(link: WorkerLink, clock: Clock) {
    this.#link = link;
    this.#replies = new PendingReplies(clock);
    link.onMessage((message) => {
      if (message.kind === "reported") this.#replies.resolve(message.id, message.report);
    });
    link.onClose(() => this.#replies.resolveAll(null));
  }

  /** Returns the worker's report; null if the worker does not send it in time. */
  report(): Promise<ProcessReport | null> {
    return this.#replies.requestWithin(
      REPORT_MS,
      (id) => this.#link.send({ kind: "report", id }),
      () => null,
    );
  }
}

/** In a worker: gets the reports of all processes from the primary process. */
export class WorkerReports implements ReportExchange {
  readonly #link: PrimaryLink;
  readonly #replies: PendingReplies<CollectedReport[] | null>;

  constructor(link: PrimaryLink, clock: Clock = systemClock) {
    this.#link = link;
    this.#replies = new PendingReplies(clock);
    link.onMessage((message) => {
      if (message.kind === "collected") this.#replies.resolve(message.id, message.reports);
    });
  }

  provide(report: Report): void {
    this.#link.onMessage((message) => {
      if (message.kind !== "report") return;
      const { id } = message;
      void unlessFailed(report).then((own) => this.#link.send({ kind: "reported", id, report: own }));
    });
  }

  /** @throws ReportsMissing if the primary process does not reply in time */
  async collect(): Promise<CollectedReport[]> {
    const reports = await this.#replies.requestWithin(
      COLLECT_MS,
      (id) => this.#link.send({ kind: "collect", id }),
      () => null,
    );
    if (reports === null) throw new ReportsMissing();
    return reports;
  }
}

class ReportsMissing extends BaseError {
  constructor() {
    super("unavailable", "The service is too busy to report what it is doing. Try again in a moment.", {
      retryable: true,
    });
  }
}
