import type { Worker } from "node:worker_threads";
import { onAbort } from "../async/abort.ts";
import { BaseError, messageOf } from "../error.ts";

/** Each thread has one job running and one waiting, so it is never idle between two jobs. */
const JOBS_PER_THREAD = 2;
/** A job fails after this many threads have exited while running it. */
const MAX_DEATHS = 3;

/** A message to a thread, and the buffers in it that are transferred instead of copied. */
export interface ThreadMessage {
  value: unknown;
  transfer?: ArrayBuffer[];
}

export interface ThreadJob {
  /** Name of the job in error messages, e.g. "block 17686110". */
  name: string;
  /** Creates the message. Called again if the thread exits before it responds. */
  message(): ThreadMessage;
}

interface Task<Result> {
  job: ThreadJob;
  resolve(result: Result): void;
  reject(error: unknown): void;
  deaths: number;
  /** True once the caller has stopped waiting for the result. */
  isOver: boolean;
}

interface PoolOptions {
  /** Maximum number of threads. A thread is started only when there is work for it. */
  threads: number;
  /** What the threads do, for error messages, e.g. "prove blocks". */
  purpose: string;
  /** Starts a thread, which must respond to each message with exactly one message, in order. */
  start: () => Worker;
}

/**
 * Runs jobs in worker threads, first come, first served. If a thread exits, it is replaced and its jobs run
 * again. Idle threads do not keep the process alive.
 */
export class ThreadPool<Result> {
  readonly #options: PoolOptions;
  readonly #threads = new Set<Thread<Result>>();
  readonly #queue: Task<Result>[] = [];
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * Runs a job. Returns the thread's response.
   *
   * @throws ThreadsClosed if the pool is closed; ThreadFailed if several threads exited while running the
   * job; the signal's reason if it aborts; any error of `message()`
   */
  async run(job: ThreadJob, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw this.#closed(job);
    let task: Task<Result> | undefined;
    const result = new Promise<Result>((resolve, reject) => {
      task = { job, resolve, reject, deaths: 0, isOver: false };
      this.#queue.push(task);
    });
    const removeListener = onAbort(signal, () => {
      if (task === undefined) return;
      task.isOver = true;
      task.reject(signal?.reason);
    });
    this.#dispatch();
    try {
      return await result;
    } finally {
      removeListener();
    }
  }

  /** Terminates all threads. Unfinished jobs fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const tasks = this.#queue.splice(0);
    const threads = [...this.#threads];
    this.#threads.clear();
    for (const thread of threads) tasks.push(...thread.takeTasks());
    for (const task of tasks) task.reject(this.#closed(task.job));
    await Promise.all(threads.map((thread) => thread.end()));
  }

  #dispatch(): void {
    for (let task = this.#queue.shift(); task !== undefined; task = this.#queue.shift()) {
      if (task.isOver) continue;
      const thread = this.#freeThread();
      if (thread === null) {
        this.#queue.unshift(task);
        return;
      }
      thread.run(task);
    }
  }

  /** Returns the thread with the fewest jobs, or a new one; null if all are full. */
  #freeThread(): Thread<Result> | null {
    const [least] = [...this.#threads].sort((a, b) => a.tasks - b.tasks);
    if (least !== undefined && least.tasks === 0) return least;
    if (this.#threads.size < this.#options.threads) return this.#start();
    return least !== undefined && least.tasks < JOBS_PER_THREAD ? least : null;
  }

  #start(): Thread<Result> {
    const thread: Thread<Result> = new Thread(this.#options.start(), {
      free: () => this.#dispatch(),
      ended: (cause) => this.#replace(thread, cause),
    });
    this.#threads.add(thread);
    return thread;
  }

  /**
   * Puts the unfinished jobs of an exited thread back at the front of the queue. The first one was running.
   * It fails once `MAX_DEATHS` threads have exited while running it.
   */
  #replace(thread: Thread<Result>, cause: unknown): void {
    if (!this.#threads.delete(thread)) return;
    const [first, ...others] = thread.takeTasks();
    this.#queue.unshift(...others);
    if (first !== undefined) {
      first.deaths++;
      if (first.deaths < MAX_DEATHS) this.#queue.unshift(first);
      else first.reject(new ThreadFailed(this.#options.purpose, first, cause));
    }
    this.#dispatch();
  }

  #closed(job: ThreadJob): ThreadsClosed {
    return new ThreadsClosed(this.#options.purpose, job);
  }
}

interface ThreadEvents {
  /** Called when the thread has finished a job, so it has room for another. */
  free(): void;
  ended(cause: unknown): void;
}

/** One thread. Its responses come in the order of its jobs. */
class Thread<Result> {
  readonly #worker: Worker;
  readonly #tasks: Task<Result>[] = [];
  #cause: unknown = null;

  constructor(worker: Worker, events: ThreadEvents) {
    this.#worker = worker;
    worker.on("message", (result: Result) => {
      this.#tasks.shift()?.resolve(result);
      if (this.#tasks.length === 0) worker.unref();
      events.free();
    });
    // The "exit" event follows.
    worker.on("error", (cause) => {
      this.#cause = cause;
    });
    worker.on("exit", (code) => events.ended(this.#cause ?? `exit code ${code}`));
    worker.unref();
  }

  get tasks(): number {
    return this.#tasks.length;
  }

  /**
   * Sends a job to the thread. If its message cannot be created or sent, rejects only this job, and does not
   * throw: the caller may be handling the response to another job.
   */
  run(task: Task<Result>): void {
    try {
      const { value, transfer = [] } = task.job.message();
      this.#worker.postMessage(value, transfer);
    } catch (error) {
      task.reject(error);
      return;
    }
    this.#tasks.push(task);
    // A thread with work keeps the process alive.
    this.#worker.ref();
  }

  takeTasks(): Task<Result>[] {
    return this.#tasks.splice(0);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Threads exited because of the job itself, so a retry would not help. */
export class ThreadFailed extends BaseError {
  constructor(purpose: string, { job, deaths }: Task<unknown>, cause: unknown) {
    const reason = messageOf(cause);
    super("internal", `${deaths} threads that ${purpose} exited while working on ${job.name}: ${reason}`, {
      cause,
    });
  }
}

class ThreadsClosed extends BaseError {
  constructor(purpose: string, { name }: ThreadJob) {
    super("internal", `the threads that ${purpose} were stopped before ${name} was done`);
  }
}
