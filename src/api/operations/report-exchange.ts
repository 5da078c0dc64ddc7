import type { Clock } from "../../lib/async/clock.ts";
import { sharedAndKept } from "../../lib/async/shared-while-running.ts";
import type { ProcessReport } from "./process-report.ts";

/** The report of one process of the service; `report` is null if the process does not respond in time. */
export interface CollectedReport {
  /** Name of the process: `service` if it is the only one, otherwise `primary` or `worker 1` and so on. */
  process: string;
  report: ProcessReport | null;
}

/** How a process gets the reports of all processes of the service. */
export interface ReportExchange {
  /** Sets the function that makes this process's report. Must be called before the first `collect`. */
  provide(report: () => Promise<ProcessReport>): void;
  collect(): Promise<CollectedReport[]>;
}

/** Time for which all requests share the same reports, because each report costs its process some work. */
export const REPORTS_KEPT_MS = 1_000;

/** Makes the exchange of a service that has only one process. */
export function onlyProcess(clock: Clock): ReportExchange {
  let own: (() => Promise<ProcessReport>) | null = null;
  return {
    provide(report) {
      own = report;
    },
    collect: sharedAndKept(async () => [{ process: "service", report: (await own?.()) ?? null }], {
      keepMs: REPORTS_KEPT_MS,
      clock,
    }),
  };
}
