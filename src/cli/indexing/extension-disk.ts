import { sql } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import type { Logger } from "../../lib/log.ts";
import { freeBytes } from "../../storage/directory/disk-space.ts";
import { bytesOnDisk, copyOf } from "../../storage/extension/chain-copy.ts";
import type { Commit, Engine } from "../../storage/store.ts";

interface CopyOptions {
  chain: { name: string };
  engine: Engine;
  /** The data directory; null if the tables are on a server. */
  directory: string | null;
  /** The chain's newest commit. */
  commit: Commit;
  /** First block of the copy. */
  from: number;
  reserveMiB: number;
}

interface DiskOptions extends CopyOptions {
  logger: Logger;
  /** True if the extension was started earlier. If the disk is too full now, it only pauses. */
  isBegun: boolean;
}

const MIB = 2 ** 20;

/**
 * Logs how much disk space an extension needs, and checks that it is free: space for a copy of the stored
 * blocks, and for the earlier ones, which are assumed to be as large on average.
 *
 * @throws TooLittleDisk, unless the extension was started earlier
 */
export async function requireDisk(options: DiskOptions): Promise<void> {
  const { chain, logger, commit, from, isBegun } = options;
  const figures = await diskFigures(options);
  const { storedMiB, earlierMiB, builtMiB, neededMiB, freeMiB } = figures;
  const sizes = { storedMiB, earlierMiB, builtMiB, neededMiB, freeMiB };
  logger.info(
    { chain: chain.name, from, firstStored: commit.firstBlock, ...sizes },
    "extending the index to earlier blocks in a hidden copy, which replaces the index when it is complete; until " +
      "then, clients see the stored blocks",
  );
  if (freeMiB === null || freeMiB - options.reserveMiB >= neededMiB) return;
  const problem = new TooLittleDisk(options, figures);
  if (!isBegun) throw problem;
  logger.warn({ chain: chain.name }, problem.message);
}

/**
 * Checks that the disk has space for a copy of the stored blocks.
 *
 * @throws NoRoomForCopy
 */
export async function requireRoomForCopy(options: CopyOptions): Promise<void> {
  const figures = await diskFigures(options);
  const { neededMiB, freeMiB } = figures;
  if (freeMiB !== null && freeMiB - options.reserveMiB < neededMiB) throw new NoRoomForCopy(options, figures);
}

interface DiskFigures {
  /** Size of the stored blocks, and estimated size of the earlier ones, assumed to be as large on average. */
  storedMiB: number;
  earlierMiB: number;
  /** Size of the part that is already built. */
  builtMiB: number;
  neededMiB: number;
  /** Null if the disk does not report it. */
  freeMiB: number | null;
}

async function diskFigures({ chain, engine, directory, commit, from }: CopyOptions): Promise<DiskFigures> {
  const stored = await bytesOnDisk(engine, chain.name);
  const built = await bytesOnDisk(engine, copyOf(chain.name));
  const { firstBlock, blockNumber } = commit;
  const earlier = (stored / Math.max(1, blockNumber - firstBlock + 1)) * (firstBlock - from);
  const free = directory === null ? await freeOnServer(engine) : await freeBytes(directory).catch(() => null);
  return {
    storedMiB: Math.ceil(stored / MIB),
    earlierMiB: Math.ceil(earlier / MIB),
    builtMiB: Math.ceil(built / MIB),
    neededMiB: Math.ceil(Math.max(0, stored + earlier - built) / MIB),
    freeMiB: free === null ? null : Math.floor(free / MIB),
  };
}

async function freeOnServer(engine: Engine): Promise<number | null> {
  const [disk] = await engine.query<{ bytes: number }>(
    sql`SELECT toFloat64(max(free_space)) AS bytes FROM system.disks`,
  );
  return disk?.bytes ?? null;
}

class TooLittleDisk extends BaseError {
  constructor({ commit, from, reserveMiB }: DiskOptions, figures: DiskFigures) {
    const { storedMiB, earlierMiB, builtMiB, neededMiB, freeMiB } = figures;
    const built = builtMiB === 0 ? "" : `, minus ${builtMiB} MiB that are already built`;
    super(
      "disk-full",
      `Extending the index from block ${commit.firstBlock} down to block ${from} needs about ${neededMiB} MiB: a copy of the ` +
        `stored blocks (${storedMiB} MiB), and the earlier ones (${earlierMiB} MiB if they are of similar size)${built}. ` +
        `${freeMiB} MiB are free, of which ${reserveMiB} MiB must stay free (--disk-reserve). Free some space, set a ` +
        "higher --from, or omit it to continue without earlier blocks.",
    );
  }
}

class NoRoomForCopy extends BaseError {
  constructor({ reserveMiB }: CopyOptions, { neededMiB, freeMiB }: DiskFigures) {
    super(
      "disk-full",
      `Indexing the stored blocks again needs about ${neededMiB} MiB for a copy of the tables. ${freeMiB} MiB are free, ` +
        `of which ${reserveMiB} MiB must stay free (--disk-reserve). Free some space.`,
    );
  }
}
