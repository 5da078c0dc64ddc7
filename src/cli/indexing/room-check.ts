import type { IndexOptions } from "../../ingest/indexer.ts";
import { DiskReserve } from "../../storage/directory/disk-space.ts";

/** A server's disk cannot be measured from here; its own errors pause indexing instead. */
export function roomCheck(directory: string | null, reserveMiB: number): Pick<IndexOptions, "requireRoom"> {
  if (directory === null) return {};
  const reserve = new DiskReserve(directory, reserveMiB * 2 ** 20);
  return { requireRoom: () => reserve.requireRoom() };
}
