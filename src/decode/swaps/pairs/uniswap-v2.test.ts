import { decodeEventLog, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { bundleCounts, MAINNET } from "../../../../test/support/nodes/bundles.ts";
import { recordedBlocks, recordedLogs } from "../../../../test/support/nodes/recording.ts";
import type { Deployment } from "../../../chains/chain.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Log } from "../../../schema/block.ts";
import type { DecodedEvent, Pool } from "../../../schema/swap.ts";
import { type CreationEvent, hasForm } from "../../families/swap-family.ts";
import { NO_EVIDENCE } from "../../support/evidence.ts";
import { recordedSwaps, withLogs } from "../../support/recorded-swaps.ts";
import { uniswapV2 } from "./uniswap-v2.ts";

const pool: Pool = {
  address: "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc",
  family: "uniswap-v2",
  protocol: "uniswap_v2",
  factory: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
  token0: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
  token1: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  tokens: ["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"],
  underlying: [],
  fee: 3000,
  hooks: null,
  hookFlags: null,
  createdBlock: null,
  createdTimestamp: null,
};

/** Returns an address that differs from the given one. */
const fakeOf = (address: Hex): Hex => `${address.slice(0, -1)}${address.endsWith("0") ? 1 : 0}` as Hex;

const ABI = parseAbi([
  "event Swap(address indexed sender, uint amount0In, uint amount1In, uint amount0Out, uint amount1Out, address indexed to)",
  "event Sync(uint112 reserve0, uint112 reserve1)",
  "event Mint(address indexed sender, uint amount0, uint amount1)",
  "event Burn(address indexed sender, uint amount0, uint amount1, address indexed to)",
  "event PairCreated(address indexed token0, address indexed token1, address pair, uint number)",
]);

function expected(log: Log): DecodedEvent {
  const { eventName, args } = decodeEventLog({
    abi: ABI,
    data: log.data,
    topics: log.topics as [Hex, ...Hex[]],
    strict: true,
  });
  const shared = { logIndex: log.logIndex, pool };
  switch (eventName) {
    case "Swap":
      return {
        kind: "swap",
        ...shared,
        ...{ token0: pool.token0, token1: pool.token1 },
        amount0: args.amount0In - args.amount0Out,
        amount1: args.amount1In - args.amount1Out,
        amountsUnknown: null,
      };
    case "Sync":
      return { kind: "sync", ...shared, reserve0: args.reserve0, reserve1: args.reserve1 };
    case "Mint":
      return { kind: "mint", ...shared, amount0: args.amount0, amount1: args.amount1 };
    case "Burn":
      return { kind: "burn", ...shared, amount0: args.amount0, amount1: args.amount1 };
    default:
      throw new Error(eventName);
  }
}

describe("Uniswap V2 on real logs", () => {
  const logs = recordedLogs(MAINNET);
  const counts = bundleCounts(MAINNET).events;

  it.each([
    ["Swap", 0],
    ["Sync", 1],
    ["Mint", 2],
    ["Burn", 3],
  ])("reads every %s as an independent decoder does", (name, at) => {
    const event = uniswapV2.events[at]!;
    const found = logs.filter((log) => log.topics[0] === event.topic);
    expect(found).toHaveLength(counts[`v2 ${name}`]!);
    for (const log of found) {
      expect(hasForm(log, event)).toBe(true);
      expect(event.read(log, pool, NO_EVIDENCE)).toEqual(expected(log));
    }
  });

  it("makes no swap of a contract whose address does not follow, in the same transactions", () => {
    const topic = uniswapV2.events[0]?.topic;
    const blocks = recordedBlocks(MAINNET);
    expect(recordedSwaps(blocks, "uniswap-v2").length).toBeGreaterThan(30);
    const fakes = withLogs(blocks, (log) =>
      log.topics[0] === topic ? { ...log, address: fakeOf(log.address) } : log,
    );
    expect(recordedSwaps(fakes, "uniswap-v2")).toEqual([]);
  });

  it("reads PairCreated", () => {
    const [creation] = uniswapV2.creations as [CreationEvent];
    const found = logs.filter((log) => hasForm(log, creation));
    const [deployment] = ethereum.deployments as [Deployment];
    expect(found.map((log) => creation.read(log, [log], deployment))).toEqual(
      found.map(({ data, topics }) => {
        const { args } = decodeEventLog({
          strict: true,
          abi: ABI,
          eventName: "PairCreated",
          data,
          topics: topics as [Hex, Hex, Hex, Hex],
        });
        return {
          address: args.pair.toLowerCase(),
          token0: args.token0.toLowerCase(),
          token1: args.token1.toLowerCase(),
          fee: null,
        };
      }),
    );
    expect(found).toHaveLength(counts["v2 PairCreated"]!);
  });
});
