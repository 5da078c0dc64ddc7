import { BaseError } from "../../lib/error.ts";
import type { BlockRef } from "../../schema/block.ts";

interface FindForkPointOptions {
  tip: BlockRef;
  firstBlock: number;
  /** Lowest block to which the chain may be rolled back: see `rollbackFloor`. */
  floor: number;
  stored: (number: number) => Promise<BlockRef | null>;
  canonical: (number: number) => Promise<BlockRef | null>;
  /** Returns whether any endpoint has the block. `canonical` may report the chain of another endpoint. */
  isConfirmed: (block: BlockRef) => Promise<boolean>;
}

/**
 * Returns the number of the newest block that both the store and the source have; null if it is the tip. If
 * they share no block and all stored blocks may be rolled back, returns the number of the block before the
 * first stored one.
 *
 * @throws ReorgTooDeep if a final block would be undone, and no endpoint has it
 * @throws SourceBehind if the source lacks final blocks, but agrees with the store on those that it has
 */
export async function findForkPoint({
  tip,
  firstBlock,
  floor,
  ...chains
}: FindForkPointOptions): Promise<number | null> {
  const hasTip = async () => (await chains.canonical(tip.number))?.hash === tip.hash;
  if (await hasTip()) return null;
  const isShared = async (number: number) => {
    const [stored, canonical] = await Promise.all([chains.stored(number), chains.canonical(number)]);
    return stored !== null && stored.hash === canonical?.hash;
  };
  if (floor >= firstBlock && !(await isShared(floor))) {
    const final = await chains.stored(floor);
    if (final === null || !(await chains.isConfirmed(final))) {
      const fork = await newestShared(firstBlock - 1, floor, isShared);
      // A missing block does not prove another chain: one of several nodes behind an endpoint may lag.
      if ((await chains.canonical(fork + 1)) === null) throw new SourceBehind(tip, fork + 1);
      throw new ReorgTooDeep(tip, { floor, fork: fork < firstBlock ? null : fork });
    }
    // The endpoint that returned a different final block may be the one that did not have the tip. It is
    // avoided from now on, so the tip is checked again.
    if (await hasTip()) return null;
  }
  return newestShared(floor, tip.number, isShared);
}

/**
 * Finds the newest shared block by binary search.
 *
 * @param shared a block that counts as shared
 * @param gone a block above it that is not shared
 */
async function newestShared(
  shared: number,
  gone: number,
  isShared: (number: number) => Promise<boolean>,
): Promise<number> {
  if (gone - shared <= 1) return shared;
  const middle = (shared + gone) >> 1;
  return (await isShared(middle))
    ? newestShared(middle, gone, isShared)
    : newestShared(shared, middle, isShared);
}

class SourceBehind extends BaseError {
  constructor(tip: BlockRef, missing: number) {
    super(
      "endpoint",
      `The endpoint has no block ${missing}, which counts as final (newest indexed block: ${tip.number} ${tip.hash}). ` +
        "It is far behind, or its chain was reset. Nothing was changed.",
      { retryable: true },
    );
  }
}

class ReorgTooDeep extends BaseError {
  constructor(tip: BlockRef, { floor, fork }: { floor: number; fork: number | null }) {
    const rewritten =
      fork === null
        ? "index the new chain in another --data directory, because the two chains share no indexed block."
        : `roll back the blocks above ${fork}, the newest block that both chains share, with ` +
          `"quarry rewind ${fork}" (and the same --chain and --data), then start again.`;
    super(
      "reorg-too-deep",
      `The endpoint's chain differs from the indexed one at block ${floor}, which counts as final (newest indexed ` +
        `block: ${tip.number} ${tip.hash}). Nothing was changed. If the endpoint is on another chain or fork, ` +
        "point --rpc at another one. If the chain really was rewritten, as happens on test networks, " +
        rewritten,
    );
  }
}
