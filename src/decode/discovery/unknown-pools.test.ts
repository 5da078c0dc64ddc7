import { describe, expect, it } from "vitest";
import { bundlesArePresent, MAINNET } from "../../../test/support/nodes/bundles.ts";
import { recordedBlocks, recordedLogs } from "../../../test/support/nodes/recording.ts";
import { ethereum } from "../../chains/ethereum.ts";
import { scanBlock } from "../blocks/scan-block.ts";
import { POOL_EVENTS } from "../pools/swap-families.ts";
import { unknownPools } from "./unknown-pools.ts";

describe.skipIf(!bundlesArePresent)("unknownPools on real blocks", () => {
  const blocks = recordedBlocks(MAINNET).map((block) => scanBlock(block, ethereum));

  it("returns each emitter of a pool event once, and no pool that is created there", () => {
    const found = unknownPools(blocks, new Map());
    const emitters = new Set(
      recordedLogs(MAINNET)
        .filter(({ topics: [topic] }) => topic !== undefined && POOL_EVENTS.has(topic))
        .map(({ address }) => address),
    );
    emitters.delete("0xba3a3e2fe94d60b656f2f5ff9e51c4b64679dabe");
    emitters.delete("0x4c3736d3ba328c2b6e65bb0b1f2a7bcb7afece41");
    expect(found.map(({ address }) => address).sort()).toEqual([...emitters].sort());
  });

  it("returns no known contract, genuine or not", () => {
    const known = new Map(unknownPools(blocks, new Map()).map(({ address }) => [address, null]));
    expect(unknownPools(blocks, known)).toEqual([]);
  });
});
