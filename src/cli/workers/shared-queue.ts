import {
  type AdmissionQueue,
  type Caller,
  ClientClosed,
  type QueuedTask,
  TakenSlot,
} from "../../api/admission/fair-queue.ts";
import { onAbort, withAbort } from "../../lib/async/abort.ts";
import { BaseError } from "../../lib/error.ts";
import { ReceivedError } from "../../lib/sent-error.ts";
import { inThisSpan, traced } from "../../lib/tracing/tracing.ts";
import type { PrimaryLink, QueryEnd, ToWorker } from "./messages.ts";

interface Query {
  client: string;
  /** Runs the task once, and settles the query unless it was preempted. */
  run(preemption: AbortSignal): Promise<QueryEnd>;
  fail(error: unknown): void;
  /** Set while the query is running. */
  preemption: AbortController | null;
}

/** A worker's end of the admission queue. The primary process decides when each query may run. */
export class SharedQueue implements AdmissionQueue {
  readonly #link: PrimaryLink;
  readonly #queries = new Map<number, Query>();
  #lastId = 0;
  #rejected = 0;

  constructor(link: PrimaryLink) {
    this.#link = link;
    link.onMessage((message) => this.#receive(message));
  }

  get running(): number {
    return [...this.#queries.values()].filter(({ preemption }) => preemption !== null).length;
  }

  get waiting(): number {
    return this.#queries.size - this.running;
  }

  get clients(): number {
    return new Set([...this.#queries.values()].map(({ client }) => client)).size;
  }

  get rejected(): number {
    return this.#rejected;
  }

  run<T>({ client, kind: work, stopsLate = false, signal }: Caller, task: QueuedTask<T>): Promise<T> {
    if (signal.aborted) return Promise.reject(new ClientClosed());
    this.#lastId += 1;
    const id = this.#lastId;
    const inSpan = inThisSpan();
    const endWait = tracedWait();
    return new Promise((resolve, reject) => {
      const removeListener = onAbort(signal, () => this.#leave(id));
      const settle = (act: () => void) => {
        endWait();
        removeListener();
        this.#queries.delete(id);
        act();
      };
      const run = async (preemption: AbortSignal): Promise<QueryEnd> => {
        endWait();
        const slot = new TakenSlot(client);
        try {
          const result = await withAbort([signal, preemption], (stop) => task(stop.signal, slot));
          settle(() => resolve(result));
          return "complete";
        } catch (error) {
          if (preemption.aborted && !signal.aborted) return "preempted";
          settle(() => reject(error));
          return "failed";
        } finally {
          await new Promise<void>((leave) => slot.free(leave));
        }
      };
      const fail = (error: unknown) => settle(() => reject(error));
      // Messages from the primary process are not part of any request, so the run needs this request's span.
      const runInSpan = (preemption: AbortSignal) => inSpan(() => run(preemption));
      this.#queries.set(id, { client, run: runInSpan, preemption: null, fail });
      this.#link.send({ kind: "enter", id, client, work, stopsLate });
    });
  }

  /**
   * Must be called when the client has disconnected. A running query is ended by its own signal. A preempted
   * query may still hold its slot until its remaining work ends, but the primary process must not queue it
   * again.
   */
  #leave(id: number): void {
    const query = this.#queries.get(id);
    if (query === undefined) return;
    this.#link.send({ kind: "leave", id });
    if (query.preemption?.signal.aborted !== false) query.fail(new ClientClosed());
  }

  #receive(message: ToWorker): void {
    if (message.kind === "run") void this.#run(message.id);
    else if (message.kind === "preempt")
      this.#queries.get(message.id)?.preemption?.abort(new PreemptedInWorker());
    else if (message.kind === "reject") {
      this.#rejected++;
      this.#queries.get(message.id)?.fail(new ReceivedError(message.error));
    }
  }

  async #run(id: number): Promise<void> {
    const query = this.#queries.get(id);
    this.#link.send({ kind: "left", id, end: query === undefined ? "failed" : await runOnce(query) });
  }
}

/** Records a span for the wait until the first run. Returns a function that ends the span. */
function tracedWait(): () => void {
  let end = () => {};
  void traced(
    "wait in the queue",
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  return () => end();
}

async function runOnce(query: Query): Promise<QueryEnd> {
  query.preemption = new AbortController();
  const end = await query.run(query.preemption.signal);
  query.preemption = null;
  return end;
}

class PreemptedInWorker extends BaseError {
  constructor() {
    super("busy", "This is a long query, and all slots for long queries are taken.", { retryable: true });
  }
}
