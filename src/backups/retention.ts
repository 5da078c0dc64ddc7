import { allBackups, type Manifest, partOfFile, partsOf, removeManifests } from "./records/manifest.ts";
import type { BackupTarget } from "./targets/target.ts";

export interface Retained {
  /** Ids of the backups that were removed. */
  removed: string[];
  /** Bytes of the files that no backup needed any longer. */
  freedBytes: number;
  /** Why nothing was removed: a message for each backup that cannot be read. Empty if all can be read. */
  problems: string[];
}

/**
 * Removes the oldest of the backups that have the same chains as the newest, so that `keep` of them remain,
 * including the newest. Then removes all parts that no backup needs, such as the parts of an interrupted
 * backup. Removes nothing while any backup cannot be read, because the parts that it needs are unknown.
 *
 * @param keep default: all
 */
export async function removeOldBackups(
  target: BackupTarget,
  newest: Manifest,
  keep: number | undefined,
): Promise<Retained> {
  const { manifests, problems } = await allBackups(target);
  if (problems.length > 0)
    return { removed: [], freedBytes: 0, problems: problems.map(({ message }) => message) };
  const older = manifests.filter(({ id, ...one }) => id !== newest.id && chainsOf(one) === chainsOf(newest));
  const kept = keep === undefined ? older.length : keep - 1;
  const removed = older.slice(0, Math.max(0, older.length - kept)).map(({ id }) => id);
  // Manifests first: a part must not be missing while a manifest lists it.
  await removeManifests(target, removed);
  const needed = manifests.filter(({ id }) => !removed.includes(id)).map(partsOf);
  const unneeded = (await target.list("parts/")).filter(({ name }) => {
    const id = partOfFile(name);
    return id !== null && !needed.some((parts) => parts.has(id));
  });
  await target.remove(unneeded.map(({ name }) => name));
  return { removed, freedBytes: unneeded.reduce((sum, { bytes }) => sum + bytes, 0), problems: [] };
}

/** Returns a string that is equal for backups of the same chains. */
function chainsOf({ chains }: Pick<Manifest, "chains">): string {
  return JSON.stringify(chains.map(({ name, chain_id }) => [name, chain_id]).sort());
}
