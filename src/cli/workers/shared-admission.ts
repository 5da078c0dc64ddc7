import type { AdmissionQueue } from "../../api/admission/fair-queue.ts";
import { ClientClosed } from "../../api/admission/fair-queue.ts";
import { onAbort } from "../../lib/async/abort.ts";
import { BaseError } from "../../lib/error.ts";
import { sentError } from "../../lib/sent-error.ts";
import type { FromWorker, QueryEnd, WorkerLink } from "./messages.ts";

/** A query that waits or runs in a worker. */
interface Admitted {
  left: AbortController;
  /** Frees the query's slot, if it has one, because its run in the worker has ended. */
  end(end: QueryEnd): void;
}

type Entering = Extract<FromWorker, { kind: "enter" }>;

/**
 * Admits the queries of all workers through one queue in the primary process, so that its limits and its
 * fairness hold for the service as a whole. A share for each worker would not work, because two long queries
 * cannot be divided among four workers.
 */
export function admitQueries(link: WorkerLink, queue: AdmissionQueue): void {
  const queries = new Map<number, Admitted>();
  link.onMessage((message) => {
    if (message.kind === "enter") void admit(message);
    else if (message.kind === "leave") queries.get(message.id)?.left.abort(new ClientClosed());
    else if (message.kind === "left") queries.get(message.id)?.end(message.end);
  });
  link.onClose(() => {
    for (const query of queries.values()) {
      query.left.abort(new ClientClosed());
      query.end("failed");
    }
  });

  async function admit({ id, client, work: kind, stopsLate }: Entering): Promise<void> {
    const query: Admitted = { left: new AbortController(), end: () => {} };
    queries.set(id, query);
    try {
      const caller = { client, kind, stopsLate, signal: query.left.signal };
      await queue.run(caller, (stop) => runInWorker(id, query, stop));
    } catch (error) {
      if (error instanceof FailedInWorker || query.left.signal.aborted) return;
      const reason = error instanceof BaseError ? error : new QueueFailed(error);
      link.send({ kind: "reject", id, error: sentError(reason) });
    } finally {
      queries.delete(id);
    }
  }

  /** Holds the slot until the worker reports the end of the query. */
  async function runInWorker(id: number, query: Admitted, stop: AbortSignal): Promise<void> {
    link.send({ kind: "run", id });
    const removeListener = onAbort(stop, () => link.send({ kind: "preempt", id }));
    const end = await new Promise<QueryEnd>((resolve) => {
      query.end = resolve;
    });
    removeListener();
    if (end === "preempted") throw stop.reason;
    if (end === "failed") throw new FailedInWorker();
  }
}

/**
 * Sent to the worker when the queue fails, because its query would otherwise never end. The worker logs the
 * cause.
 */
class QueueFailed extends BaseError {
  constructor(cause: unknown) {
    super("internal", "the queue of the primary process failed", { cause });
  }
}

/**
 * Reports to the queue that a run has failed, so that the queue does not conclude from it that requests of
 * this kind are quick. The worker has the real error.
 */
class FailedInWorker extends BaseError {
  constructor() {
    super("internal", "the query failed in its worker");
  }
}
