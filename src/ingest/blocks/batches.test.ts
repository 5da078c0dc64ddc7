import { describe, expect, it } from "vitest";
import type { Block } from "../../schema/block.ts";
import { type BatchLimits, inBatches } from "./batches.ts";

const blockOf = (number: number, transactions = 0) =>
  ({ number, transactions: Array.from({ length: transactions }, () => ({ logs: [] })) }) as unknown as Block;

async function* stream(...blocks: Block[]) {
  yield* blocks;
}

async function numbers(blocks: AsyncIterable<Block>, limits: BatchLimits) {
  const batches: number[][] = [];
  for await (const batch of inBatches(blocks, limits)) batches.push(batch.map(({ number }) => number));
  return batches;
}

const waitMs = 10_000;

describe("inBatches", () => {
  it("completes a batch at the limit of blocks, and the last one at the end of the stream", async () => {
    const blocks = stream(...[1, 2, 3, 4, 5].map((number) => blockOf(number)));
    expect(await numbers(blocks, { blocks: 2, items: 100, waitMs })).toEqual([[1, 2], [3, 4], [5]]);
  });

  it("completes a batch at the limit of items, which one block may exceed", async () => {
    const blocks = stream(blockOf(1, 2), blockOf(2, 50), blockOf(3), blockOf(4));
    expect(await numbers(blocks, { blocks: 100, items: 10, waitMs })).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it("yields no batch for no blocks", async () => {
    expect(await numbers(stream(), { blocks: 2, items: 2, waitMs })).toEqual([]);
  });

  it("does not hold back blocks for one that is late", async () => {
    let arrive: () => void = () => {};
    const late = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    async function* slow() {
      yield blockOf(1);
      yield blockOf(2);
      await late;
      yield blockOf(3);
    }
    const batches = inBatches(slow(), { blocks: 10, items: 100, waitMs: 20 });
    expect((await batches.next()).value).toEqual([blockOf(1), blockOf(2)]);
    arrive();
    expect((await batches.next()).value).toEqual([blockOf(3)]);
    expect(await batches.next()).toMatchObject({ done: true });
  });

  it("yields the blocks before an error", async () => {
    async function* failing() {
      yield blockOf(1);
      throw new Error("no more blocks");
    }
    const batches = inBatches(failing(), { blocks: 10, items: 100, waitMs });
    expect((await batches.next()).value).toEqual([blockOf(1)]);
    await expect(batches.next()).rejects.toThrow("no more blocks");
  });

  it("closes the stream when the consumer stops", async () => {
    let isClosed = false;
    async function* endless() {
      try {
        for (let number = 1; ; number++) yield blockOf(number);
      } finally {
        isClosed = true;
      }
    }
    for await (const batch of inBatches(endless(), { blocks: 2, items: 100, waitMs })) {
      expect(batch).toHaveLength(2);
      break;
    }
    expect(isClosed).toBe(true);
  });
});
