import { AggregatorRegistry, Registry } from "prom-client";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { sharedAndKept, sharedWhileRunning } from "../../lib/async/shared-while-running.ts";
import { BaseError } from "../../lib/error.ts";
import { ReceivedError, sentError } from "../../lib/sent-error.ts";
import type { Metrics, PrimaryLink, ToWorker, WorkerLink } from "./messages.ts";
import { PendingReplies } from "./pending-replies.ts";

/** A worker that is busy for longer than this is represented by its metrics of the previous scrape. */
const MEASURE_MS = 3_000;

/** Time for which all requests get the same sums, because new sums take work in every process. */
const KEPT_MS = 1_000;

/** Metrics that must not decrease when the worker that counted them exits. */
const CUMULATIVE = new Set<unknown>(["counter", "histogram"]);

/** The metrics of the service: the sums over its processes. */
export class SummedMetrics {
  readonly #own: Registry;
  readonly #clock: Clock;
  readonly #workers = new Set<MeasuredWorker>();
  readonly #sum: () => Promise<string>;
  /** The counts of exited workers, as of the last scrape before they exited. */
  #ended: Promise<Metrics> = Promise.resolve([]);

  constructor(own: Registry, clock: Clock = systemClock) {
    this.#own = own;
    this.#clock = clock;
    this.#sum = sharedAndKept(() => this.#sumAll(), { keepMs: KEPT_MS, clock });
  }

  /** Includes a worker as soon as it listens, and sends it the sums when it requests them. */
  add(link: WorkerLink): void {
    const worker = new MeasuredWorker(link, this.#clock);
    link.onMessage((message) => {
      if (message.kind === "listening") this.#workers.add(worker);
      if (message.kind === "sum") void this.#send(link, message.id);
    });
    link.onClose(() => {
      this.#workers.delete(worker);
      this.#ended = this.#ended.then((ended) => sumOf([ended, worker.counts]).getMetricsAsJSON());
    });
  }

  async #send(link: WorkerLink, id: number): Promise<void> {
    const sum = await this.text().then(
      (text) => ({ text }),
      (cause) => ({ error: sentError(new NotSummed(cause)) }),
    );
    link.send({ kind: "summed", id, sum });
  }

  text(): Promise<string> {
    return this.#sum();
  }

  async #sumAll(): Promise<string> {
    const ended = this.#ended;
    const workers = [...this.#workers].map((worker) => worker.measure());
    const own = this.#own.getMetricsAsJSON();
    return sumOf(await Promise.all([own, ended, ...workers])).metrics();
  }
}

function sumOf(processes: readonly Metrics[]): Registry {
  return AggregatorRegistry.aggregate([...processes]);
}

class MeasuredWorker {
  readonly #link: WorkerLink;
  readonly #replies: PendingReplies<Metrics>;
  #newest: Metrics = [];

  constructor(link: WorkerLink, clock: Clock) {
    this.#link = link;
    this.#replies = new PendingReplies(clock);
    link.onMessage((message) => {
      if (message.kind !== "measured") return;
      this.#newest = message.metrics;
      this.#replies.resolve(message.id, message.metrics);
    });
    link.onClose(() => this.#replies.resolveAll(this.counts));
  }

  /** The worker's counts, as of the last scrape. */
  get counts(): Metrics {
    return this.#newest.filter(({ type }) => CUMULATIVE.has(type));
  }

  measure(): Promise<Metrics> {
    return this.#replies.requestWithin(
      MEASURE_MS,
      (id) => this.#link.send({ kind: "measure", id }),
      () => this.#newest,
    );
  }
}

type Sum = Extract<ToWorker, { kind: "summed" }>["sum"];

/**
 * A worker's registry: it holds the worker's own metrics, but its text shows the metrics of the whole
 * service.
 */
export class WorkerRegistry extends Registry {
  readonly #link: PrimaryLink;
  readonly #replies = new PendingReplies<Sum>();
  readonly #ask = sharedWhileRunning(() =>
    this.#replies.request((id) => this.#link.send({ kind: "sum", id })),
  );

  constructor(link: PrimaryLink) {
    super();
    this.#link = link;
    link.onMessage((message) => {
      if (message.kind === "summed") this.#replies.resolve(message.id, message.sum);
      if (message.kind === "measure") void this.#sendOwn(message.id);
    });
  }

  override async metrics(): Promise<string> {
    const sum = await this.#ask();
    if ("error" in sum) throw new ReceivedError(sum.error);
    return sum.text;
  }

  async #sendOwn(id: number): Promise<void> {
    this.#link.send({ kind: "measured", id, metrics: await this.getMetricsAsJSON() });
  }
}

class NotSummed extends BaseError {
  constructor(cause: unknown) {
    super("internal", "The metrics of the processes could not be added up.", { cause });
  }
}
