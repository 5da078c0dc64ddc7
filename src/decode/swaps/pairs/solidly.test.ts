import { parseAbiItem } from "viem";
import { describe, expect, it } from "vitest";
import { bundlePath } from "../../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../../test/support/nodes/recording.ts";
import { base } from "../../../chains/base.ts";
import type { Chain } from "../../../chains/chain.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import { scanBlock } from "../../blocks/scan-block.ts";
import { confirmPools, judgePools, poolCalls } from "../../discovery/contract-pools.ts";
import { unknownPools } from "../../discovery/unknown-pools.ts";
import { createdPool } from "../../pools/created-pool.ts";
import { eventsOf, logOf, transferLog } from "../../support/published-logs.ts";
import { blockOf } from "../../support/v4-logs.ts";

const SWAP = parseAbiItem(
  "event Swap(address indexed sender, address indexed to, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out)",
);
const MINT = parseAbiItem("event Mint(address indexed sender, uint256 amount0, uint256 amount1)");
const BURN = parseAbiItem(
  "event Burn(address indexed sender, address indexed to, uint256 amount0, uint256 amount1)",
);
const CREATED = parseAbiItem(
  "event PoolCreated(address indexed token0, address indexed token1, bool indexed stable, address pool, uint256 number)",
);
const FACTORY: Hex = "0x420dd381b31aef6683db6b902084cb0ffece40da";
const WETH = base.wrappedNative;
const FAKE: Hex = "0x00000000000000000000000000000000deadbeef";
const word = (hex: string): Hex => `0x${hex.replace("0x", "").padStart(64, "0")}`;

/** A volatile pool on Base, and its swap in transaction 0x26053896… of block 22272752. */
const POOL: Hex = "0x4f9dc2229f2357b27c22db56cb39582c854ad6d5";
const TOKEN: Hex = "0x74ccbe53f77b08632ce0cb91d3a545bf6b8e0979";
const TRADER: Hex = "0x7264a62ae2f2bbe5fe003f29108afb3c3da0bc16";
const ROUTER: Hex = "0x6cb442acf35158d5eda88fe602221b67b400be3e";
const FEES: Hex = "0x3b4c8229b200407c4ac8bbe76530c5dc54a6d465";
const PAID = 0xfd42a02468de967da5n;
const RECEIVED = 0xfbb5a8bdee3717n;
const swap = (pool: Hex) => logOf(pool, SWAP, [ROUTER, TRADER, 0n, PAID, RECEIVED, 0n], 0x1ae);
const transaction = (pool: Hex): Log[] => [
  transferLog(TOKEN, TRADER, pool, PAID, 0x1a7),
  transferLog(WETH, pool, TRADER, RECEIVED, 0x1aa),
  transferLog(TOKEN, pool, FEES, 0x28858a4343faa7704n, 0x1ab),
  swap(pool),
];
const swapsIn = (logs: readonly Log[], chain: Chain) =>
  eventsOf(logs, chain).filter(({ kind }) => kind === "swap");

describe("Solidly on real swaps", () => {
  it("reads a swap in a pool that its transfers prove", () => {
    expect(swapsIn(transaction(POOL), base)).toEqual([
      {
        kind: "swap",
        logIndex: 0x1ae,
        pool: {
          address: POOL,
          family: "solidly",
          protocol: "aerodrome_v1",
          factory: FACTORY,
          token0: WETH,
          token1: TOKEN,
          tokens: [WETH, TOKEN],
          underlying: [],
          fee: null,
          hooks: null,
          hookFlags: null,
          createdBlock: null,
          createdTimestamp: null,
        },
        token0: WETH,
        token1: TOKEN,
        amount0: -RECEIVED,
        amount1: PAID,
        amountsUnknown: null,
      },
    ]);
  });

  it("reads a swap through two stable pools, of transaction 0x8c36e51b… on Optimism", () => {
    const velodrome: Chain = {
      ...base,
      deployments: [
        {
          protocol: "velodrome_v2",
          family: "solidly",
          factory: "0xf1046053aa5682b4f9a81b5481394da16be5ff5a",
          initCodeHash: "0xc0629f1c7daa09624e54d4f711ba99922a844907cce02997176399e4cc7e8fcf",
          fee: null,
          firstBlock: 0,
        },
      ],
    };
    const [router, trader]: Hex[] = [
      "0xa062ae8a9c5e11aaa026fc2670b0d65ccc8b2858",
      "0x60583f22ada7b1352bb2faf694b3eaaf942696dd",
    ];
    const [first, second]: Hex[] = [
      "0x1f8b46abe1eabf5a60cbbb5fb2e4a6a46fa0b6e6",
      "0xbf75051f6e6df9fecf90d9bebbbb08a85950858c",
    ];
    const [paid, middle, received]: Hex[] = [
      "0x8ae125e8653821e851f12a49f7765db9a9ce7384",
      "0x2e3d870790dc77a83dd1d18184acc7439a53f475",
      "0xb396b31599333739a97951b74652c117be86ee1d",
    ];
    if (!router || !trader || !first || !second || !paid || !middle || !received) expect.fail();
    const amounts = [0x3fd0a3787f0f97d31an, 0x3f5db29433dce27803n, 0x3cdffe1c1aff1d232fn] as const;
    const logs = [
      transferLog(paid, trader, first, amounts[0]),
      transferLog(middle, first, second, amounts[1]),
      logOf(first, SWAP, [router, second, 0n, amounts[0], amounts[1], 0n]),
      transferLog(received, second, trader, amounts[2]),
      logOf(second, SWAP, [router, trader, amounts[1], 0n, 0n, amounts[2]]),
    ];
    expect(swapsIn(logs, velodrome)).toMatchObject([
      { pool: { address: first, fee: null }, token1: paid, amount0: -amounts[1], amount1: amounts[0] },
      { pool: { address: second, fee: null }, token1: received, amount0: amounts[1], amount1: -amounts[2] },
    ]);
  });

  it("reads a swap of Velodrome V1, which has the topic of Uniswap V2's, in a real block", () => {
    const velodrome: Chain = {
      ...base,
      deployments: base.deployments
        .filter(({ family }) => family === "uniswap-v2")
        .concat({
          protocol: "velodrome_v1",
          family: "solidly",
          factory: "0x25cbddb98b35ab1ff77413456b31ec81a6b6b746",
          initCodeHash: "0xc1ac28b1c4ebe53c0cff67bab5878c4eb68759bb1e9f73977cd266b247d149f0",
          fee: null,
          firstBlock: 0,
        }),
    };
    const logs = recordedBlocks(bundlePath("optimism")).flatMap(({ transactions }) =>
      transactions.filter(({ hash }) => hash.startsWith("0xf9d2dbbe")).flatMap((one) => one.logs),
    );
    const pool = { address: "0xcdd41009e74bd1ae4f7b2eecf892e4bc718b9302", family: "solidly" };
    const amounts = { amount0: 0x5af3107a4000n, amount1: -0x1b11795be7a40d1n };
    expect(swapsIn(logs, velodrome)).toMatchObject([{ pool, ...amounts }]);
    const elsewhere = logs.map((log) => (log.address === pool.address ? { ...log, address: FAKE } : log));
    expect(swapsIn(elsewhere, velodrome)).toEqual([]);
  });

  it("reads LeetSwap's swaps of a real block of Base, as their transfers say", () => {
    const transactions = recordedBlocks(bundlePath("base")).flatMap((block) => block.transactions);
    const found = transactions.flatMap(({ logs }) => swapsIn(logs, base).map((swap) => ({ swap, logs })));
    expect(found.map(({ swap }) => swap)).toMatchObject([
      { pool: { address: "0xebd851ce4af34113ee41e78947194dc71ff1ab03" }, amount0: 0x6764992cae4f17n },
      { pool: { address: "0x66efcb08d6da031f42e10637b06dbf890fae902b" }, amount0: -0xede8925bfe9a20n },
      { pool: { address: "0x0886fff7a269e47e103aba2b0a6e4744c4491772" }, amount0: -0x229cb6b0aff47cn },
      { pool: { address: "0x55ace6047cebf50dc07f2d918b2d44ea383d9996" }, amount0: -0x1cde7629d91c6000n },
    ]);
    for (const { swap, logs } of found) {
      if (swap.kind !== "swap") expect.fail();
      const { pool, token0, token1, amount0, amount1 } = swap;
      expect(pool).toMatchObject({ protocol: "leetswap_v2", family: "solidly", fee: null });
      const moved = (token: Hex) =>
        logs.filter(({ address }) => address === token).map(({ data }) => BigInt(data));
      expect(moved(token0)).toContain(amount0 < 0n ? -amount0 : amount0);
      // The first pool pays two recipients, because the token has a tax.
      const paid = moved(token1);
      if (amount1 > 0n) expect(paid).toContain(amount1);
      else expect(paid.reduce((sum, value) => sum + value, 0n)).toBe(-amount1);
      const elsewhere = logs.map((log) => (log.address === pool.address ? { ...log, address: FAKE } : log));
      expect(swapsIn(elsewhere, base)).toEqual([]);
    }
  });

  it("makes no swap of a contract whose address does not follow, nor on a chain without the factory", () => {
    expect(swapsIn(transaction(FAKE), base)).toEqual([]);
    expect(swapsIn(transaction(POOL), ethereum)).toEqual([]);
    const [sold, bought, fees] = transaction(POOL);
    const others = [sold, bought, fees].map((log) => ({ ...(log as Log), address: FAKE }));
    expect(swapsIn([...others, swap(POOL)], base)).toEqual([]);
  });
});

describe("a pool that calls identify", () => {
  const candidate = { address: POOL, family: "solidly" } as const;
  const judged = (stable: Hex | null, address = POOL, chain: Chain = base) =>
    judgePools([{ ...candidate, address }], [word(WETH), word(TOKEN), word(FACTORY), stable], chain);

  it("has the address of its tokens and its flag, whatever stable() returns if that reverts", () => {
    expect(poolCalls([candidate], base).map(({ data }) => data)).toEqual([
      "0x0dfe1681",
      "0xd21220a7",
      "0xc45a0155",
      "0x22be3de1",
    ]);
    expect(judged(word("0")).pools.get(POOL)).toMatchObject({ protocol: "aerodrome_v1", fee: null });
    expect(judged(null).pools.get(POOL)).toMatchObject({ protocol: "aerodrome_v1", fee: null });
    expect(judged(word("1")).pools.get(POOL)).toBeNull();
    expect(judged(word("0"), FAKE)).toEqual({ pools: new Map([[FAKE, null]]), followUps: [] });
  });

  it("is confirmed by its factory if the init-code hash is unknown, without a fee", () => {
    const deployments = base.deployments.map((one) =>
      one.family === "solidly" ? { ...one, initCodeHash: null } : one,
    );
    const { followUps } = judged(word("1"), POOL, { ...base, deployments });
    expect(followUps.map(({ call }) => call)).toEqual([
      { to: FACTORY, data: `0x79bc57d5${[WETH, TOKEN, "1"].map((one) => word(one).slice(2)).join("")}` },
    ]);
    expect(confirmPools(followUps, [word(POOL)]).get(POOL)).toMatchObject({ fee: null });
    expect(confirmPools(followUps, [word("0")]).get(POOL)).toBeNull();
  });
});

describe("PoolCreated", () => {
  const created = (stable: boolean, pool = POOL) =>
    createdPool(
      logOf(FACTORY, CREATED, [WETH, TOKEN, stable, pool, 7n]),
      base,
      { number: 9, timestamp: 90 },
      [],
    );

  it("announces a pool whose address follows from the tokens and the flag", () => {
    const pool = { address: POOL, family: "solidly", token0: WETH, token1: TOKEN, createdBlock: 9 };
    expect(created(false)).toMatchObject({ ...pool, fee: null });
    expect(created(true)).toBeNull();
    expect(created(false, FAKE)).toBeNull();
  });
});

describe("an event that Uniswap V2 shares", () => {
  const mint = logOf(POOL, MINT, [ROUTER, 5n, 7n]);
  const pool = createdPool(logOf(FACTORY, CREATED, [WETH, TOKEN, false, POOL, 7n]), base, null, []);

  it("belongs to the family of the pool that emitted it", () => {
    const uniswap = pool && { ...pool, family: "uniswap-v2" as const };
    for (const known of [pool, uniswap]) {
      if (known === null) expect.fail();
      const [event, ...others] = eventsOf([mint], base, new Map([[POOL, known]]));
      expect(event).toEqual({ kind: "mint", logIndex: 0, pool: known, amount0: 5n, amount1: 7n });
      expect(others).toEqual([]);
    }
  });

  it("makes a candidate of each family that the chain has", () => {
    const candidates = (chain: Chain) =>
      unknownPools([scanBlock(blockOf(mint), chain)], new Map()).map(({ family }) => family);
    expect(candidates(base)).toEqual(["uniswap-v2", "solidly"]);
    expect(candidates(ethereum)).toEqual(["uniswap-v2"]);
    const results = [word(WETH), word(TOKEN), word(FACTORY)];
    const both = unknownPools([scanBlock(blockOf(mint), base)], new Map());
    const { pools } = judgePools(both, [...results, ...results, word("0")], base);
    expect(pools.get(POOL)).toMatchObject({ family: "solidly" });
  });

  it("reads Burn", () => {
    const burn = logOf(POOL, BURN, [ROUTER, TRADER, 5n, 7n]);
    expect(eventsOf([burn], base, new Map([[POOL, pool]]))).toMatchObject([
      { kind: "burn", amount0: 5n, amount1: 7n },
    ]);
  });
});
