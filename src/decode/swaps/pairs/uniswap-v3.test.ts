import {
  decodeEventLog,
  type EncodeEventTopicsParameters,
  encodeAbiParameters,
  encodeEventTopics,
  parseAbi,
} from "viem";
import { describe, expect, it } from "vitest";
import { bundleCounts, MAINNET, USDC_WETH } from "../../../../test/support/nodes/bundles.ts";
import { recordedBlocks, recordedLogs } from "../../../../test/support/nodes/recording.ts";
import type { Deployment } from "../../../chains/chain.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { DecodedEvent, Pool } from "../../../schema/swap.ts";
import { type AnnouncedPool, hasForm } from "../../families/swap-family.ts";
import { NO_EVIDENCE } from "../../support/evidence.ts";
import { recordedSwaps, withLogs } from "../../support/recorded-swaps.ts";
import { uniswapV3 } from "./uniswap-v3.ts";

const pool: Pool = {
  address: "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640",
  family: "uniswap-v3",
  protocol: "uniswap_v3",
  factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
  token0: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
  token1: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  tokens: ["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"],
  underlying: [],
  fee: 500,
  hooks: null,
  hookFlags: null,
  createdBlock: null,
  createdTimestamp: null,
};

const COMMON = [
  "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)",
] as const;
const UNISWAP = parseAbi([
  ...COMMON,
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
]);
const PANCAKESWAP = parseAbi([
  ...COMMON,
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 protocolFeesToken0, uint128 protocolFeesToken1)",
]);
function expected(log: Log, abi: typeof UNISWAP | typeof PANCAKESWAP): DecodedEvent {
  const { eventName, args } = decodeEventLog({
    abi,
    data: log.data,
    topics: log.topics as [Hex, ...Hex[]],
    strict: true,
  });
  const kind = ({ Swap: "swap", Mint: "mint", Burn: "burn", Collect: "collect" } as const)[eventName];
  const shared = { logIndex: log.logIndex, pool, amount0: args.amount0, amount1: args.amount1 };
  return kind === "swap"
    ? { kind, ...shared, token0: pool.token0, token1: pool.token1, amountsUnknown: null }
    : { kind, ...shared };
}

/** Names of the family's events, in the same order. */
const NAMES = ["v3 Swap", "pancakeswap v3 Swap", "v3 Mint", "v3 Burn", "v3 Collect"];

describe.each([MAINNET, USDC_WETH])("Uniswap V3 on the real logs of %s", (bundle) => {
  it("reads every event as an independent decoder does", () => {
    const logs = recordedLogs(bundle);
    const { events } = bundleCounts(bundle);
    const found = uniswapV3.events.map((event) => logs.filter((log) => log.topics[0] === event.topic));
    expect(found.map(({ length }) => length)).toEqual(NAMES.map((name) => events[name]));
    uniswapV3.events.forEach((event, i) => {
      for (const log of found[i]!) {
        expect(hasForm(log, event)).toBe(true);
        expect(event.read(log, pool, NO_EVIDENCE)).toEqual(
          expected(log, event.words === 7 ? PANCAKESWAP : UNISWAP),
        );
      }
    });
  });
});

/** Returns an address that differs from the given one. */
const fakeOf = (address: Hex): Hex => `${address.slice(0, -1)}${address.endsWith("0") ? 1 : 0}` as Hex;

describe("a contract that is not genuine", () => {
  it("makes no swap, in the same transactions as the genuine pools", () => {
    const topics = new Set<Hex | undefined>(uniswapV3.events.map(({ topic }) => topic));
    const blocks = recordedBlocks(MAINNET);
    expect(recordedSwaps(blocks, "uniswap-v3").length).toBeGreaterThan(30);
    const fakes = withLogs(blocks, (log) =>
      topics.has(log.topics[0]) ? { ...log, address: fakeOf(log.address) } : log,
    );
    expect(recordedSwaps(fakes, "uniswap-v3")).toEqual([]);
  });
});

describe("creation events", () => {
  const { token0, token1, address } = pool;
  const CREATIONS: [string, string, Record<string, unknown>, Hex, AnnouncedPool][] = [
    [
      "Uniswap V3",
      "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)",
      { token0, token1, fee: 500 },
      encodeAbiParameters([{ type: "int24" }, { type: "address" }], [-60, address]),
      { address, token0, token1, fee: 500 },
    ],
    [
      "Slipstream",
      "event PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool)",
      { token0, token1, tickSpacing: 100 },
      encodeAbiParameters([{ type: "address" }], [address]),
      { address, token0, token1, fee: null, key: 100 },
    ],
    [
      "Algebra",
      "event Pool(address indexed token0, address indexed token1, address pool)",
      { token0, token1 },
      encodeAbiParameters([{ type: "address" }], [address]),
      { address, token0, token1, fee: null },
    ],
  ];

  const [deployment] = ethereum.deployments as [Deployment];

  it("are those of all forks", () => {
    expect(uniswapV3.creations).toHaveLength(CREATIONS.length);
  });

  describe.each(CREATIONS)("of %s", (_, event, args, data, announced) => {
    const topics = encodeEventTopics({ abi: parseAbi([event]), args } as EncodeEventTopicsParameters);
    const log: Log = { address: pool.factory, topics: topics as Hex[], data, logIndex: 0 };
    const read = (changed: Log) =>
      uniswapV3.creations
        .find((creation) => hasForm(changed, creation))
        ?.read(changed, [changed], deployment);

    it("is read", () => {
      expect(read(log)).toEqual(announced);
    });

    it("is ignored with dirty addresses or a key of 256 bits", () => {
      const dirty: Hex = `0x${"ff".repeat(32)}`;
      for (let i = 1; i < log.topics.length; i++) {
        expect(read({ ...log, topics: log.topics.with(i, dirty) })).toBeNull();
      }
      expect(read({ ...log, data: `0x${"ff".repeat((data.length - 2) / 2)}` })).toBeNull();
    });
  });
});
