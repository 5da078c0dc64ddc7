import { describe, expect, it } from "vitest";
import { bundleCounts, MAINNET } from "../../../test/support/nodes/bundles.ts";
import { recordedBlocks, recordedCalls } from "../../../test/support/nodes/recording.ts";
import type { Chain } from "../../chains/chain.ts";
import { ethereum } from "../../chains/ethereum.ts";
import { scanBlock } from "../../decode/blocks/scan-block.ts";
import { unknownPools } from "../../decode/discovery/unknown-pools.ts";
import type { Hex } from "../../lib/hex.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { Pool } from "../../schema/swap.ts";
import { discoverContractPools } from "./contract-pools.ts";

const V2_POOL: Hex = "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc";

const word = (hex: string): Hex => `0x${hex.replace("0x", "").padStart(64, "0")}`;

/** The chain without init-code hashes: every pool must be confirmed by its factory. */
const withoutInitCode: Chain = {
  ...ethereum,
  deployments: ethereum.deployments.map((deployment) => ({ ...deployment, initCodeHash: null })),
};

describe("discoverContractPools", () => {
  it("calls nothing without candidates", async () => {
    const call = () => Promise.reject(new Error("called"));
    expect(await discoverContractPools([], ethereum, call)).toEqual(new Map());
  });

  it("judges nothing if the call fails", async () => {
    const call = () => Promise.reject(new Error("no endpoint"));
    await expect(
      discoverContractPools([{ address: V2_POOL, family: "uniswap-v2" }], ethereum, call),
    ).rejects.toThrow("no endpoint");
  });

  it("judges real pools by CREATE2 as by their factories", async () => {
    const scanned = recordedBlocks(MAINNET).map((block) => scanBlock(block, ethereum));
    const candidates = unknownPools(scanned, new Map());
    const byAddress = await discoverContractPools(candidates, ethereum, recordedCalls(MAINNET));
    const genuine = [...byAddress.values()].filter((pool) => pool !== null);
    const call = factoriesKnowing(recordedCalls(MAINNET), genuine);
    expect(genuine).toHaveLength(bundleCounts(MAINNET).answeringPools);
    // It returns no fee, which the factory's function needs.
    byAddress.delete("0x35644fb61afbc458bf92b15add6abc1996be5014");
    expect(await discoverContractPools(candidates, withoutInitCode, call)).toEqual(byAddress);
  });
});

/** A node whose factories know the given pools. */
function factoriesKnowing(call: (calls: ContractCall[]) => Promise<(Hex | null)[]>, pools: Pool[]) {
  const confirmations = new Map<string, Hex>(
    pools.map(({ address, factory, token0, token1, fee, family }) => {
      const key = `${token0.slice(2).padStart(64, "0")}${token1.slice(2).padStart(64, "0")}`;
      const selector = family === "uniswap-v2" ? "0xe6a43905" : "0x1698ee82";
      const feeWord = family === "uniswap-v2" ? "" : (fee ?? 0).toString(16).padStart(64, "0");
      return [`${factory}${selector}${key}${feeWord}`, word(address)] as const;
    }),
  );
  return async (calls: ContractCall[]) => {
    const recorded = await call(calls);
    return calls.map(({ to, data }, i) => confirmations.get(`${to}${data}`) ?? recorded[i] ?? null);
  };
}
