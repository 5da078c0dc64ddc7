import { encodeAbiParameters, encodeFunctionData, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { ethereum } from "../../chains/ethereum.ts";
import { scanBlock } from "../../decode/blocks/scan-block.ts";
import { unknownPools } from "../../decode/discovery/unknown-pools.ts";
import {
  blockOf,
  DYNAMIC_FEE,
  DYNAMIC_ID,
  ID,
  initialize,
  MANAGER,
  POOL,
  SWAP,
  USDC,
  ZERO,
} from "../../decode/support/v4-logs.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import { discoverSingletonPools } from "./singleton-pools.ts";

const unknownIn = (...logs: Log[]) => unknownPools([scanBlock(blockOf(...logs), ethereum)], new Map());

describe("pools of a singleton that are older than the index", () => {
  const candidates = unknownIn(SWAP, { ...SWAP, address: ZERO });

  it("are unknown by their id", () => {
    expect(candidates).toEqual([{ address: ID, family: "uniswap-v4" }]);
    expect(unknownIn(initialize(ID, 500), SWAP)).toEqual([]);
  });

  const late = 22_000_000;
  const key = encodeAbiParameters(
    ["address", "address", "uint24", "int24", "address"].map((type) => ({ type })),
    [ZERO, USDC, 500, 10, ZERO],
  );
  const nobody = { call: async () => [null], pastLogs: async () => null };

  it("are told by the PositionManager, and proven by their key", async () => {
    const asked: object[] = [];
    const call = async (calls: object[]) => {
      asked.push(...calls);
      return [key];
    };
    const never = () => Promise.reject(new Error("asked for logs"));
    expect([
      ...(await discoverSingletonPools(candidates, ethereum, late, { call, pastLogs: never })),
    ]).toEqual([[ID, POOL]]);
    const abi = parseAbi(["function poolKeys(bytes25 id)"]);
    const data = encodeFunctionData({ abi, args: [ID.slice(0, 52) as Hex] });
    expect(asked).toEqual([{ to: "0xbd216513d74c8cf14cf4747e6aaa6420ff64ee9e", data }]);
  });

  it.each<[string, Hex | null]>([
    ["knows nothing", `0x${"0".repeat(320)}`],
    ["tells another key", key.replace("1f4", "1f5") as Hex],
    ["tells half a key", key.slice(0, 200) as Hex],
    ["tells more", `${key}00`],
    ["reverts", null],
  ])(
    "are asked of the node where the PositionManager %s, and proven by what created them",
    async (_, told) => {
      const asked: object[] = [];
      const pastLogs = async (filter: object) => {
        asked.push(filter);
        const unasked = [500, DYNAMIC_FEE].map((fee) => initialize(DYNAMIC_ID, fee));
        return [initialize(ID, 500), ...unasked];
      };
      const found = await discoverSingletonPools(candidates, ethereum, late, {
        call: async () => [told],
        pastLogs,
      });
      expect([...found]).toEqual([[ID, POOL]]);
      expect(asked).toEqual([
        {
          address: MANAGER,
          topics: [["0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438"], [ID]],
          from: 21_688_329,
          to: 21_999_999,
          atLeast: 1,
        },
      ]);
    },
  );

  it("stay unknown where nobody tells, and are not asked for where none can be older", async () => {
    expect(await discoverSingletonPools(candidates, ethereum, late, nobody)).toEqual(new Map());
    const early = 21_688_329;
    const never = () => Promise.reject(new Error("asked"));
    expect(
      await discoverSingletonPools(candidates, ethereum, early, { call: never, pastLogs: never }),
    ).toEqual(new Map());
  });
});
