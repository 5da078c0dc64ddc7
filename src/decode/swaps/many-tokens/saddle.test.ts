import { parseAbiItem } from "viem";
import { describe, expect, it } from "vitest";
import { DATA_SET, MAINNET } from "../../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../../test/support/nodes/recording.ts";
import { base } from "../../../chains/base.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import { polygon } from "../../../chains/polygon.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { Swap } from "../../../schema/swap.ts";
import { judgePools, poolCalls } from "../../discovery/contract-pools.ts";
import { eventsOf, logOf } from "../../support/published-logs.ts";
import { movedBy, recordedSwaps, withLogs } from "../../support/recorded-swaps.ts";

const TOKEN_SWAP = parseAbiItem(
  "event TokenSwap(address indexed buyer, uint256 tokensSold, uint256 tokensBought, uint128 soldId, uint128 boughtId)",
);
const SMOOTHY_SWAP = parseAbiItem(
  "event Swap(address indexed buyer, uint256 bTokenIdIn, uint256 bTokenIdOut, uint256 inAmount, uint256 outAmount)",
);
const SYNAPSE: Hex = "0x1116898dda4015ed8ddefb84b6e8bc24528af2d8";
/** Synapse's pool of nUSD on Polygon. */
const SYNAPSE_NUSD: Hex = "0x85fcd7dd0a1e1a9fcd5fd886ed522de8221c3ee5";
/** Saddle's pool of WETH, alETH and sETH. */
const SADDLE: Hex = "0xa6018520eaacc06c30ff2e1b3ee2c7c22e64196a";
const SMOOTHY: Hex = "0xe5859f4efc09027a9b718781dcb2c6910cac6e91";
const USDC: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const USDT: Hex = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const GUSD: Hex = "0x056fd409e1d7a124bd7017459dfea2f387b6d5cd";
const SETH: Hex = "0x5e74c9036fb86bd7ecdcb084a0673efc32ea31cb";
const NUSD: Hex = "0xb6c473756050de474286bed418b77aeac39b02af";
const POLYGON_USDT: Hex = "0xc2132d05d31c914a87c6611c10748aeb04b58e8f";
const TRADER: Hex = `0x${"66".repeat(20)}`;
const FAKE: Hex = "0x00000000000000000000000000000000deadbeef";

const blocks = recordedBlocks(MAINNET);
const swapsIn = (log: Log, chain = ethereum): Swap[] =>
  eventsOf([log], chain).filter((event) => event.kind === "swap");
/** Returns the event of a swap of 1000 units for 990. */
const tokenSwap = (pool: Hex, sold: bigint, bought: bigint) =>
  logOf(pool, TOKEN_SWAP, [TRADER, 1000n, 990n, sold, bought]);
const smoothySwap = (pool: Hex, sold: bigint, bought: bigint) =>
  logOf(pool, SMOOTHY_SWAP, [TRADER, sold, bought, 1000n, 990n]);

describe.each([
  {
    family: "saddle" as const,
    pool: SYNAPSE,
    expected: { token0: USDT, amount0: 80_206_864_963n, token1: USDC, amount1: -80_197_330_316n },
  },
  {
    family: "smoothy" as const,
    pool: SMOOTHY,
    expected: { token0: USDC, amount0: 24_161_815_706n, token1: USDT, amount1: -24_152_150_980n },
  },
])("$family on real blocks", ({ family, pool, expected }) => {
  it("reads every swap, with the transferred amounts", () => {
    const swaps = recordedSwaps(blocks, family);
    if (DATA_SET !== "full") return expect(swaps.length).toBeLessThanOrEqual(1);
    expect(swaps.map(({ swap }) => swap)).toMatchObject([
      { pool: { address: pool, fee: null }, ...expected },
    ]);
    for (const swap of swaps) expect(movedBy(swap, pool)).toEqual({ in: true, out: true });
  });

  it("makes no swap of a contract that is not listed", () => {
    const copied = withLogs(blocks, (log) => (log.address === pool ? { ...log, address: FAKE } : log));
    expect(recordedSwaps(copied, family)).toEqual([]);
  });

  it("judges a contract by the list, without a call", () => {
    const candidates = [pool, FAKE].map((address) => ({ address, family }));
    expect(poolCalls(candidates, ethereum)).toEqual([]);
    const { pools } = judgePools(candidates, [], ethereum);
    expect(pools.get(pool)).toMatchObject({ address: pool, family, factory: pool });
    expect(pools.get(FAKE)).toBeNull();
  });
});

describe("pools of Saddle and Synapse", () => {
  it("exchange the tokens with the event's indexes", () => {
    const amounts = { amount0: 1000n, amount1: -990n };
    expect(swapsIn(tokenSwap(SADDLE, 0n, 2n))).toMatchObject([
      { pool: { protocol: "saddle" }, token0: ethereum.wrappedNative, token1: SETH, ...amounts },
    ]);
    expect(swapsIn(tokenSwap(SYNAPSE_NUSD, 3n, 0n), polygon)).toMatchObject([
      { pool: { protocol: "synapse" }, token0: POLYGON_USDT, token1: NUSD, ...amounts },
    ]);
  });

  it("exchange no tokens that they do not have, nor a token for itself", () => {
    for (const [sold, bought] of [
      [0n, 3n],
      [3n, 0n],
      [1n, 1n],
      [0n, 2n ** 127n],
    ] as [bigint, bigint][]) {
      expect(swapsIn(tokenSwap(SADDLE, sold, bought))).toEqual([]);
    }
  });

  it("are pools only on their own chain", () => {
    expect(swapsIn(tokenSwap(SYNAPSE, 0n, 1n), base)).toEqual([]);
    expect(swapsIn(tokenSwap(SYNAPSE_NUSD, 0n, 1n))).toEqual([]);
  });
});

describe("Smoothy", () => {
  it("exchanges the tokens with the event's indexes", () => {
    expect(swapsIn(smoothySwap(SMOOTHY, 7n, 0n))).toMatchObject([
      { pool: { protocol: "smoothy" }, token0: GUSD, amount0: 1000n, token1: USDT, amount1: -990n },
    ]);
    expect(swapsIn(smoothySwap(SMOOTHY, 8n, 0n))).toEqual([]);
    expect(swapsIn(smoothySwap(FAKE, 7n, 0n))).toEqual([]);
  });
});
