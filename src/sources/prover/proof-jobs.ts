import { gunzipSync } from "node:zlib";
import type { Hex } from "../../lib/hex.ts";
import type { Block } from "../../schema/block.ts";
import { decodeTransaction } from "../archive/archived-transaction.ts";
import { proveStored, type StoredContext } from "../archive/prove-stored.ts";
import { recoverSenders } from "../archive/senders.ts";
import { readFrames } from "../e2store/snappy-frames.ts";
import type { CheckedRows } from "../rows/proof/prove-rows.ts";
import { proveTask, type RowsTask } from "../rows/proof/rows-task.ts";
import { decodeResponses } from "../rpc/json-rpc.ts";
import type { Problem } from "../verify/verify-block.ts";
import type { RawBlock } from "../wire/raw-block.ts";
import { proveRaw, type Verification } from "./prove-raw.ts";

/** The body of the response to a batch that requests a block, its receipts, the next block, and so on. */
export interface ResponseJob {
  kind: "response";
  body: Uint8Array;
  isGzip: boolean;
  maxBytes: number;
  numbers: readonly number[];
  verification: Verification;
}

/** A block that has been parsed as JSON. */
export interface RawJob {
  kind: "raw";
  raw: RawBlock;
  verification: Verification;
}

/** A block of an era file, as its compressed entries. */
export interface StoredJob {
  kind: "stored";
  number: number;
  header: Uint8Array;
  body: Uint8Array;
  receipts: Uint8Array;
  /** The block's proof entry, of which only the checksums are verified. Empty if the file has none. */
  proof: Uint8Array;
  context: StoredContext;
}

/** The transactions whose senders the job recovers, encoded as in the transactions trie. */
export interface SendersJob {
  kind: "senders";
  encodings: readonly Uint8Array[];
}

/** A block of files with rows. */
export interface RowsJob {
  kind: "rows";
  task: RowsTask;
}

export type ProofJob = ResponseJob | RawJob | StoredJob | SendersJob | RowsJob;

export interface JobResults {
  response: { blocks: Block[]; size: number };
  raw: { block: Block } | Problem;
  stored: Block;
  senders: Hex[];
  rows: CheckedRows;
}

/**
 * Runs a job. Returns null if it fails for any reason. The caller then repeats the work on the main thread,
 * which reports the error with its full context.
 */
export function runJob(job: ProofJob): JobResults[ProofJob["kind"]] | null {
  try {
    switch (job.kind) {
      case "response":
        return proveResponse(job);
      case "raw":
        return proveRaw(job.raw, job.verification);
      case "stored":
        return proveEntries(job);
      case "senders":
        return recoverSenders(job.encodings.map(decodeTransaction));
      case "rows":
        return proveTask(job.task);
    }
  } catch {
    return null;
  }
}

/**
 * Proves the blocks in a response. Returns null unless the response has every block with its receipts and all
 * of them pass verification.
 */
function proveResponse({ body, isGzip, maxBytes, numbers, verification }: ResponseJob) {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const text = (isGzip ? gunzipSync(bytes, { maxOutputLength: maxBytes }) : bytes).toString();
  const outcomes = decodeResponses(text, 2 * numbers.length);
  const blocks: Block[] = [];
  for (const [i, number] of numbers.entries()) {
    const [block, receipts] = outcomes.slice(2 * i, 2 * i + 2);
    if (block === undefined || receipts === undefined) return null;
    if ("refusal" in block || "refusal" in receipts) return null;
    const proven = proveRaw({ number, block: block.result, receipts: receipts.result }, verification);
    if (!("block" in proven)) return null;
    blocks.push(proven.block);
  }
  return { blocks, size: text.length };
}

function proveEntries({ number, header, body, receipts, proof, context }: StoredJob): Block {
  if (proof.length > 0) readFrames(proof);
  const stored = {
    number,
    header: readFrames(header),
    body: readFrames(body),
    receipts: readFrames(receipts),
  };
  const parent = context.parent && readFrames(context.parent);
  return proveStored(stored, { ...context, parent });
}
