import { BaseError } from "../lib/error.ts";
import type { Block, BlockRef } from "../schema/block.ts";

/** What to do about the chain that the source shows, given the newest committed block. */
export type Step = { kind: "extend" } | { kind: "rollback" };

/** A block extends the chain when it is the child of the tip; anything else means that the tip is gone. */
export function stepFor(tip: BlockRef | null, next: Pick<Block, "number" | "parentHash">): Step {
  if (tip === null || (next.number === tip.number + 1 && next.parentHash === tip.hash)) {
    return { kind: "extend" };
  }
  return { kind: "rollback" };
}

/**
 * Whether the head that the source shows leaves the tip in place. A head below the tip says nothing yet:
 * it may be a lagging replica.
 */
export function headKeepsTip(tip: BlockRef | null, head: BlockRef): boolean {
  return tip === null || head.number !== tip.number || head.hash === tip.hash;
}

interface ForkSearch {
  tip: BlockRef;
  /** First block that was ever indexed: nothing older can be compared. */
  firstBlock: number;
  /** Newest block that cannot be undone; null while none is known. */
  finalized: number | null;
  stored: (number: number) => Promise<BlockRef | null>;
  canonical: (number: number) => Promise<BlockRef | null>;
}

/**
 * The newest block that both the store and the source have. Throws `reorg-too-deep` when that would undo a
 * finalized block; nothing is changed then.
 */
export async function findForkPoint(search: ForkSearch): Promise<BlockRef> {
  const floor = Math.max(search.firstBlock, search.finalized ?? search.firstBlock);
  for (let number = search.tip.number; number >= floor; number--) {
    const [stored, canonical] = await Promise.all([search.stored(number), search.canonical(number)]);
    if (stored !== null && stored.hash === canonical?.hash) return stored;
  }
  throw new ReorgTooDeep(search.tip, floor);
}

class ReorgTooDeep extends BaseError {
  constructor(tip: BlockRef, floor: number) {
    super(
      "reorg-too-deep",
      `The endpoint's chain differs from the indexed one at block ${floor} and below, which counts as final ` +
        `(newest indexed block: ${tip.number} ${tip.hash}). Nothing was changed. Either the endpoint is on ` +
        `another chain or fork: point --rpc at another one. Or the chain really was rewritten: index it anew ` +
        `with another --data directory.`,
    );
  }
}
