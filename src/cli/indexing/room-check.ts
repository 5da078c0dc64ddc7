import type { IndexOptions } from "../../ingest/indexer.ts";
import { DiskReserve } from "../../storage/directory/disk-space.ts";

/**
 * Returns a check of the disk space for the indexer, or no check if the tables are on a server: the server's
 * disk cannot be measured from here, and the server's own errors pause indexing instead.
 */
export function roomCheck(directory: string | null, reserveMiB: number): Pick<IndexOptions, "requireRoom"> {
  if (directory === null) return {};
  const reserve = new DiskReserve(directory, reserveMiB * 2 ** 20);
  return { requireRoom: () => reserve.requireRoom() };
}
