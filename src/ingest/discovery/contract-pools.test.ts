import { encodeAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import { bundleCounts, MAINNET } from "../../../test/support/nodes/bundles.ts";
import { recordedBlocks, recordedCalls } from "../../../test/support/nodes/recording.ts";
import { withoutInitCode } from "../../../test/support/nodes/without-init-code.ts";
import { ethereum } from "../../chains/ethereum.ts";
import { scanBlock } from "../../decode/blocks/scan-block.ts";
import { unknownPools } from "../../decode/discovery/unknown-pools.ts";
import type { Hex } from "../../lib/hex.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { Pool } from "../../schema/swap.ts";
import type { Source } from "../../sources/source.ts";
import { discoverContractPools } from "./contract-pools.ts";

const V2_POOL: Hex = "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc";

/** Families whose pool addresses follow from CREATE2. */
const DERIVED: readonly string[] = ["uniswap-v2", "uniswap-v3"];

const word = (hex: string): Hex => `0x${hex.replace("0x", "").padStart(64, "0")}`;

describe("discoverContractPools", () => {
  it("calls nothing without candidates", async () => {
    const call = () => Promise.reject(new Error("called"));
    expect(await discoverContractPools([], ethereum, call, 0)).toEqual(new Map());
  });

  it("judges nothing if the call fails", async () => {
    const call = () => Promise.reject(new Error("no endpoint"));
    await expect(
      discoverContractPools(
        [{ address: V2_POOL, family: "uniswap-v2", block: { number: 9 } }],
        ethereum,
        call,
        0,
      ),
    ).rejects.toThrow("no endpoint");
  });

  it("judges real pools by CREATE2 as by their factories", async () => {
    const scanned = recordedBlocks(MAINNET).map((block) => scanBlock(block, ethereum));
    const candidates = unknownPools(scanned, new Map()).filter(({ family }) => DERIVED.includes(family));
    const byAddress = await discoverContractPools(candidates, ethereum, recordedCalls(MAINNET), 0);
    const genuine = [...byAddress.values()].filter((pool) => pool !== null);
    const call = factoriesKnowing(recordedCalls(MAINNET), genuine);
    expect(genuine).toHaveLength(bundleCounts(MAINNET).answeringPools);
    // The recorded calls of this pool return no fee, which the factory's function needs. CREATE2 finds the
    // fee.
    byAddress.delete("0x35644fb61afbc458bf92b15add6abc1996be5014");
    expect(await discoverContractPools(candidates, withoutInitCode, call, 0)).toEqual(byAddress);
  });

  it("accepts no pool that CREATE2 disproves, even from a node whose factories confirm every contract", async () => {
    const scanned = recordedBlocks(MAINNET).map((block) => scanBlock(block, ethereum));
    const candidates = unknownPools(scanned, new Map()).filter(({ family }) => DERIVED.includes(family));
    expect(candidates.length).toBeGreaterThanOrEqual(bundleCounts(MAINNET).answeringPools);
    for (const { factory } of ethereum.deployments.slice(0, 2)) {
      const found = await discoverContractPools(candidates, ethereum, lyingNode(factory), 0);
      expect([...found.values()].filter((pool) => pool !== null)).toEqual([]);
    }
  });

  describe("of a registry that announces its pools", () => {
    const pool: Hex = "0x55dcf9455eee8fd3f5eed17606291272cde428a8";
    const registry: Hex = "0x5fccb84363f020c0cade052c9c654aabf932814a";
    const registered = 23_000_000;
    const listed = encodeAbiParameters([{ type: "address[]" }], [[pool]]);
    const none = encodeAbiParameters([{ type: "address[]" }], [[]]);
    const newest = registered + 1_000;
    const calls: ContractCall[] = [];
    const call: Source["call"] = async (made) => {
      calls.push(...made);
      return made.map(({ to, block }): Hex => {
        if (to === registry) return (block?.number ?? newest) < registered ? none : listed;
        return `${word(ethereum.wrappedNative)}${word(V2_POOL).slice(2)}`;
      });
    };
    const found = (number: number, indexedFrom: number) =>
      discoverContractPools(
        [{ address: pool, family: "euler-swap-v2", block: { number } }],
        ethereum,
        call,
        indexedFrom,
      );

    it("reads the state of the candidate's first block, not the newest one", async () => {
      expect((await found(registered - 1, 1)).get(pool)).toBeNull();
      expect((await found(registered, 1)).get(pool)).toMatchObject({ protocol: "eulerswap_v2" });
    });

    it("calls no registry whose announcements are all indexed", async () => {
      calls.length = 0;
      expect((await found(registered, 0)).get(pool)).toBeNull();
      expect(calls.map(({ to }) => to)).toEqual([pool]);
    });
  });
});

/**
 * Makes a node on which every contract claims to be a pool of this factory, with its own token. The factory
 * confirms every claim.
 */
function lyingNode(factory: Hex): Source["call"] {
  const lies: Record<Hex, Hex> = {
    "0xd21220a7": word("ff"),
    "0xc45a0155": word(factory),
    "0xddca3f43": word("bb8"),
  };
  return async (calls) =>
    calls.map(({ to, data }): Hex => (to === factory ? `0x${data.slice(10, 74)}` : (lies[data] ?? word(to))));
}

/** Makes a node whose factories know the given pools. */
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
