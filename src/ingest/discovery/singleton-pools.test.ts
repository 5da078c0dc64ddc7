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
import { poolsOfPastLogs, poolsOfPositions } from "./singleton-pools.ts";

const unknownIn = (...logs: Log[]) => unknownPools([scanBlock(blockOf(...logs), ethereum)], new Map());

describe("pools of a singleton that are older than the index", () => {
  const candidates = unknownIn(SWAP, { ...SWAP, address: ZERO });

  it("are unknown, by their id", () => {
    expect(candidates).toMatchObject([{ address: ID, family: "uniswap-v4" }]);
    expect(unknownIn(initialize(ID, 500), SWAP)).toEqual([]);
  });

  const late = 22_000_000;
  const key = encodeAbiParameters(
    ["address", "address", "uint24", "int24", "address"].map((type) => ({ type })),
    [ZERO, USDC, 500, 10, ZERO],
  );
  const never = () => Promise.reject(new Error("requested"));

  it("are revealed by the PositionManager and proven by their key", async () => {
    const requests: object[] = [];
    const call = async (calls: object[]) => {
      requests.push(...calls);
      return [key];
    };
    expect([...(await poolsOfPositions(candidates, ethereum, late, call))]).toEqual([[ID, POOL]]);
    const abi = parseAbi(["function poolKeys(bytes25 id)"]);
    const data = encodeFunctionData({ abi, args: [ID.slice(0, 52) as Hex] });
    expect(requests).toEqual([{ to: "0xbd216513d74c8cf14cf4747e6aaa6420ff64ee9e", data }]);
  });

  it.each<[string, Hex | null]>([
    ["returns zeros", `0x${"0".repeat(320)}`],
    ["returns another key", key.replace("1f4", "1f5") as Hex],
    ["returns half a key", key.slice(0, 200) as Hex],
    ["returns more than a key", `${key}00`],
    ["reverts", null],
  ])("stay unknown if the PositionManager %s", async (_, result) => {
    expect(await poolsOfPositions(candidates, ethereum, late, async () => [result])).toEqual(new Map());
  });

  it("are revealed by old logs and proven by their creation", async () => {
    const requests: object[] = [];
    const pastLogs = async (filter: object) => {
      requests.push(filter);
      const unrequested = [500, DYNAMIC_FEE].map((fee) => initialize(DYNAMIC_ID, fee));
      return [initialize(ID, 500), ...unrequested];
    };
    expect([...(await poolsOfPastLogs([ID], ethereum, late, pastLogs))]).toEqual([[ID, POOL]]);
    expect(requests).toEqual([
      {
        address: MANAGER,
        topic: "0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438",
        ids: [ID],
        from: 21_688_329,
        to: 21_999_999,
      },
    ]);
  });

  it("stay unknown if no node reveals them, and are not requested if none can be older", async () => {
    expect(await poolsOfPastLogs([ID], ethereum, late, async () => null)).toEqual(new Map());
    const early = 21_688_329;
    expect(await poolsOfPositions(candidates, ethereum, early, never)).toEqual(new Map());
    expect(await poolsOfPastLogs([ID], ethereum, early, never)).toEqual(new Map());
  });
});
