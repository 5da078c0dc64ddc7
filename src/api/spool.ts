import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { BaseError } from "../lib/error.ts";

interface SpoolLimits {
  /** Up to here the bytes stay in memory, above they are in a temporary file. */
  memoryBytes: number;
  maxBytes: number;
}

/** What is written to the file, and read from it, at once: every call waits for a thread and a turn. */
const CHUNK_BYTES = 1024 * 1024;

/**
 * Collects an answer before its first byte is sent, in bounded memory. An answer's headers tell how it went
 * (status, truncation, time), so it must have gone before they are sent.
 *
 * @throws AnswerTooLarge, and what `pieces` throws
 */
export async function spool(pieces: AsyncIterable<Uint8Array>, limits: SpoolLimits): Promise<Readable> {
  const kept: Uint8Array[] = [];
  let file: FileHandle | undefined;
  let bytes = 0;
  let written = 0;
  const flush = async () => {
    file ??= await openNamelessFile();
    await file.appendFile(Buffer.concat(kept.splice(0)));
    written = bytes;
  };
  try {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > limits.maxBytes) throw new AnswerTooLarge(limits.maxBytes);
      kept.push(piece);
      const mayKeep = file === undefined ? limits.memoryBytes : Math.min(CHUNK_BYTES, limits.memoryBytes);
      if (bytes - written > mayKeep) await flush();
    }
    if (file !== undefined) await flush();
  } catch (error) {
    await file?.close();
    throw error;
  }
  if (file === undefined) return Readable.from([Buffer.concat(kept)], { objectMode: false });
  return file.createReadStream({ start: 0, highWaterMark: CHUNK_BYTES });
}

/** A file that has lost its name already: it is gone when it is closed, however the process ends. */
async function openNamelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "quarry-answer-"));
  try {
    return await open(join(folder, "answer"), "wx+", 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

class AnswerTooLarge extends BaseError {
  constructor(maxBytes: number) {
    super(
      "too-large",
      `The answer is larger than ${Math.round(maxBytes / 2 ** 20)} MiB. Ask for fewer columns, or set a lower LIMIT or size.`,
    );
  }
}
