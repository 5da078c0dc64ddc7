import type { Chain } from "../../chains/chain.ts";
import type { Block, BlockRef } from "../../schema/block.ts";

/** The chain as it is stored. */
export interface StoredChain {
  /** First block that was ever indexed; while none is, the one to begin with. */
  firstBlock: number;
  /** Newest stored block. */
  tip: BlockRef | null;
  /** Newest block that was seen to be stored and final: no rollback goes below it. Null while none is known. */
  settled: number | null;
}

/** The chain as the source shows it. */
export interface ShownChain {
  head: BlockRef;
  /** Newest block that cannot be undone; null where the source does not tell. */
  finalized: number | null;
}

/** What to do next about the two. `rollback` takes back what `findForkPoint` finds to be gone. */
export type Step =
  | { kind: "extend"; from: number; to: number }
  | { kind: "rollback" }
  | { kind: "finalize"; block: number }
  | { kind: "wait" };

/**
 * The next step, given the stored block at the head's height (null: none is).
 *
 * Another block at that height is a fork, however long. The same block proves that all below it is the
 * source's chain, too, so that what is final by now stays for good. A head below the tip says nothing else: it
 * may be a lagging replica, and the next block tells.
 *
 * @param last where to end; null: never
 */
export function nextStep(
  { firstBlock, tip, settled }: StoredChain,
  { head, finalized }: ShownChain,
  { storedAtHead, last }: { storedAtHead: BlockRef | null; last: number | null },
): Step {
  if (storedAtHead !== null && storedAtHead.hash !== head.hash) return { kind: "rollback" };
  const from = tip === null ? firstBlock : tip.number + 1;
  const to = last === null ? head.number : Math.min(last, head.number);
  if (from <= to) return { kind: "extend", from, to };
  if (storedAtHead !== null && finalized !== null && finalized > (settled ?? firstBlock - 1)) {
    return { kind: "finalize", block: Math.min(finalized, head.number) };
  }
  return { kind: "wait" };
}

/** True when a block extends the stored chain. Anything but the child of the tip means that the tip is gone. */
export function isChildOf(tip: BlockRef | null, next: Pick<Block, "number" | "parentHash">): boolean {
  return tip === null || (next.number === tip.number + 1 && next.parentHash === tip.hash);
}

/** No chain in use takes longer to make a block final, unless it has stopped doing so. */
const LONGEST_FINALITY_MS = 3_600_000;

/**
 * The lowest block that a rollback may leave as the newest. The block before the first indexed one stands for
 * none at all. Where nothing was ever seen to be final, as far back as the chain's finality reaches.
 */
export function rollbackFloor(
  { finality, blockTimeMs }: Pick<Chain, "finality" | "blockTimeMs">,
  { firstBlock, tip, settled }: StoredChain,
): number {
  const reach = finality.kind === "depth" ? finality.blocks : Math.ceil(LONGEST_FINALITY_MS / blockTimeMs);
  return Math.max(0, firstBlock - 1, settled ?? (tip?.number ?? 0) - reach);
}
