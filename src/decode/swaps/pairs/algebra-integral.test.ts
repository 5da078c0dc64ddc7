import { parseAbiItem } from "viem";
import { describe, expect, it } from "vitest";
import { base } from "../../../chains/base.ts";
import type { Chain } from "../../../chains/chain.ts";
import { polygon } from "../../../chains/polygon.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { Pool } from "../../../schema/swap.ts";
import { judgePools, poolCalls } from "../../discovery/contract-pools.ts";
import { createdPool } from "../../pools/created-pool.ts";
import { eventsOf, logOf, transferLog } from "../../support/published-logs.ts";

const SWAP = parseAbiItem(
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 price, uint128 liquidity, int24 tick, uint24 overrideFee, uint24 pluginFee)",
);
const MINT = parseAbiItem(
  "event Mint(address sender, address indexed owner, int24 indexed bottomTick, int24 indexed topTick, uint128 liquidityAmount, uint256 amount0, uint256 amount1)",
);
const BURN = parseAbiItem(
  "event Burn(address indexed owner, int24 indexed bottomTick, int24 indexed topTick, uint128 liquidityAmount, uint256 amount0, uint256 amount1, uint24 pluginFee)",
);
const COLLECT = parseAbiItem(
  "event Collect(address indexed owner, address recipient, int24 indexed bottomTick, int24 indexed topTick, uint128 amount0, uint128 amount1)",
);
const CREATED = parseAbiItem("event Pool(address indexed token0, address indexed token1, address pool)");
const FACTORY: Hex = "0xc5396866754799b9720125b104ae01d935ab9c7b";
const FAKE: Hex = "0x00000000000000000000000000000000deadbeef";
const word = (hex: string): Hex => `0x${hex.replace("0x", "").padStart(64, "0")}`;

/** A pool on Base, and its swap in transaction 0x16b0e096… of block 34841625. */
const POOL: Hex = "0xb780bd13876dd8219d06ad88f88d6c72c35b902f";
const USDC: Hex = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const TOKEN: Hex = "0xe5f2fe713cdb192c85e67a912ff8891b4e636614";
const TRADER: Hex = "0x9ba704115f0ed3a431a025ffa0525fdd1d507c3c";
const ROUTER: Hex = "0xe6c9bb24ddb4ae5c6632dbe0de14e3e474c6cb04";
const AMOUNTS = [10_000n, -9_988n] as const;
const swap = (pool: Hex): Log => {
  const price = 0xffe00e24f9485e94f9ff5021n;
  return logOf(pool, SWAP, [ROUTER, TRADER, ...AMOUNTS, price, 0x1a6fbd82bd4n, -10, 0x6c, 0], 0xcb);
};
const transaction = (pool = POOL): Log[] => [
  transferLog(TOKEN, pool, TRADER, -AMOUNTS[1], 0xc9),
  transferLog(USDC, TRADER, pool, AMOUNTS[0], 0xca),
  swap(pool),
];
const swapsIn = (logs: readonly Log[], chain: Chain = base) =>
  eventsOf(logs, chain).filter(({ kind }) => kind === "swap");
const created = (pool: Hex, factory = FACTORY) =>
  createdPool(logOf(factory, CREATED, [USDC, TOKEN, pool]), base, { number: 9, timestamp: 90 }, []);

describe("Algebra Integral on a real swap", () => {
  it("reads the swap in a pool that its transfers prove", () => {
    expect(swapsIn(transaction())).toEqual([
      {
        kind: "swap",
        logIndex: 0xcb,
        pool: {
          address: POOL,
          family: "algebra-integral",
          protocol: "quickswap_v4",
          factory: FACTORY,
          token0: USDC,
          token1: TOKEN,
          tokens: [USDC, TOKEN],
          underlying: [],
          fee: null,
          hooks: null,
          hookFlags: null,
          createdBlock: null,
          createdTimestamp: null,
        },
        token0: USDC,
        token1: TOKEN,
        amount0: AMOUNTS[0],
        amount1: AMOUNTS[1],
        amountsUnknown: null,
      },
    ]);
  });

  it("makes no swap of a contract whose address does not follow, nor on a chain without the factory", () => {
    expect(swapsIn(transaction(FAKE))).toEqual([]);
    expect(swapsIn(transaction(), polygon)).toEqual([]);
    const others = transaction().slice(0, 2);
    expect(swapsIn([...others.map((log) => ({ ...log, address: FAKE })), swap(POOL)])).toEqual([]);
  });

  it("accepts the pool that calls identify, and no other", () => {
    const judged = (address: Hex) => {
      const candidate = { address, family: "algebra-integral" } as const;
      expect(poolCalls([candidate], base)).toHaveLength(3);
      return judgePools([candidate], [word(USDC), word(TOKEN), word(FACTORY)], base).pools.get(address);
    };
    expect(judged(POOL)).toMatchObject({ protocol: "quickswap_v4", fee: null });
    expect(judged(FAKE)).toBeNull();
  });

  it("reads the factory's Pool, if the address follows", () => {
    expect(created(POOL)).toMatchObject({ family: "algebra-integral", fee: null, createdBlock: 9 });
    expect(created(FAKE)).toBeNull();
    expect(created(POOL, FAKE)).toBeNull();
  });

  it.each([
    ["mint", logOf(POOL, MINT, [ROUTER, TRADER, -60, 60, 1n, 5n, 7n])],
    ["burn", logOf(POOL, BURN, [TRADER, -60, 60, 1n, 5n, 7n, 0])],
    ["collect", logOf(POOL, COLLECT, [TRADER, TRADER, -60, 60, 5n, 7n])],
  ])("reads its %s, which Uniswap V3 may share, in its pools only", (kind, log) => {
    const pool = created(POOL) ?? expect.fail();
    const read = (known: Pool) => eventsOf([log], base, new Map([[POOL, known]]));
    expect(read(pool)).toEqual([{ kind, logIndex: 0, pool, amount0: 5n, amount1: 7n }]);
    expect(read({ ...pool, family: "solidly" })).toEqual([]);
  });
});
