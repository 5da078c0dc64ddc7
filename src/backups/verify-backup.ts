import { createHash } from "node:crypto";
import { BaseError } from "../lib/error.ts";
import { type BackedUpPart, type Manifest, partFileName, partsOf } from "./records/manifest.ts";
import type { BackupTarget } from "./targets/target.ts";
import { MissingFile } from "./targets/target-errors.ts";

export interface VerifyOptions {
  target: BackupTarget;
  manifests: readonly Manifest[];
  signal: AbortSignal;
  onProgress?(progress: { doneBytes: number; totalBytes: number }): void;
}

/** A missing or damaged file of a backup. */
export interface DamagedFile {
  file: string;
  problem: "missing" | "damaged";
  /** Ids of the backups that need it. */
  backups: string[];
}

/**
 * Returns the missing and the damaged files of some backups. Reads every file, and compares it with the
 * checksum in the manifests.
 */
export async function verifyBackups(options: VerifyOptions): Promise<DamagedFile[]> {
  const { target, manifests, signal, onProgress } = options;
  const listed = manifests.map((manifest) => ({ id: manifest.id, parts: partsOf(manifest) }));
  const parts = new Map(listed.flatMap((backup) => [...backup.parts]));
  const totalBytes = [...parts.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  const damaged: DamagedFile[] = [];
  let doneBytes = 0;
  for (const part of parts.values()) {
    signal.throwIfAborted();
    const problem = await problemOf(target, part);
    const backups = listed.filter((backup) => backup.parts.has(part.id)).map(({ id }) => id);
    if (problem !== null) damaged.push({ file: partFileName(part.id), problem, backups });
    doneBytes += part.bytes;
    onProgress?.({ doneBytes, totalBytes });
  }
  return damaged;
}

async function problemOf(target: BackupTarget, part: BackedUpPart): Promise<DamagedFile["problem"] | null> {
  try {
    for await (const _ of checkedPart(target, part));
    return null;
  } catch (error) {
    if (error instanceof MissingFile) return "missing";
    if (error instanceof DamagedPart) return "damaged";
    throw error;
  }
}

/**
 * Reads the file of a part. Fails after the last byte if the content is not what was backed up, and never
 * yields more bytes than were backed up.
 *
 * @throws DamagedPart, MissingFile
 */
export async function* checkedPart(
  target: BackupTarget,
  { id, bytes, sha256 }: BackedUpPart,
): AsyncGenerator<Uint8Array> {
  const name = partFileName(id);
  const hash = createHash("sha256");
  let read = 0;
  for await (const chunk of target.read(name)) {
    read += chunk.length;
    // A file that is longer than the part, or endless, could fill the disk before its checksum is compared.
    if (read > bytes) throw new DamagedPart(target.place, name);
    hash.update(chunk);
    yield chunk;
  }
  if (read !== bytes || hash.digest("hex") !== sha256) throw new DamagedPart(target.place, name);
}

export class DamagedPart extends BaseError {
  constructor(place: string, name: string) {
    super(
      "verification",
      `${name} in ${place} is damaged: its SHA-256 does not match the manifest. \`quarry backup verify\` lists all ` +
        "damaged files and the backups that need them.",
    );
  }
}
