import { concatHex, numberToHex, parseAbiItem } from "viem";
import { describe, expect, it } from "vitest";
import { base } from "../../../chains/base.ts";
import { cashOf } from "../../../chains/chain.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import type { Hex } from "../../../lib/hex.ts";
import { tradesOf } from "../../../pricing/trades/legs.ts";
import type { Log } from "../../../schema/block.ts";
import type { Pool, Swap } from "../../../schema/swap.ts";
import { addressWord, uintWord } from "../../abi/abi.ts";
import { confirmPools, judgePools, poolCalls } from "../../discovery/contract-pools.ts";
import { createdPool } from "../../pools/created-pool.ts";
import { eventsOf, logOf } from "../../support/published-logs.ts";

const SWAP_V0 = parseAbiItem(
  "event Swap(address sender, address recipient, bool exactInput, int128 amount0Delta, int128 amount1Delta, int16 newTick, uint104 newPositionInBin)",
);
const SWAP_V1 = parseAbiItem(
  "event Swap(address indexed sender, address indexed recipient, bool exactInput, int256 amount0Delta, int256 amount1Delta, int8 newTick, uint104 newPositionInBin, uint256 protocolFeeAmount)",
);
const SWAP_V2 = parseAbiItem(
  "event Swap(address indexed sender, address indexed recipient, uint256 details, uint256 amountDeltas, uint256 platformFees)",
);
const CREATED_V0 = parseAbiItem(
  "event PoolCreated(address indexed token0, address indexed token1, address indexed priceProvider, address pool, bytes32 poolKey)",
);
const CREATED = parseAbiItem([
  "event PoolCreated(address indexed poolAddress, address indexed token0, address indexed token1, uint256 poolIdx, address factory, address admin, address priceProvider, address[] extensions, ExtensionOrders extensionOrders, uint256 priceProviderTimelock, uint256 initialScaledAmount0PerE18Shares, uint256 initialScaledAmount1PerE18Shares, uint256 minimalOperationalLiquidity, uint24 spreadProtocolFeeE6, uint24 protocolNotionalFeeE8, uint24 adminSpreadFeeE6, uint24 adminNotionalFeeE8, address adminFeeDestination, int24 curBinDistFromProvidedPriceE6, uint256[] nonNegativeBinDataArray, uint256[] negativeBinDataArray)",
  "struct ExtensionOrders { uint256 beforeAddLiquidity; uint256 afterAddLiquidity; uint256 beforeRemoveLiquidity; uint256 afterRemoveLiquidity; uint256 beforeSwap; uint256 afterSwap; }",
]);

const FACTORY_V0: Hex = "0xe22f9fc0f04486de25ed6cf1800a4a47afd82e0c";
const FACTORY_V1: Hex = "0x622911384e7973439b8be305f5e3fc3c5736ede4";
const FIRST_FACTORY_V2: Hex = "0xa32761549a1de40060c194c86a8df24f0a29ba2d";
const FACTORY_V2: Hex = "0x2a53833cc95548cf52c7b159110e22d3a9018f32";
/** A pool of version 0 on Ethereum, and one of version 2 on Base. */
const POOL_V0: Hex = "0x9195196785b07bf781f4f48eeb60a1891ba9b4bc";
const POOL_V2: Hex = "0xb030150465b706f81eecc453ba5e9bae7b06e50d";
const USDC: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const WETH: Hex = ethereum.wrappedNative;
const VIRTUAL: Hex = "0x0b3e328455c4059eeb9e3f84b5543f74e24e7e1b";
const BASE_USDC: Hex = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const PROVIDER: Hex = `0x${"9d".repeat(20)}`;
const TRADER: Hex = `0x${"66".repeat(20)}`;
const FAKE: Hex = "0x00000000000000000000000000000000deadbeef";
const BLOCK = { number: 9, timestamp: 90 };

const createdV0 = (factory = FACTORY_V0) =>
  logOf(factory, CREATED_V0, [USDC, WETH, PROVIDER, POOL_V0, `0x${"5a".repeat(32)}`]);

interface Arrays {
  extensions?: Hex[];
  bins?: [nonNegative: bigint[], negative: bigint[]];
}

const NO_ORDERS = {
  ...{ beforeAddLiquidity: 0n, afterAddLiquidity: 0n, beforeRemoveLiquidity: 0n },
  ...{ afterRemoveLiquidity: 0n, beforeSwap: 0n, afterSwap: 0n },
};
const created = (factory: Hex, { extensions = [], bins: [up, down] = [[1n], []] }: Arrays = {}) =>
  logOf(factory, CREATED, [
    ...[POOL_V2, VIRTUAL, BASE_USDC, 92n, factory, TRADER, PROVIDER, extensions, NO_ORDERS],
    ...[2n ** 256n - 1n, 10n ** 18n, 10n ** 18n, 10n ** 18n, 150_000, 0, 200_000, 0, TRADER, -5, up, down],
  ]);

const poolOf = (log: Log, chain = base): Pool => createdPool(log, chain, BLOCK, []) ?? expect.fail("no pool");
const swapsIn = (logs: readonly Log[], pool: Pool, chain = base): Swap[] =>
  eventsOf(logs, chain, new Map([[pool.address, pool]])).filter((event) => event.kind === "swap");

/** Packs two amounts into a word as version 2 does: token0's in the upper half. */
function packed(amount0: bigint, amount1: bigint): bigint {
  const half = (amount: bigint) => numberToHex(BigInt.asUintN(128, amount), { size: 16 });
  return BigInt(concatHex([half(amount0), half(amount1)]));
}

const swapV1 = (amount0: bigint, amount1: bigint, emitter = POOL_V2) =>
  logOf(emitter, SWAP_V1, [TRADER, TRADER, true, amount0, amount1, -3, 7n, 2n]);
const swapV2 = (amount0: bigint, amount1: bigint, emitter = POOL_V2) =>
  logOf(emitter, SWAP_V2, [TRADER, TRADER, 2n ** 255n, packed(amount0, amount1), 2n ** 200n]);
const swapV0 = (amount0: bigint, amount1: bigint, emitter = POOL_V0) =>
  logOf(emitter, SWAP_V0, [TRADER, TRADER, false, amount0, amount1, -3, 7n]);

/** The largest and the smallest amount of 128 bits. */
const [LARGEST, SMALLEST] = [2n ** 127n - 1n, -(2n ** 127n)];
const AMOUNTS: [bigint, bigint][] = [
  [1000n, -900n],
  [-900n, 1000n],
  [-1n, 1n],
  [LARGEST, SMALLEST],
  [SMALLEST, LARGEST],
];

// No recorded block has a swap of Metric, so the tests build logs like those of the contracts.
describe("Metric, versions 1 and 2", () => {
  it.each([
    ["metric_v1", FACTORY_V1],
    ["metric_v2", FIRST_FACTORY_V2],
    ["metric_v2", FACTORY_V2],
  ])("recognizes a pool of %s that the factory %s announces, without a fee", (protocol, factory) => {
    expect(poolOf(created(factory))).toMatchObject({
      ...{ address: POOL_V2, family: "metric", protocol, factory, fee: null },
      ...{ token0: VIRTUAL, token1: BASE_USDC, tokens: [VIRTUAL, BASE_USDC], createdBlock: BLOCK.number },
    });
  });

  it("recognizes a pool with arrays of any length", () => {
    const bins = Array.from({ length: 26 }, (_, i) => 2n ** 255n + BigInt(i));
    for (const extensions of [[], [PROVIDER], Array.from({ length: 7 }, () => PROVIDER)])
      for (const arrays of [{ extensions }, { extensions, bins: [bins, bins] as [bigint[], bigint[]] }])
        expect(poolOf(created(FACTORY_V2, arrays)).address).toBe(POOL_V2);
  });

  it("recognizes no pool from another contract's event, or from one of another form", () => {
    const log = created(FACTORY_V2);
    const [topic, pool, token0, token1] = log.topics as [Hex, Hex, Hex, Hex];
    const short: Hex = `0x${log.data.slice(2, 2 + 25 * 64)}`;
    for (const other of [
      created(FAKE),
      { ...log, data: short },
      { ...log, data: `${log.data}00` as Hex },
      { ...log, topics: [topic, pool, token0] },
      { ...log, topics: [topic, pool, `0x01${token0.slice(4)}` as Hex, token1] },
    ]) {
      expect(createdPool(other, base, BLOCK, [])).toBeNull();
    }
  });

  it.each(AMOUNTS)("reads the amounts %d and %d of both events", (amount0, amount1) => {
    const pool = poolOf(created(FACTORY_V2));
    for (const log of [swapV1(amount0, amount1), swapV2(amount0, amount1)]) {
      expect(swapsIn([log], pool)).toEqual([
        {
          ...{ kind: "swap", logIndex: 0, pool, token0: VIRTUAL, token1: BASE_USDC },
          ...{ amount0, amount1, amountsUnknown: null },
        },
      ]);
    }
  });

  it("makes a trade of a swap, and none of a swap that moves nothing", () => {
    const pool = poolOf(created(FACTORY_V2));
    const tradesIn = (log: Log) => swapsIn([log], pool).flatMap((swap) => tradesOf(swap, cashOf(base)));
    expect(tradesIn(swapV2(1000n, -900n))).toHaveLength(1);
    expect(tradesIn(swapV2(0n, 0n))).toEqual([]);
    expect(tradesIn(swapV1(0n, 0n))).toEqual([]);
  });

  it("makes no swap of a contract that imitates the events", () => {
    const pool = poolOf(created(FACTORY_V2));
    const imitations = [swapV1(1000n, -900n, FAKE), swapV2(1000n, -900n, FAKE)];
    expect(swapsIn([created(FAKE), ...imitations], pool)).toEqual([]);
  });

  describe("a pool that no indexed block announces", () => {
    const candidates = [{ address: POOL_V2, family: "metric" as const }];
    const immutables: Hex = `0x${addressWord(FACTORY_V2)}${addressWord(VIRTUAL)}${addressWord(BASE_USDC)}`;
    const [no, yes] = [0, 1].map((value): Hex => `0x${uintWord(value)}`) as [Hex, Hex];

    it("is confirmed by one of the factories", () => {
      const factories = [FACTORY_V1, FIRST_FACTORY_V2, FACTORY_V2];
      expect(poolCalls(candidates, base)).toEqual([
        { to: POOL_V2, data: "0xbcdb4dad" },
        ...factories.map((to) => ({ to, data: `0x5b16ebb7${addressWord(POOL_V2)}` })),
      ]);
      const { pools } = judgePools(candidates, [immutables, no, no, yes], base);
      expect(pools.get(POOL_V2)).toMatchObject({
        ...{ protocol: "metric_v2", factory: FACTORY_V2, token0: VIRTUAL, token1: BASE_USDC, fee: null },
      });
      expect(judgePools(candidates, [immutables, yes, no, no], base).pools.get(POOL_V2)).toMatchObject({
        protocol: "metric_v1",
      });
    });

    it("is no pool if no factory confirms it, whatever factory it names", () => {
      for (const results of [
        [immutables, no, no, no],
        [immutables, null, null, null],
        [immutables, "0x", "0x", "0x"],
      ] as (Hex | null)[][]) {
        expect(judgePools(candidates, results, base).pools.get(POOL_V2)).toBeNull();
      }
    });

    it("is undecided without its tokens", () => {
      for (const result of [null, "0x" as Hex, immutables.slice(0, -64) as Hex]) {
        const { pools, followUps } = judgePools(candidates, [result, no, no, yes], base);
        expect([...pools, ...confirmPools(followUps, [])]).toEqual([]);
      }
    });
  });
});

describe("Metric, version 0", () => {
  const pool = poolOf(createdV0(), ethereum);

  it("recognizes a pool that the factory announces, and no other", () => {
    expect(pool).toMatchObject({
      ...{ address: POOL_V0, family: "metric-v0", protocol: "metric_v0", factory: FACTORY_V0, fee: null },
      ...{ token0: USDC, token1: WETH, tokens: [USDC, WETH], createdBlock: BLOCK.number },
    });
    for (const factory of [FAKE, FACTORY_V1, FACTORY_V2])
      expect(createdPool(createdV0(factory), ethereum, BLOCK, [])).toBeNull();
  });

  it.each(AMOUNTS)("reads the amounts %d and %d", (amount0, amount1) => {
    expect(swapsIn([swapV0(amount0, amount1)], pool, ethereum)).toMatchObject([
      { pool, token0: USDC, token1: WETH, amount0, amount1, amountsUnknown: null },
    ]);
  });

  it("makes no swap of a contract that the factory did not announce, and calls nothing to find out", () => {
    expect(swapsIn([createdV0(FAKE), swapV0(1000n, -900n, FAKE)], pool, ethereum)).toEqual([]);
    const candidates = [{ address: FAKE, family: "metric-v0" as const }];
    expect(poolCalls(candidates, ethereum)).toEqual([]);
    expect(judgePools(candidates, [], ethereum).pools).toEqual(new Map([[FAKE, null]]));
  });
});
