import { type Chain, finalityDepth } from "../../chains/chain.ts";
import type { Block, BlockRef } from "../../schema/block.ts";

/** The stored chain. */
export interface StoredChain {
  /** First block of the index; if nothing is indexed yet, the block at which to begin. */
  firstBlock: number;
  /** Newest stored block. */
  tip: BlockRef | null;
  /** Newest block known to be stored and final: no rollback goes below it. Null while none is known. */
  finalized: number | null;
}

/** The source's chain. */
export interface SourceChain {
  head: BlockRef;
  /** Newest block that cannot be undone; null where the source reports none. */
  finalized: number | null;
}

/** The next step. `rollback` undoes the blocks above the fork point that `findForkPoint` finds. */
export type Step =
  | { kind: "extend"; from: number; to: number }
  | { kind: "rollback" }
  | { kind: "finalize"; block: number }
  | { kind: "wait" };

/**
 * Returns the next step of the stored chain towards the source's chain.
 *
 * If the stored block at the head's height differs from the head, there is a fork of unknown depth. If the
 * two are the same, all blocks below are also on the source's chain, so the final ones among them can never
 * change. Apart from that, a head below the tip proves nothing: it may come from a lagging replica, so the
 * next head decides.
 *
 * @param storedAtHead the stored block at the head's height; null if there is none
 * @param last block at which to end; null: none
 */
export function nextStep(
  { firstBlock, tip, finalized: storedFinal }: StoredChain,
  { head, finalized }: SourceChain,
  storedAtHead: BlockRef | null,
  last: number | null,
): Step {
  if (storedAtHead !== null && storedAtHead.hash !== head.hash) return { kind: "rollback" };
  const from = tip === null ? firstBlock : tip.number + 1;
  const to = last === null ? head.number : Math.min(last, head.number);
  if (from <= to) return { kind: "extend", from, to };
  if (storedAtHead !== null && finalized !== null && finalized > (storedFinal ?? firstBlock - 1)) {
    return { kind: "finalize", block: Math.min(finalized, head.number) };
  }
  return { kind: "wait" };
}

/**
 * Returns true if a block extends the stored chain. If it is not the child of the tip, the tip was
 * reorganized away.
 */
export function isChildOf(tip: BlockRef | null, next: Pick<Block, "number" | "parentHash">): boolean {
  return tip === null || (next.number === tip.number + 1 && next.parentHash === tip.hash);
}

/**
 * Returns the lowest block that a rollback may leave as the newest. The block before the first indexed one
 * means that all blocks may be removed. If no block is known to be final, the floor is below the tip by the
 * number of blocks after which a block becomes final.
 */
export function rollbackFloor(
  chain: Pick<Chain, "finality" | "blockTimeMs">,
  { firstBlock, tip, finalized }: StoredChain,
): number {
  return Math.max(0, firstBlock - 1, finalized ?? (tip?.number ?? 0) - finalityDepth(chain));
}
