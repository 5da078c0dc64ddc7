import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { AnswerTooLarge } from "../storage/engine-failure.ts";

interface SpoolLimits {
  /** Up to here the bytes stay in memory, above they are in a temporary file. */
  memoryBytes: number;
  maxBytes: number;
}

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
  try {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > limits.maxBytes) throw new AnswerTooLarge(limits.maxBytes);
      kept.push(piece);
      if (file === undefined && bytes <= limits.memoryBytes) continue;
      file ??= await openNamelessFile();
      await file.appendFile(Buffer.concat(kept.splice(0)));
    }
  } catch (error) {
    await file?.close();
    throw error;
  }
  if (file === undefined) return Readable.from([Buffer.concat(kept)], { objectMode: false });
  return file.createReadStream({ start: 0 });
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
