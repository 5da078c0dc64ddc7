import type { Commit } from "../../storage/store.ts";
import { blocksIn, type Finding, mergeSpans } from "../finding.ts";
import type { BlockSpan } from "../invariant.ts";

export interface RepairPlan {
  /** Blocks to replace, ascending. */
  spans: BlockSpan[];
  /** First block to roll back; null if there is none. The indexer fetches all blocks from there again. */
  rollbackFrom: number | null;
}

/**
 * Number of damaged blocks, and share of the chain, above which all blocks from the first damaged one on are
 * rolled back. Replacing more blocks takes longer than indexing them again, because each batch rewrites parts
 * of every table.
 */
const ROLLBACK_BLOCKS = 10_000;
const ROLLBACK_SHARE = 0.2;

/**
 * Maximum number of undamaged blocks between two damaged spans that are replaced with them. Fetching a few
 * more blocks takes less time than rewriting parts of every table once more.
 */
const MAX_GAP_BLOCKS = 4;

/**
 * Plans the repair of findings. Damage that may be a consequence of other damage is included only if nothing
 * else is left. If more than ROLLBACK_BLOCKS blocks and more than ROLLBACK_SHARE of the chain are damaged,
 * all blocks from the first damaged one on are rolled back. Otherwise, a damaged span that extends to the
 * newest block is rolled back, and other damaged spans are replaced. The indexer fetches the blocks of a
 * rollback as usual.
 */
export function planRepair(findings: readonly Finding[], { firstBlock, blockNumber }: Commit): RepairPlan {
  const direct = findings.filter(({ remedy }) => remedy === "blocks");
  const chosen = direct.length > 0 ? direct : findings.filter(({ remedy }) => remedy === "others");
  const spans = mergeSpans(
    chosen.flatMap((finding) => finding.spans),
    MAX_GAP_BLOCKS,
  ).map(({ first, last }) => ({
    first: Math.max(first, firstBlock),
    last: Math.min(last, blockNumber),
  }));
  const damaged = blocksIn(spans);
  const share = damaged / (blockNumber - firstBlock + 1);
  const [first] = spans;
  if (first !== undefined && damaged > ROLLBACK_BLOCKS && share > ROLLBACK_SHARE) {
    return { spans: [], rollbackFrom: first.first };
  }
  const newest = spans.at(-1);
  if (newest?.last !== blockNumber) return { spans, rollbackFrom: null };
  return { spans: spans.slice(0, -1), rollbackFrom: newest.first };
}
