import type { Block } from "../schema/block.ts";

/** When a batch of blocks is full: the first bound that is reached closes it. */
export interface BatchLimits {
  /** Keeps the memory of one batch bounded on empty chains, where rows alone never would. */
  blocks: number;
  /** Logs and transactions: what a batch costs in memory and in one write. */
  items: number;
}

/** Two batches are in memory at once (one decoded, one written); 50,000 items are about 100 MB of rows. */
export const BATCH_LIMITS: BatchLimits = { blocks: 1_000, items: 50_000 };

/**
 * Groups blocks in order. The newest block that the range asks for is never waited beyond: at the head,
 * a batch is one block.
 */
export async function* inBatches(
  blocks: AsyncIterable<Block>,
  limits: BatchLimits = BATCH_LIMITS,
): AsyncGenerator<Block[]> {
  let batch: Block[] = [];
  let items = 0;
  for await (const block of blocks) {
    batch.push(block);
    items += itemsOf(block);
    if (batch.length >= limits.blocks || items >= limits.items) {
      yield batch;
      batch = [];
      items = 0;
    }
  }
  if (batch.length > 0) yield batch;
}

export function itemsOf(block: Block): number {
  return block.transactions.reduce((sum, transaction) => sum + 1 + transaction.logs.length, 1);
}
