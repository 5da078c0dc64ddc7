import type { BackedUpChain, Manifest } from "../../backups/records/manifest.ts";

/** Returns a line that describes a chain of a backup. */
export function chainText({ name, first_block, last_block, last_hash }: BackedUpChain): string {
  return `${name}: blocks ${first_block} to ${last_block} (${last_hash})`;
}

/** Returns the fields of a backup in JSON output. */
export function manifestJson({ id, created_at, chains }: Manifest, bytes: number) {
  return { backup: id, created_at, bytes, chains };
}
