import { textWithin } from "../../lib/async/text-within.ts";
import { BaseError } from "../../lib/error.ts";
import type { BackupTarget } from "../targets/target.ts";

/**
 * Maximum size of such a file, because it is held in memory: a manifest of half a million parts. A manifest of
 * a long chain lists some thousands.
 */
const MAX_BYTES = 128 * 1024 ** 2;

/** Reads a small file. @throws MissingFile, TooLarge */
export function readText(target: BackupTarget, name: string): Promise<string> {
  return textWithin(target.read(name), MAX_BYTES, () => new TooLarge(target.place, name));
}

/** @throws TooLarge */
export async function writeText(target: BackupTarget, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_BYTES) throw new TooLarge(target.place, name);
  await target.write(name, oneChunk(bytes));
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

class TooLarge extends BaseError {
  constructor(place: string, name: string) {
    super(
      "verification",
      `${name} in ${place} is larger than the ${MAX_BYTES / 2 ** 20} MiB that the list of a backup's files may have.`,
    );
  }
}
