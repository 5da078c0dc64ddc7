import type { Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { systemCode } from "../system-error.ts";

/** Adds the bytes of a file to a hash. Returns the number of bytes, or null if there is no such file. */
export async function addFile(hash: Hash, path: string, signal: AbortSignal): Promise<number | null> {
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path, { signal })) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    return bytes;
  } catch (error) {
    signal.throwIfAborted();
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}
