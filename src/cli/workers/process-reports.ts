import type { ProcessReport } from "../../api/operations/process-report.ts";
import type { CollectedReport, ReportExchange } from "../../api/operations/report-exchange.ts";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import type { PrimaryLink, WorkerLink } from "./messages.ts";
import { PendingReplies } from "./pending-replies.ts";

/** A worker that is busy for longer than this is listed without a report. */
const REPORT_MS = 2_000;

type Report = () => Promise<ProcessReport>;

/** In the primary process: collects the reports of all processes whenever a worker wants them. */
export class ServiceReports {
  readonly #own: Report;
  readonly #clock: Clock;
  readonly #workers = new Map<number, ReportingWorker>();

  constructor(own: Report, clock: Clock = systemClock) {
    this.#own = own;
    this.#clock = clock;
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
    const workers = [...this.#workers].sort(([a], [b]) => a - b);
    const reports = await Promise.all([
      this.#own().then((report) => ({ process: "primary", report })),
      ...workers.map(async ([number, worker]) => ({
        process: `worker ${number}`,
        report: await worker.report(),
      })),
    ]);
    link.send({ kind: "collected", id, reports });
  }
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

  /** Returns null if it does not report in time. */
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
  readonly #replies = new PendingReplies<CollectedReport[]>();

  constructor(link: PrimaryLink) {
    this.#link = link;
    link.onMessage((message) => {
      if (message.kind === "collected") this.#replies.resolve(message.id, message.reports);
    });
  }

  provide(report: Report): void {
    this.#link.onMessage((message) => {
      if (message.kind !== "report") return;
      const { id } = message;
      void report().then((own) => this.#link.send({ kind: "reported", id, report: own }));
    });
  }

  collect(): Promise<CollectedReport[]> {
    return this.#replies.request((id) => this.#link.send({ kind: "collect", id }));
  }
}
