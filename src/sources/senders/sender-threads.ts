import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { BaseError } from "../../lib/error.ts";
import { fromBytes, type Hex } from "../../lib/hex.ts";
import { ADDRESS_BYTES, packSignatures, type Signed } from "./signatures.ts";

/** Maximum number of threads: more are never busy. One core is left for everything else. */
const MAX_THREADS = 4;
export const DEFAULT_THREADS = Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1));

type Answer = { senders: Uint8Array } | { invalid: number };

/**
 * Recovers the senders of transactions from their signatures. That takes more time than all other proofs of a
 * block together, so it runs in separate threads.
 */
export class SenderThreads {
  readonly #threads: SenderThread[];
  #next = 0;

  constructor(threads = DEFAULT_THREADS) {
    this.#threads = Array.from({ length: threads }, () => new SenderThread());
  }

  /**
   * Returns the senders, in order.
   *
   * @throws InvalidSignature
   */
  async recover(signatures: readonly Signed[]): Promise<Hex[]> {
    if (signatures.length === 0) return [];
    const thread = this.#threads[this.#next++ % this.#threads.length];
    if (thread === undefined) throw new ThreadFailed("it is closed");
    const answer = await thread.request(packSignatures(signatures));
    if ("invalid" in answer) throw new InvalidSignature(answer.invalid);
    return signatures.map((_, i) =>
      fromBytes(answer.senders.subarray(i * ADDRESS_BYTES, (i + 1) * ADDRESS_BYTES)),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.close()));
  }
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** One thread, which responds in the order of the requests. */
class SenderThread {
  readonly #worker = startWorker();
  readonly #waiting: Waiting[] = [];
  #failure: Error | null = null;

  constructor() {
    this.#worker.on("message", (answer: Answer) => this.#answered(answer));
    this.#worker.on("error", (cause) => this.#fail(new ThreadFailed(String(cause), cause)));
    this.#worker.on("exit", () => this.#fail(new ThreadFailed("it ended")));
    this.#worker.unref();
  }

  request(packed: Uint8Array<ArrayBuffer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(this.#failure);
      this.#waiting.push({ resolve, reject });
      // A thread with work keeps the process alive.
      this.#worker.ref();
      this.#worker.postMessage(packed, [packed.buffer]);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #answered(answer: Answer): void {
    this.#waiting.shift()?.resolve(answer);
    if (this.#waiting.length === 0) this.#worker.unref();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

/**
 * Starts a thread. A checkout runs from its TypeScript sources, so the thread must register the loader first.
 */
function startWorker(): Worker {
  const isSource = import.meta.url.endsWith(".ts");
  const file = new URL(`./sender-worker.${isSource ? "ts" : "js"}`, import.meta.url);
  if (!isSource) return new Worker(file);
  const loader = new URL("index.mjs", pathToFileURL(createRequire(import.meta.url).resolve("tsx/esm/api")));
  const start = `import("${loader}").then(({ register }) => { register(); return import("${file}"); })`;
  return new Worker(start, { eval: true });
}

class ThreadFailed extends BaseError {
  constructor(reason: string, cause?: unknown) {
    super("internal", `the thread that recovers senders failed: ${reason}`, { cause });
  }
}

/** The message names the transaction. The reader of the file adds the file and the block. */
class InvalidSignature extends BaseError {
  constructor(transaction: number) {
    super("verification", `transaction ${transaction} has an invalid signature`);
  }
}
