import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { type Hex, toBytes } from "../../src/lib/hex.ts";
import { ReceivedError, type SentError } from "../../src/lib/sent-error.ts";
import { startWorker } from "../../src/lib/threads/start-worker.ts";

const gunzipAsync = promisify(gunzip);
const gzipAsync = promisify(gzip);
const TRACES = Buffer.from('"traces":[');
const AFTER_TRACES = Buffer.from('],"exit":');

/** What the thread sends. */
export type PackedState = { packed: Uint8Array } | { error: SentError };

/**
 * Reads a node's state, as a file for the node (gzip). A thread does it, because the state takes hundreds of
 * megabytes, and would keep the event loop busy for seconds. Throws ReceivedError.
 */
export async function readPackedState(url: string): Promise<Uint8Array> {
  const worker = startWorker(import.meta.url, "state-worker");
  try {
    const result = await new Promise<PackedState>((resolve, reject) => {
      worker.once("message", resolve).once("error", reject);
      worker.postMessage(url);
    });
    if ("error" in result) throw new ReceivedError(result.error);
    return result.packed;
  } finally {
    await worker.terminate();
  }
}

/** Packs the node's dump (gzip in hex) without call traces. */
export async function packState(dump: Hex): Promise<Uint8Array> {
  return gzipAsync(withoutTraces(await gunzipAsync(toBytes(dump))), { level: 1 });
}

/** Removes call traces from a dump. They make up nine tenths of it and are not used. */
export function withoutTraces(dump: Buffer): Buffer {
  const kept: Buffer[] = [];
  let from = 0;
  for (;;) {
    const traces = dump.indexOf(TRACES, from);
    const end = traces < 0 ? -1 : dump.indexOf(AFTER_TRACES, traces);
    if (end < 0) break;
    kept.push(dump.subarray(from, traces + TRACES.length));
    from = end;
  }
  kept.push(dump.subarray(from));
  return Buffer.concat(kept);
}
