import { describe, expect, it } from "vitest";
import { bundleCounts, MAINNET } from "../../../test/support/nodes/bundles.ts";
import { recordedBlocks, recordedLogs } from "../../../test/support/nodes/recording.ts";
import { ethereum } from "../../chains/ethereum.ts";
import type { Hex } from "../../lib/hex.ts";
import { scanBlock } from "../blocks/scan-block.ts";
import { emittersOf, poolIdOf } from "../pools/pool-id.ts";
import { POOL_EVENTS } from "../pools/swap-families.ts";
import { unknownPools } from "./unknown-pools.ts";

describe("unknownPools on real blocks", () => {
  const blocks = recordedBlocks(MAINNET).map((block) => scanBlock(block, ethereum));

  it("returns the pool of each pool event once, and no pool that is created there", () => {
    const found = unknownPools(blocks, new Map());
    const emitters = emittersOf(ethereum);
    const pools = new Set(
      recordedLogs(MAINNET).flatMap((log) => {
        const families = (POOL_EVENTS.get(log.topics[0] ?? "0x") ?? []).map(({ family }) => family);
        const onChain = families.find((one) => ethereum.deployments.some(({ family }) => family === one));
        return (onChain && poolIdOf(log, onChain, emitters)) ?? [];
      }),
    );
    for (const address of bundleCounts(MAINNET).createdPools) pools.delete(address as Hex);
    expect(found.map(({ address }) => address).sort()).toEqual([...pools].sort());
  });

  it("returns no known contract, genuine or not", () => {
    const known = new Map(unknownPools(blocks, new Map()).map(({ address }) => [address, null]));
    expect(unknownPools(blocks, known)).toEqual([]);
  });
});
