import cluster, { type Worker } from "node:cluster";
import { unlessAborted } from "../../lib/async/abort.ts";
import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { BaseError } from "../../lib/error.ts";
import type { Logger } from "../../lib/log.ts";
import { ReceivedError } from "../../lib/sent-error.ts";
import { isHung } from "./hung-worker.ts";
import { linkTo, type WorkerLink } from "./messages.ts";

/**
 * Delay before a worker that has ended is replaced. It doubles each time a worker ends soon after its start,
 * up to the longest delay.
 */
const FIRST_RESTART_MS = 100;
const LONGEST_RESTART_MS = 10_000;

/** A worker that has run for this long was healthy, so its replacement starts quickly again. */
const HEALTHY_MS = 60_000;

/** Marks worker processes in their environment. */
const WORKER_VARIABLE = "QUARRY_WORKER";

/**
 * Returns whether this process is a worker of a service. A worker waits for a message from the primary
 * process.
 */
export function isWorker(): boolean {
  return process.env[WORKER_VARIABLE] !== undefined;
}

export interface SlotOptions {
  /** Options that a worker needs to start. */
  options: unknown;
  /** Called with the link to each new worker process and its number, before it starts. */
  attach(link: WorkerLink, worker: number): void;
  /** Time for a worker to stop, after which it is killed. */
  stopMs: number;
  /** Time without a response after which a worker is killed and replaced; 0: never. */
  hungMs: number;
  logger: Logger;
  clock?: Clock;
}

/**
 * One of the workers: a process that runs the command of this process, shares its port, and is replaced when
 * it exits.
 */
export class WorkerSlot {
  readonly #number: number;
  readonly #options: SlotOptions;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  #process: Worker | null = null;
  /** Resolves when the newest process has ended, with a description of how it ended. */
  #ended: Promise<string> = Promise.resolve("");
  #startedMs = 0;

  /** @param number from 1 */
  constructor(number: number, options: SlotOptions) {
    this.#number = number;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Starts a process and resolves with its URL once it listens.
   *
   * @throws the error that kept it from starting
   */
  start(): Promise<string> {
    const { attach, logger } = this.#options;
    const worker = this.#number;
    const started = cluster.fork({ [WORKER_VARIABLE]: String(worker) });
    const link = this.#adopt(started);
    attach(link, worker);
    return new Promise((resolve, reject) => {
      link.onMessage((message) => {
        if (message.kind === "loaded") this.#begin(link, started);
        if (message.kind === "failed") reject(new ReceivedError(message.error));
        if (message.kind !== "listening") return;
        logger.info({ worker, pid: started.process.pid }, `worker ${worker} is ready`);
        resolve(message.url);
      });
      void this.#ended.then((reason) => reject(new WorkerEnded(worker, reason)));
    });
  }

  #begin(link: WorkerLink, started: Worker): void {
    link.send({ kind: "start", worker: this.#number, options: this.#options.options });
    if (this.#stop.signal.aborted) link.send({ kind: "stop" });
    void this.#killIfHung(link, started);
  }

  #adopt(worker: Worker): WorkerLink {
    this.#process = worker;
    this.#startedMs = this.#clock.monotonic();
    this.#ended = new Promise((resolve) => {
      worker.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    return linkOf(worker);
  }

  /** Replaces the process whenever it ends, until `stop` is called. */
  async keepRunning(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 0; ; failures++) {
      const reason = await this.#ended;
      if (signal.aborted) return;
      if (this.#clock.monotonic() - this.#startedMs >= HEALTHY_MS) failures = 0;
      const delayMs = Math.min(LONGEST_RESTART_MS, FIRST_RESTART_MS * 2 ** failures);
      this.#warn(`ended with ${reason}; starting another in ${delayMs} ms`);
      await unlessAborted(signal, () => this.#clock.sleep(delayMs, signal));
      if (signal.aborted) return;
      await this.start().catch((error: Error) => this.#warn(`did not start: ${error.message}`));
    }
  }

  async #killIfHung(link: WorkerLink, worker: Worker): Promise<void> {
    const { hungMs } = this.#options;
    if (!(await isHung(link, hungMs, this.#clock))) return;
    this.#warn(`has not responded for ${hungMs / 1000} s; killing it`);
    worker.process.kill("SIGKILL");
  }

  #warn(text: string): void {
    this.#options.logger.warn({ worker: this.#number }, `worker ${this.#number} ${text}`);
  }

  /** Stops the process after its running requests. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    const process = this.#process;
    if (process === null) return;
    linkOf(process).send({ kind: "stop" });
    const cancelKill = this.#clock.after(this.#options.stopMs, () => process.process.kill("SIGKILL"));
    await this.#ended;
    cancelKill();
  }
}

function linkOf(worker: Worker): WorkerLink {
  return linkTo(worker.process, "exit");
}

class WorkerEnded extends BaseError {
  constructor(number: number, reason: string) {
    super(
      "internal",
      `Worker process ${number} ended with ${reason} before it was ready; its own output says why.`,
    );
  }
}
