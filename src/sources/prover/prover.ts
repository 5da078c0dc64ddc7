import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import type { Hex } from "../../lib/hex.ts";
import { startWorker } from "../../lib/threads/start-worker.ts";
import { type ThreadMessage, ThreadPool } from "../../lib/threads/thread-pool.ts";
import { decodeTransaction } from "../archive/archived-transaction.ts";
import type { StoredContext } from "../archive/prove-stored.ts";
import { recoverSenders } from "../archive/senders.ts";
import type { EntryKind } from "../e2store/entry-types.ts";
import { type BlockEntries, RECEIPT_KINDS } from "../e2store/era-file.ts";
import type { RowsTask } from "../rows/proof/rows-task.ts";
import type { ResponseBody } from "../rpc/http-response.ts";
import type { RawBlock } from "../wire/raw-block.ts";
import type { JobResults, ProofJob, StoredJob } from "./proof-jobs.ts";
import { proveRaw, type Verification } from "./prove-raw.ts";

/**
 * Maximum default number of threads. The main thread, which writes the blocks, cannot keep more threads busy.
 */
const MAX_THREADS = 4;

/** Returns the default number of threads. */
export function defaultThreads(cores = availableParallelism()): number {
  return cores === 1 ? 0 : Math.max(2, Math.min(MAX_THREADS, cores - 1));
}

/**
 * Minimum size of a response that a thread parses. Smaller responses take the main thread at most a
 * millisecond or two, about as long as waking a thread and receiving its result; with senders, a few more.
 */
const MIN_RESPONSE_BYTES = 100_000;

/**
 * Proves blocks in worker threads. `response`, `stored` and `rows` return null if the caller must do the
 * work on the main thread: if there are no threads, if the response is small, or if the job failed and the
 * caller has to find out why. In these cases, the other methods do the work themselves.
 */
export class Prover {
  readonly threads: number;
  readonly #pool: ThreadPool<unknown> | null;

  /** @param threads 0: all work remains on the main thread */
  constructor(threads: number, start = startProofWorker) {
    this.threads = threads;
    this.#pool = threads === 0 ? null : new ThreadPool({ threads, purpose: "prove blocks", start });
  }

  /** Proves the blocks in the body of a response. */
  async response(
    body: ResponseBody,
    numbers: readonly number[],
    verification: Verification,
    signal: AbortSignal | undefined,
  ): Promise<JobResults["response"] | null> {
    if (this.#pool === null || body.size < MIN_RESPONSE_BYTES) return null;
    const { isGzip, maxBytes } = body;
    const job = { kind: "response", body: body.shared(), isGzip, maxBytes, numbers, verification } as const;
    return this.#run<"response">(nameOf(numbers), () => ({ value: job }), signal);
  }

  /** Proves a block whose response was not proven as a whole. */
  async raw(
    raw: RawBlock & { size: number },
    verification: Verification,
    signal: AbortSignal | undefined,
  ): Promise<JobResults["raw"]> {
    const { number, block, receipts, size } = raw;
    const job = { kind: "raw", raw: { number, block, receipts }, verification } as const;
    const isSmall = size < MIN_RESPONSE_BYTES;
    const found = isSmall ? null : await this.#run<"raw">(nameOf([number]), () => ({ value: job }), signal);
    return found ?? proveRaw(job.raw, verification);
  }

  /** Proves a block of a file. */
  async stored(
    entries: BlockEntries,
    context: StoredContext,
    signal: AbortSignal,
  ): Promise<JobResults["stored"] | null> {
    return this.#run<"stored">(nameOf([entries.number]), () => storedJob(entries, context), signal);
  }

  /** Proves a block of files with rows. */
  async rows(task: RowsTask, signal: AbortSignal): Promise<JobResults["rows"] | null> {
    return this.#run<"rows">(nameOf([task.header.number]), () => ({ value: { kind: "rows", task } }), signal);
  }

  /**
   * Recovers the senders of transactions from their signatures.
   *
   * @param encodings encoded as in the transactions trie
   * @throws "verification" errors that name the transaction by its position
   */
  async senders(encodings: readonly Uint8Array[], signal: AbortSignal): Promise<Hex[]> {
    const job = { kind: "senders", encodings } as const;
    const found = await this.#run<"senders">("transactions", () => ({ value: job }), signal);
    return found ?? recoverSenders(encodings.map(decodeTransaction));
  }

  async close(): Promise<void> {
    await this.#pool?.close();
  }

  async #run<Kind extends ProofJob["kind"]>(
    name: string,
    message: () => ThreadMessage & { value: ProofJob },
    signal: AbortSignal | undefined,
  ): Promise<JobResults[Kind] | null> {
    if (this.#pool === null) return null;
    return (await this.#pool.run({ name, message }, signal)) as JobResults[Kind] | null;
  }
}

const nameOf = (numbers: readonly number[]) => `block ${numbers.join(", ")}`;

export function startProofWorker(): Worker {
  return startWorker(import.meta.url, "proof-worker");
}

/**
 * Returns a message with copies of a block's entries. The entries themselves are views of the file's buffers,
 * so they cannot be transferred.
 */
function storedJob(
  { number, entries }: BlockEntries,
  context: StoredContext,
): ThreadMessage & { value: StoredJob } {
  const dataOf = (kind: EntryKind) => entries.get(kind)?.data ?? new Uint8Array(0);
  const parts = [
    dataOf("header"),
    dataOf("body"),
    dataOf(RECEIPT_KINDS[context.form]),
    dataOf("proof"),
    context.parent ?? new Uint8Array(0),
  ];
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  const [header, body, receipts, proof, parent] = parts.map((part) => {
    const start = at;
    bytes.set(part, start);
    at += part.length;
    return bytes.subarray(start, at);
  }) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  return {
    value: {
      ...{ kind: "stored", number, header, body, receipts, proof },
      context: { ...context, parent: context.parent && parent },
    },
    transfer: [bytes.buffer],
  };
}
