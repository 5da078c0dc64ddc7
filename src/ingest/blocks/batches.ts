import { type Clock, systemClock } from "../../lib/async/clock.ts";
import { timeoutOf } from "../../lib/async/timeout.ts";
import type { Block } from "../../schema/block.ts";

/** Limits of a batch of blocks. The first one that is reached completes the batch. */
export interface BatchLimits {
  /** Bounds a batch on chains of nearly empty blocks, where it would never reach the limit of items. */
  blocks: number;
  /**
   * Total number of blocks, transactions and logs. It bounds the memory of a batch and the size of its write.
   */
  items: number;
  /** Flush an incomplete batch after this long; 0: use only the blocks that have already arrived. */
  waitMs: number;
}

/**
 * Two batches are in memory at once: one is decoded while the other is written. 50,000 items are about 150 MB
 * with their rows. If a batch takes two seconds to fill, blocks arrive so slowly that another commit costs
 * nothing and shows them to readers sooner.
 */
export const BATCH_LIMITS: BatchLimits = { blocks: 1_000, items: 50_000, waitMs: 2_000 };

/**
 * Groups blocks in order, at least one per batch. If the source fails, yields the blocks before the error
 * first.
 */
export async function* inBatches(
  blocks: AsyncIterable<Block>,
  limits: BatchLimits = BATCH_LIMITS,
  clock: Clock = systemClock,
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
      const timeout = timeoutOf(limits.waitMs, null, clock);
      for (let items = itemsOf(batch[0]); batch.length < limits.blocks && items < limits.items; ) {
        const block = await Promise.race([next.then(blockOf, () => null), timeout.elapsed]);
        if (block === null) break;
        batch.push(take(block));
        items += itemsOf(block);
      }
      timeout.cancel();
      yield batch;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Requests the next block ahead of time. An error is thrown only when the caller awaits the block. */
function nextOf(iterator: AsyncIterator<Block>): Promise<IteratorResult<Block>> {
  const next = iterator.next();
  next.catch(() => {});
  return next;
}

function blockOf(result: IteratorResult<Block>): Block | null {
  return result.done === true ? null : result.value;
}

export function itemsOf(block: Block): number {
  return block.transactions.reduce((sum, transaction) => sum + 1 + transaction.logs.length, 1);
}
