import type { Block } from "../../schema/block.ts";

/** When a batch of blocks is full: the first bound that is reached closes it. */
export interface BatchLimits {
  /** Keeps the memory of one batch bounded on empty chains, where rows alone never would. */
  blocks: number;
  /** Logs and transactions: what a batch costs in memory and in one write. */
  items: number;
  /** What is there is not held back longer than this for blocks that are still to come. */
  waitMs: number;
}

/**
 * Two batches are in memory at once (one decoded, one written); 50,000 items are about 150 MB with their rows. Two
 * seconds: where blocks come that slowly, a commit more costs nothing, and readers see them.
 */
export const BATCH_LIMITS: BatchLimits = { blocks: 1_000, items: 50_000, waitMs: 2_000 };

/** Groups blocks in order; each batch has at least one. When the blocks end by failing, what came before is given out. */
export async function* inBatches(
  blocks: AsyncIterable<Block>,
  limits: BatchLimits = BATCH_LIMITS,
): AsyncGenerator<[Block, ...Block[]]> {
  const iterator = blocks[Symbol.asyncIterator]();
  let next = nextOf(iterator);
  const take = (block: Block) => {
    next = nextOf(iterator);
    return block;
  };
  try {
    for (let first = await next; first.done !== true; first = await next) {
      const batch: [Block, ...Block[]] = [take(first.value)];
      const deadline = deadlineIn(limits.waitMs);
      for (let items = itemsOf(batch[0]); batch.length < limits.blocks && items < limits.items; ) {
        const block = await Promise.race([next.then(blockOf, () => null), deadline.passed]);
        if (block === null) break;
        batch.push(take(block));
        items += itemsOf(block);
      }
      deadline.cancel();
      yield batch;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Asked for ahead of its use; a failure is seen where it is waited for. */
function nextOf(iterator: AsyncIterator<Block>): Promise<IteratorResult<Block>> {
  const next = iterator.next();
  next.catch(() => {});
  return next;
}

function blockOf(result: IteratorResult<Block>): Block | null {
  return result.done === true ? null : result.value;
}

function deadlineIn(ms: number): { passed: Promise<null>; cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  return { passed, cancel: () => clearTimeout(timer) };
}

export function itemsOf(block: Block): number {
  return block.transactions.reduce((sum, transaction) => sum + 1 + transaction.logs.length, 1);
}
