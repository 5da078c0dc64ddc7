import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { BaseError } from "../../src/lib/error.ts";
import { type Hex, toBytes } from "../../src/lib/hex.ts";
import { ReceivedError, type SentError } from "../../src/lib/sent-error.ts";
import { startProcess } from "../../src/lib/threads/start-process.ts";
import { TraceRemover } from "./trace-remover.ts";

/** Message from the process that reads the state. */
export type PackedState = { packed: Uint8Array } | { error: SentError };

/** Heap limit of the process that reads the state, in MiB. The dump's text takes a tenth of it. */
const HEAP_MIB = 2_048;

/**
 * Reads a node's state as a gzip file that the node can load. Does this in a separate process, because it
 * takes hundreds of megabytes, which this process would not release afterwards. Throws ReceivedError.
 */
export async function readPackedState(url: string): Promise<Uint8Array> {
  const reader = startProcess(import.meta.url, "state-process", HEAP_MIB);
  try {
    const result = await new Promise<PackedState>((resolve, reject) => {
      const ended = () => reject(new StateUnreadable("its process ended"));
      reader.once("message", resolve).once("error", reject).once("exit", ended);
      // Without a free file handle, the process has no channel, and emits `error` next.
      if (reader.connected) reader.send(url);
    });
    if ("error" in result) throw new ReceivedError(result.error);
    return result.packed;
  } finally {
    reader.kill("SIGKILL");
  }
}

/** The state of the demo chain's node cannot be read. */
export class StateUnreadable extends BaseError {
  constructor(cause: unknown) {
    super("internal", "The state of the demo chain's node cannot be read.", { cause });
  }
}

/**
 * Packs the node's dump (gzip in hex) without call traces, piece by piece, because the whole dump takes hundreds
 * of megabytes.
 */
export async function packState(dump: Hex): Promise<Uint8Array> {
  const packed = createGzip({ level: 1 });
  const written = pipeline(Readable.from([toBytes(dump)]), createGunzip(), new TraceRemover(), packed);
  const [bytes] = await Promise.all([buffer(packed), written]);
  return bytes;
}
