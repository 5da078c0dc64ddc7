import { describe, expect, it } from "vitest";
import { ethereum } from "../../src/chains/ethereum.ts";
import type { Block } from "../../src/schema/block.ts";
import { bundleCounts, MAINNET } from "../support/nodes/bundles.ts";
import { poolsOf } from "../support/nodes/decoded-blocks.ts";
import { EndlessChain } from "../support/nodes/endless-chain.ts";
import { recordedBlocks } from "../support/nodes/recording.ts";

const ROUND = bundleCounts(MAINNET).blocks;

function blocksOf(chain: EndlessChain, round: number): Block[] {
  return Array.from({ length: ROUND }, (_, i) => chain.block(chain.first + round * ROUND + i));
}

async function genuinePools(chain: EndlessChain, blocks: Block[]): Promise<string[]> {
  const call = async (calls: Parameters<EndlessChain["call"]>[0][]) =>
    calls.map((asked) => chain.call(asked));
  const found = await poolsOf(blocks, ethereum, call);
  return [...found].filter(([, pool]) => pool !== null).map(([address]) => address);
}

/** Returns a block without the parts that differ between repetitions. */
function withoutNames(block: Block) {
  const transactions = block.transactions.map((transaction) => ({ ...transaction, hash: "" }));
  return { ...block, hash: "", parentHash: "", transactions };
}

describe("EndlessChain", () => {
  it("starts with the recorded blocks and continues with linked blocks 12 seconds apart", async () => {
    const chain = await EndlessChain.open(ethereum);
    const blocks = [...blocksOf(chain, 0), ...blocksOf(chain, 1)];
    expect(blocks.slice(0, ROUND).map(withoutNames)).toEqual(
      recordedBlocks(MAINNET, "none").map(withoutNames),
    );
    for (const [i, block] of blocks.slice(1).entries()) {
      expect(block.parentHash).toBe(blocks[i]?.hash);
      expect(block.timestamp).toBe((blocks[i]?.timestamp ?? 0) + 12);
    }
    const hashes = blocks.flatMap(({ transactions }) => transactions.map(({ hash }) => hash));
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it("keeps getting new pools of real factories, as many as the recording has", async () => {
    const chain = await EndlessChain.open(ethereum);
    const recorded = await genuinePools(chain, blocksOf(chain, 0));
    const later = await genuinePools(chain, blocksOf(chain, 1_000));
    expect(later).toHaveLength(recorded.length);
    const kept = later.filter((address) => recorded.includes(address));
    expect(kept.length).toBeGreaterThan(recorded.length / 12);
    expect(kept.length).toBeLessThan(recorded.length / 2);
  });

  it("has different hashes on another fork", async () => {
    const chain = await EndlessChain.open(ethereum);
    const fork = await EndlessChain.open(ethereum, { fork: "fork" });
    const [block, other] = [chain.block(chain.first), fork.block(fork.first)];
    expect(other.hash).not.toBe(block.hash);
    expect(withoutNames(other)).toEqual(withoutNames(block));
  });
});
