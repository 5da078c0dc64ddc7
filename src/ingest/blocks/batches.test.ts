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
  it("closes a batch at the bound of blocks, and the last with the stream", async () => {
    const blocks = stream(...[1, 2, 3, 4, 5].map((number) => blockOf(number)));
    expect(await numbers(blocks, { blocks: 2, items: 100, waitMs })).toEqual([[1, 2], [3, 4], [5]]);
  });

  it("closes a batch at the bound of items, which one block may exceed", async () => {
    const blocks = stream(blockOf(1, 2), blockOf(2, 50), blockOf(3), blockOf(4));
    expect(await numbers(blocks, { blocks: 100, items: 10, waitMs })).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it("gives nothing for nothing", async () => {
    expect(await numbers(stream(), { blocks: 2, items: 2, waitMs })).toEqual([]);
  });

  it("does not hold back what is there for a block that is late", async () => {
    let come: () => void = () => {};
    const late = new Promise<void>((resolve) => {
      come = resolve;
    });
    async function* slow() {
      yield blockOf(1);
      yield blockOf(2);
      await late;
      yield blockOf(3);
    }
    const batches = inBatches(slow(), { blocks: 10, items: 100, waitMs: 20 });
    expect((await batches.next()).value).toEqual([blockOf(1), blockOf(2)]);
    come();
    expect((await batches.next()).value).toEqual([blockOf(3)]);
    expect(await batches.next()).toMatchObject({ done: true });
  });

  it("gives out what came before a failure", async () => {
    async function* failing() {
      yield blockOf(1);
      throw new Error("no more");
    }
    const batches = inBatches(failing(), { blocks: 10, items: 100, waitMs });
    expect((await batches.next()).value).toEqual([blockOf(1)]);
    await expect(batches.next()).rejects.toThrow("no more");
  });

  it("closes the stream when nobody wants more", async () => {
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
