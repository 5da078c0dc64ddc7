import { describe, expect, it } from "vitest";
import type { Block } from "../schema/block.ts";
import { inBatches } from "./batches.ts";

const blockOf = (number: number, transactions = 0) =>
  ({ number, transactions: Array.from({ length: transactions }, () => ({ logs: [] })) }) as unknown as Block;

async function* stream(...blocks: Block[]) {
  yield* blocks;
}

async function numbers(blocks: AsyncIterable<Block>, limits: { blocks: number; items: number }) {
  const batches: number[][] = [];
  for await (const batch of inBatches(blocks, limits)) batches.push(batch.map(({ number }) => number));
  return batches;
}

describe("inBatches", () => {
  it("closes a batch at the bound of blocks, and the last with the stream", async () => {
    const blocks = stream(...[1, 2, 3, 4, 5].map((number) => blockOf(number)));
    expect(await numbers(blocks, { blocks: 2, items: 100 })).toEqual([[1, 2], [3, 4], [5]]);
  });

  it("closes a batch at the bound of items, which one block may exceed", async () => {
    const blocks = stream(blockOf(1, 2), blockOf(2, 50), blockOf(3), blockOf(4));
    expect(await numbers(blocks, { blocks: 100, items: 10 })).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it("gives nothing for nothing", async () => {
    expect(await numbers(stream(), { blocks: 2, items: 2 })).toEqual([]);
  });
});
