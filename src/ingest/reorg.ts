import type { Chain } from "../chains/chain.ts";
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
 * Whether the head that the source shows leaves what is stored in place. A head below the tip that is stored
 * says nothing yet: it may be a lagging replica, and the next block tells. Another block at its height is a
 * fork, however long.
 *
 * @param stored the stored block at the head's height; null when none is
 */
export function headKeepsTip(stored: BlockRef | null, head: BlockRef): boolean {
  return stored === null || stored.hash === head.hash;
}

/** No chain in use takes longer to make a block final, unless it has stopped doing so. */
const LONGEST_FINALITY_MS = 3_600_000;

interface Undoable {
  chain: Pick<Chain, "finality" | "blockTimeMs">;
  tip: BlockRef;
  /** First block that was ever indexed. */
  firstBlock: number;
  /** Newest block that cannot be undone now; null while none is known. */
  finalized: number | null;
  /** Newest block that was seen to be stored and final; null when none was since the start. */
  settled: number | null;
}

/**
 * The lowest block that a rollback may leave as the newest. The block before the first indexed one stands for
 * none at all. Blocks that became final while nobody looked may be those of another fork than the stored
 * ones: then what counts is what was final when the tip was stored.
 */
export function rollbackFloor({ chain, tip, firstBlock, finalized, settled }: Undoable): number {
  const { finality, blockTimeMs } = chain;
  const reach = finality.kind === "depth" ? finality.blocks : Math.ceil(LONGEST_FINALITY_MS / blockTimeMs);
  const final = settled ?? Math.min(finalized ?? tip.number, tip.number - reach);
  return Math.max(0, firstBlock - 1, final);
}

interface ForkSearch {
  tip: BlockRef;
  firstBlock: number;
  /** See `rollbackFloor`. */
  floor: number;
  stored: (number: number) => Promise<BlockRef | null>;
  canonical: (number: number) => Promise<BlockRef | null>;
}

/**
 * Number of the newest block that both the store and the source have; null when that is the tip. Where all
 * that is stored may go, it is the one before the first. Throws `reorg-too-deep` when a final block would be
 * undone; nothing is changed then.
 */
export async function findForkPoint({
  tip,
  firstBlock,
  floor,
  ...chains
}: ForkSearch): Promise<number | null> {
  if ((await chains.canonical(tip.number))?.hash === tip.hash) return null;
  const isShared = async (number: number) => {
    const [stored, canonical] = await Promise.all([chains.stored(number), chains.canonical(number)]);
    return stored !== null && stored.hash === canonical?.hash;
  };
  if (floor >= firstBlock && !(await isShared(floor))) throw new ReorgTooDeep(tip, floor);
  let shared = floor;
  let gone = tip.number;
  while (gone - shared > 1) {
    const middle = (shared + gone) >> 1;
    if (await isShared(middle)) shared = middle;
    else gone = middle;
  }
  return shared;
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
