import { sql } from "../../engine-sql/sql-text.ts";
import { BaseError } from "../../lib/error.ts";
import type { Logger } from "../../lib/log.ts";
import { freeBytes } from "../../storage/directory/disk-space.ts";
import { bytesOnDisk, copyOf } from "../../storage/extension/chain-copy.ts";
import type { Commit, Engine } from "../../storage/store.ts";

interface DiskOptions {
  chain: { name: string };
  engine: Engine;
  /** The data directory; null if a server holds the tables. */
  directory: string | null;
  logger: Logger;
  /** The chain's newest commit. */
  commit: Commit;
  /** First block of the copy. */
  from: number;
  reserveMiB: number;
  /** The extension was begun earlier: if the disk has become too full, it only pauses. */
  isBegun: boolean;
}

const MIB = 2 ** 20;

/**
 * Logs how much disk an extension needs, and checks that it is free: the stored blocks once more, and the
 * earlier ones, which are assumed to be as large as the stored ones.
 *
 * @throws TooLittleDisk
 */
export async function requireDisk(options: DiskOptions): Promise<void> {
  const { chain, logger, commit, from, isBegun } = options;
  const figures = await diskFigures(options);
  const { storedMiB, earlierMiB, builtMiB, neededMiB, freeMiB } = figures;
  const sizes = { storedMiB, earlierMiB, builtMiB, neededMiB, freeMiB };
  logger.info(
    { chain: chain.name, from, firstStored: commit.firstBlock, ...sizes },
    "extending the index to earlier blocks, in a hidden copy that replaces it when it is complete; until then, clients " +
      "see the stored blocks",
  );
  if (freeMiB === null || freeMiB - options.reserveMiB >= neededMiB) return;
  const problem = new TooLittleDisk(options, figures);
  if (!isBegun) throw problem;
  logger.warn({ chain: chain.name }, problem.message);
}

interface DiskFigures {
  /** Size of the stored blocks, and of the earlier ones at the same size per block. */
  storedMiB: number;
  earlierMiB: number;
  /** Size of what is already built. */
  builtMiB: number;
  neededMiB: number;
  /** Null if the disk does not report it. */
  freeMiB: number | null;
}

async function diskFigures({ chain, engine, directory, commit, from }: DiskOptions): Promise<DiskFigures> {
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
    const built = builtMiB === 0 ? "" : `, of which ${builtMiB} MiB are built`;
    super(
      "disk-full",
      `Extending the index from block ${commit.firstBlock} down to block ${from} needs about ${neededMiB} MiB: the ` +
        `stored blocks once more (${storedMiB} MiB) and the earlier ones (${earlierMiB} MiB if they are as large)${built}. ` +
        `${freeMiB} MiB are free, and ${reserveMiB} MiB of them stay free (--disk-reserve). Free some space, give a ` +
        "higher --from, or leave it out to go on without earlier blocks.",
    );
  }
}
