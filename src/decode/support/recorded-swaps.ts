import { ethereum } from "../../chains/ethereum.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Log } from "../../schema/block.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { Erc20Transfer, Pool, Swap } from "../../schema/swap.ts";
import { decodeBlock } from "../blocks/decode-block.ts";
import { scanBlock } from "../blocks/scan-block.ts";
import type { BufferAssets } from "../families/buffers.ts";

interface RecordedSwap {
  swap: Swap;
  /** ERC-20 transfers of the swap's transaction. */
  transfers: readonly Erc20Transfer[];
}

/**
 * Returns the swaps of a family in blocks of Ethereum, in order. `known` has the pools that calls have
 * proven, and `buffers` the underlying tokens that calls revealed.
 */
export function recordedSwaps(
  blocks: readonly Block[],
  family: PoolFamily,
  known: ReadonlyMap<Hex, Pool> = new Map(),
  buffers: BufferAssets = new Map(),
): RecordedSwap[] {
  return blocks.flatMap((block) => {
    const { transactions } = decodeBlock(scanBlock(block, ethereum), known, ethereum, buffers);
    return transactions.flatMap(({ events }) => {
      const transfers = events.filter((event) => event.kind === "erc20");
      return events.flatMap((event) =>
        event.kind === "swap" && event.pool.family === family ? { swap: event, transfers } : [],
      );
    });
  });
}

/** Returns whether transfers in a swap's transaction moved its exact amounts into and out of the holder. */
export function movedBy({ swap, transfers }: RecordedSwap, holder: Hex): { in: boolean; out: boolean } {
  const sides = [
    { token: swap.token0, amount: swap.amount0 },
    { token: swap.token1, amount: swap.amount1 },
  ];
  return {
    in: sides.some(({ token, amount }) =>
      transfers.some((one) => one.to === holder && one.token === token && one.value === amount),
    ),
    out: sides.some(({ token, amount }) =>
      transfers.some((one) => one.from === holder && one.token === token && one.value === -amount),
    ),
  };
}

/** Returns the blocks with each log replaced. */
export function withLogs(blocks: readonly Block[], replace: (log: Log) => Log): Block[] {
  return blocks.map((block) => ({
    ...block,
    transactions: block.transactions.map((transaction) => ({
      ...transaction,
      logs: transaction.logs.map(replace),
    })),
  }));
}

/** Returns the logs that have a topic, in order. */
export function logsWith(blocks: readonly Block[], topic: Hex): Log[] {
  return blocks.flatMap(({ transactions }) =>
    transactions.flatMap(({ logs }) => logs.filter(({ topics }) => topics[0] === topic)),
  );
}
