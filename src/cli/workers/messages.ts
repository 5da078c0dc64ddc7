import type { MetricObjectWithValues, MetricValue } from "prom-client";
import type { ProcessReport } from "../../api/operations/process-report.ts";
import type { CollectedReport } from "../../api/operations/report-exchange.ts";
import type { SentError } from "../../lib/sent-error.ts";

/** The metrics of one process. */
export type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/**
 * Messages from the primary process to a worker. `id` identifies a request among all requests of the process
 * that sent it.
 */
export type ToWorker =
  | { kind: "start"; worker: number; options: unknown }
  | { kind: "stop" }
  /** Asks whether the worker responds. */
  | { kind: "ping" }
  /** Requests the worker's metrics. */
  | { kind: "measure"; id: number }
  | { kind: "summed"; id: number; sum: { text: string } | { error: SentError } }
  /** Requests a report of what the worker is doing. */
  | { kind: "report"; id: number }
  | { kind: "collected"; id: number; reports: CollectedReport[] }
  /** A query may run. */
  | { kind: "run"; id: number }
  /** A running query must stop. It then waits again. */
  | { kind: "preempt"; id: number }
  | { kind: "reject"; id: number; error: SentError };

/** Messages from a worker to the primary process. */
export type FromWorker =
  /** The worker's code is loaded; earlier messages to it are lost. */
  | { kind: "loaded" }
  | { kind: "listening"; url: string }
  | { kind: "failed"; error: SentError }
  | { kind: "pong" }
  | { kind: "measured"; id: number; metrics: Metrics }
  /** Requests the sum of all processes' metrics, as text. */
  | { kind: "sum"; id: number }
  | { kind: "reported"; id: number; report: ProcessReport | null }
  /** Requests the reports of all processes. */
  | { kind: "collect"; id: number }
  /** A query of a client waits to run. */
  | { kind: "enter"; id: number; client: string; work: string; stopsLate: boolean }
  /** The client of a query has disconnected, so the query must leave the queue and not enter it again. */
  | { kind: "leave"; id: number }
  /** A run of a query has ended. */
  | { kind: "left"; id: number; end: QueryEnd };

/** How a run of a query ended; a preempted query waits again. */
export type QueryEnd = "complete" | "failed" | "preempted";

/** A connection of one process to another. Nothing arrives after `onClose`. */
export interface Link<In, Out> {
  send(message: Out): void;
  onMessage(listener: (message: In) => void): void;
  onClose(listener: () => void): void;
}

export type WorkerLink = Link<FromWorker, ToWorker>;
export type PrimaryLink = Link<ToWorker, FromWorker>;

/** A link over an IPC channel of Node.js. Messages to a process that has ended are dropped. */
export function linkTo<In, Out>(channel: Channel, closeEvent: "exit" | "disconnect"): Link<In, Out> {
  return {
    send: (message) => {
      if (channel.connected) channel.send?.(message, undefined, undefined, () => {});
    },
    onMessage: (listener) => void channel.on("message", listener),
    onClose: (listener) => void channel.once(closeEvent, () => listener()),
  };
}

/** This process, or a child of it. */
type Channel = Pick<NodeJS.EventEmitter, "on" | "once"> & Pick<NodeJS.Process, "connected" | "send">;
