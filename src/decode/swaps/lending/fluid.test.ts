import { parseAbiItem } from "viem";
import { describe, expect, it } from "vitest";
import { bundlePath, DATA_SET } from "../../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../../test/support/nodes/recording.ts";
import { base } from "../../../chains/base.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import { polygon } from "../../../chains/polygon.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { DecodedEvent } from "../../../schema/swap.ts";
import { judgePools, poolCalls } from "../../discovery/contract-pools.ts";
import { eventsOf, logOf, transferLog } from "../../support/published-logs.ts";
import { logsWith, movedBy, recordedSwaps, withLogs } from "../../support/recorded-swaps.ts";

const SWAP = parseAbiItem("event Swap(bool swap0to1, uint256 amountIn, uint256 amountOut, address to)");
const OPERATE = parseAbiItem(
  "event LogOperate(address indexed user, address indexed token, int256 supplyAmount, int256 borrowAmount, address withdrawTo, address borrowTo, uint256 totalAmounts, uint256 exchangePricesAndConfig)",
);
const TOPIC: Hex = "0xdc004dbca4ef9c966218431ee5d9133d337ad018dd5b5c5493722803f75c64f7";
const LIQUIDITY: Hex = "0x52aa899454998be5b000ad077a46bbe360f4e497";
const NATIVE: Hex = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const ZERO: Hex = `0x${"0".repeat(40)}`;
const FAKE: Hex = "0x00000000000000000000000000000000deadbeef";
const word = (hex: string): Hex => `0x${hex.replace("0x", "").padStart(64, "0")}`;

/**
 * Pool 11, of FLUID and ether. The test reads its swap in transaction 0x83b46629… of block 22434160, which
 * has an exact amount out.
 */
const POOL: Hex = "0xc800b0e15c40a1ff0539218100c86f4c1bac8d9c";
const FLUID: Hex = "0x6f40d4a6237c257fff2db00fa0510deeecd303eb";
const SETTLEMENT: Hex = "0x9008d19f58aabd9ed0d60971565aa8510560ab41";
const PAID = 9_545_300_247_164_536_000_000n;
const RECEIVED = 20_892_205_430_029_000_704n;

const operate = (user: Hex, token: Hex, amount: bigint, logIndex: number, emitter = LIQUIDITY) =>
  logOf(emitter, OPERATE, [user, token, amount, 0n, amount < 0n ? SETTLEMENT : ZERO, ZERO, 1n, 1n], logIndex);
const swapLog = (pool: Hex, swap0to1: boolean) =>
  logOf(pool, SWAP, [swap0to1, PAID, RECEIVED, SETTLEMENT], 459);
const transaction = (pool = POOL, emitter = LIQUIDITY): Log[] => [
  transferLog(FLUID, SETTLEMENT, LIQUIDITY, PAID, 456),
  operate(pool, FLUID, PAID, 457, emitter),
  operate(pool, NATIVE, -20_892_205_430_029_000_000n, 458, emitter),
  swapLog(pool, true),
];
const swapsOf = (events: readonly DecodedEvent[]) => events.filter(({ kind }) => kind === "swap");

describe("Fluid on real swaps", () => {
  it("reads a swap in a pool that the factory's nonce proves, with the tokens of the Liquidity layer's logs", () => {
    const token1 = ethereum.wrappedNative;
    expect(swapsOf(eventsOf(transaction(), ethereum))).toEqual([
      {
        kind: "swap",
        logIndex: 459,
        pool: {
          address: POOL,
          family: "fluid",
          protocol: "fluid",
          factory: "0x91716c4eda1fb55e84bf8b4c7085f84285c19085",
          token0: FLUID,
          token1,
          tokens: [FLUID, token1],
          underlying: [],
          fee: null,
          hooks: null,
          hookFlags: null,
          createdBlock: null,
          createdTimestamp: null,
        },
        token0: FLUID,
        token1,
        amount0: PAID,
        amount1: -RECEIVED,
        amountsUnknown: null,
      },
    ]);
  });

  it("reads one of an exact amount in, of transaction 0x578422ff…, as the transfers confirm", () => {
    const [pool, paid, usdc]: Hex[] = [
      "0xc6fdfc08401113d02280e27f53f4f38a19fbccc9",
      "0x66a1e37c9b0eaddca17d3662d6c05f4decf3e110",
      "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    ];
    const router: Hex = "0x0f4a1d7fdf4890be35e71f3e0bbc4a0ec377eca3";
    if (!pool || !paid || !usdc) expect.fail();
    const [amountIn, amountOut] = [0x43c413797fe80865dc7n, 0x4a7d9359an];
    const logs = [
      transferLog(paid, router, LIQUIDITY, amountIn, 0xa0),
      operate(pool, paid, 0x43c413797fe80846000n, 0xa1),
      transferLog(usdc, LIQUIDITY, router, amountOut, 0xa2),
      operate(pool, usdc, -amountOut, 0xa3),
      logOf(pool, SWAP, [true, amountIn, amountOut, router], 0xa4),
    ];
    expect(swapsOf(eventsOf(logs, ethereum))).toMatchObject([
      { pool: { address: pool }, token0: paid, token1: usdc, amount0: amountIn, amount1: -amountOut },
    ]);
  });

  it("reads the other direction", () => {
    const [transfer, first, second] = transaction();
    if (!transfer || !first || !second) expect.fail();
    const swaps = swapsOf(eventsOf([transfer, first, second, swapLog(POOL, false)], ethereum));
    expect(swaps).toMatchObject([
      { token0: ethereum.wrappedNative, token1: FLUID, amount0: -RECEIVED, amount1: PAID },
    ]);
  });

  it("has the same pools on other chains", () => {
    for (const chain of [base, polygon]) {
      expect(swapsOf(eventsOf(transaction(), chain))).toMatchObject([{ pool: { protocol: "fluid" } }]);
    }
  });

  it.runIf(DATA_SET === "full")("makes a swap of every event of recorded blocks, and none of copies", () => {
    const blocks = recordedBlocks(bundlePath("eth-covalent"));
    const logs = logsWith(blocks, TOPIC);
    const swaps = recordedSwaps(blocks, "fluid");
    expect(logs.length).toBeGreaterThan(0);
    expect(swaps).toHaveLength(logs.length);
    // No transfer shows the ether that left the pool.
    for (const recorded of swaps) expect(movedBy(recorded, LIQUIDITY).in).toBe(true);
    const copied = withLogs(blocks, (log) => (log.topics[0] === TOPIC ? { ...log, address: FAKE } : log));
    expect(recordedSwaps(copied, "fluid")).toEqual([]);
  });
});

describe("a contract that is not genuine", () => {
  it("makes no swap, although the Liquidity layer and its own event name tokens", () => {
    expect(swapsOf(eventsOf(transaction(FAKE), ethereum))).toEqual([]);
  });

  it("names no tokens of a pool", () => {
    expect(swapsOf(eventsOf(transaction(POOL, FAKE), ethereum))).toEqual([]);
    const [transfer, first, second, swap] = transaction();
    if (!transfer || !first || !second || !swap) expect.fail();
    const rival = operate(POOL, FAKE, 5n, 457, FAKE);
    const late = operate(POOL, FAKE, 5n, 460);
    expect(swapsOf(eventsOf([first, rival, second, swap, late], ethereum))).toMatchObject([
      { token0: FLUID, token1: ethereum.wrappedNative },
    ]);
    expect(swapsOf(eventsOf([second, swap], ethereum))).toEqual([]);
    expect(swapsOf(eventsOf([first, first, swap], ethereum))).toEqual([]);
  });
});

describe("a pool that calls identify", () => {
  const judged = (address: Hex, result: Hex | null) =>
    judgePools([{ address, family: "fluid" }], [result], ethereum).pools;
  /**
   * The pool's constants: pool number, Liquidity layer, factory, five implementations, deployer, tokens and
   * seven slots.
   */
  const constants = `0x${[
    ...["b", LIQUIDITY, FAKE, FAKE, FAKE, FAKE, FAKE, FAKE, FAKE, FLUID, NATIVE],
    ...Array.from({ length: 7 }, () => "1"),
  ]
    .map((one) => word(one).slice(2))
    .join("")}` as Hex;

  it("has the tokens of constantsView()", () => {
    expect(poolCalls([{ address: POOL, family: "fluid" }], ethereum)).toEqual([
      { to: POOL, data: "0xb7791bf2" },
    ]);
    expect(judged(POOL, constants).get(POOL)).toMatchObject({
      token0: FLUID,
      token1: ethereum.wrappedNative,
      fee: null,
    });
  });

  it("is rejected where the address follows from no nonce, and undecided without an answer", () => {
    expect(judged(FAKE, constants)).toEqual(new Map([[FAKE, null]]));
    for (const answer of [null, "0x", constants.slice(0, 700)] as (Hex | null)[]) {
      expect(judged(POOL, answer)).toEqual(new Map());
    }
  });
});
