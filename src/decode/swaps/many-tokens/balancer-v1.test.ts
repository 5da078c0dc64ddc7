import { decodeEventLog, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { DATA_SET, MAINNET } from "../../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../../test/support/nodes/recording.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Block, Log } from "../../../schema/block.ts";
import type { Swap } from "../../../schema/swap.ts";
import { decodeBlock } from "../../blocks/decode-block.ts";
import { scanBlock } from "../../blocks/scan-block.ts";
import { judgePools } from "../../discovery/contract-pools.ts";

const ABI = parseAbi([
  "event LOG_SWAP(address indexed caller, address indexed tokenIn, address indexed tokenOut, uint256 tokenAmountIn, uint256 tokenAmountOut)",
]);
const TOPIC: Hex = "0x908fb5ee8f16c6bc9bc3690973819f32a4d4b10188134543c88706e0e1d43378";

const blocks = recordedBlocks(MAINNET);

const swapLogs = blocks.flatMap(({ transactions }) =>
  transactions.flatMap(({ logs }) => logs.filter(({ topics }) => topics[0] === TOPIC)),
);

function swapsIn(given: readonly Block[]): Swap[] {
  const decoded = given.map((block) => decodeBlock(scanBlock(block, ethereum), new Map(), ethereum));
  const events = decoded.flatMap(({ transactions }) => transactions.flatMap((one) => one.events));
  return events.filter((event) => event.kind === "swap" && event.pool.family === "balancer-v1") as Swap[];
}

describe("Balancer V1 on real blocks", () => {
  it("reads every swap as an independent decoder does, in pools that the factory's nonces prove", () => {
    // The excerpt of the bundle has no swaps.
    if (DATA_SET === "full") expect(swapLogs.length).toBeGreaterThan(0);
    const expected = swapLogs.map(({ address, data, topics, logIndex }: Log) => {
      const { args } = decodeEventLog({ abi: ABI, data, topics: topics as [Hex, ...Hex[]], strict: true });
      return {
        pool: { address, protocol: "balancer_v1", fee: null },
        logIndex,
        token0: args.tokenIn.toLowerCase(),
        token1: args.tokenOut.toLowerCase(),
        amount0: args.tokenAmountIn,
        amount1: -args.tokenAmountOut,
      };
    });
    expect(swapsIn(blocks)).toMatchObject(expected);
  });

  it("reads amounts that the pool's transfers confirm", () => {
    for (const { pool, token0, token1, amount0, amount1 } of swapsIn(blocks)) {
      const moved = blocks.flatMap((block) =>
        scanBlock(block, ethereum).transactions.flatMap(({ transfers }) => transfers),
      );
      const into = moved.some(
        (one) => one.token === token0 && one.to === pool.address && one.value === amount0,
      );
      const outOf = moved.some(
        (one) => one.token === token1 && one.from === pool.address && one.value === -amount1,
      );
      expect([into, outOf]).toEqual([true, true]);
    }
  });

  it("makes no swap of a contract that the factory did not create", () => {
    const fake: Hex = "0x00000000000000000000000000000000deadbeef";
    const copied = blocks.map((block) => ({
      ...block,
      transactions: block.transactions.map((transaction) => ({
        ...transaction,
        logs: transaction.logs.map((log) => (log.topics[0] === TOPIC ? { ...log, address: fake } : log)),
      })),
    }));
    expect(swapsIn(copied)).toEqual([]);
    const tokens: Hex = `0x${["20", "2", "aa", "bb"].map((word) => word.padStart(64, "0")).join("")}`;
    const yes: Hex = `0x${"1".padStart(64, "0")}`;
    const judged = (results: (Hex | null)[], chain = ethereum) =>
      judgePools([{ address: fake, family: "balancer-v1" }], results, chain).pools.get(fake);
    expect(judged([tokens, yes])).toBeNull();
    const withoutNonces = ethereum.deployments.map(({ nonces: _, ...listed }) => listed);
    const asked = { ...ethereum, deployments: withoutNonces };
    expect(judged([tokens, null], asked)).toBeNull();
    expect(judged([tokens, yes], asked)?.tokens).toHaveLength(2);
  });
});
