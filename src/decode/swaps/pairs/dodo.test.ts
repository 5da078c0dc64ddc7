import { encodeAbiParameters, encodeEventTopics, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { bundlePath, MAINNET } from "../../../../test/support/nodes/bundles.ts";
import { recordedBlocks } from "../../../../test/support/nodes/recording.ts";
import { ethereum } from "../../../chains/ethereum.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Block, Log } from "../../../schema/block.ts";
import type { Pool } from "../../../schema/swap.ts";
import { confirmPools, judgePools } from "../../discovery/contract-pools.ts";
import { createdPool } from "../../pools/created-pool.ts";
import { logsWith, movedBy, recordedSwaps, withLogs } from "../../support/recorded-swaps.ts";

const ABI = parseAbi([
  "event DODOSwap(address fromToken, address toToken, uint256 fromAmount, uint256 toAmount, address trader, address receiver)",
  "event SellBaseToken(address indexed seller, uint256 payBase, uint256 receiveQuote)",
  "event BuyBaseToken(address indexed buyer, uint256 receiveBase, uint256 payQuote)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
]);
const CREATIONS = parseAbi([
  "event NewDVM(address baseToken, address quoteToken, address creator, address dvm)",
  "event NewDPP(address baseToken, address quoteToken, address creator, address dpp)",
  "event NewDSP(address baseToken, address quoteToken, address creator, address DSP)",
  "event NewGSP(address baseToken, address quoteToken, address creator, address GSP)",
]);
const BIRTH = parseAbi(["event DODOBirth(address newBorn, address baseToken, address quoteToken)"]);
const SWAP = encodeEventTopics({ abi: ABI, eventName: "DODOSwap" })[0] as Hex;
const FAKE: Hex = "0x00000000000000000000000000000000deadbeef";
const ZOO: Hex = "0x3a97247df274a17c59a3bd12735ea3fcdfb49950";
const DVM_FACTORY: Hex = "0x72d220ce168c4f361dd4dee5d826a01ad8598f6c";
const USDT: Hex = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const USDC: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const word = (hex: string): Hex => `0x${hex.replace("0x", "").padStart(64, "0")}`;
const amounts = (...values: bigint[]): Hex =>
  `0x${values.map((value) => word(value.toString(16)).slice(2)).join("")}`;

/** Judges a contract as if the family's first registry returned `listed`. */
function judged(family: "dodo-v1" | "dodo-v2", address: Hex, listed: Hex | null): Pool | null | undefined {
  const { followUps } = judgePools([{ address, family }], [word(USDT), word(USDC)], ethereum);
  return confirmPools(
    followUps,
    followUps.map((_, i) => (i === 0 ? listed : null)),
  ).get(address);
}

const listOf = (...pools: Hex[]) => encodeAbiParameters([{ type: "address[]" }], [pools]);

describe("DODO V2 on real blocks", () => {
  const blocks = [MAINNET, bundlePath("eth-covalent")].flatMap((bundle) => recordedBlocks(bundle));
  const logs = logsWith(blocks, SWAP);
  const pools = new Map(
    logs.map(({ address }) => [address, judged("dodo-v2", address, listOf(FAKE, address)) as Pool]),
  );

  it("reads every swap of pools that a registry lists, in amounts that the pools' transfers confirm", () => {
    expect(logs.length).toBeGreaterThan(0);
    const swaps = recordedSwaps(blocks, "dodo-v2", pools);
    expect(swaps).toHaveLength(logs.length);
    for (const recorded of swaps)
      expect(movedBy(recorded, recorded.swap.pool.address)).toEqual({ in: true, out: true });
  });

  it("makes no swap of a clone that no registry lists", () => {
    const copied = withLogs(blocks, (log) => (log.topics[0] === SWAP ? { ...log, address: FAKE } : log));
    expect(recordedSwaps(copied, "dodo-v2")).toEqual([]);
    expect(judged("dodo-v2", FAKE, listOf(USDT))).toBeNull();
    expect(judged("dodo-v2", FAKE, null)).toBeNull();
  });
});

describe("DODO V1", () => {
  const pool: Hex = "0xc9f93163c99695c6526b799ebca2207fdf7d61ad";
  const [block] = recordedBlocks(MAINNET) as [Block];
  const log = (name: "SellBaseToken" | "BuyBaseToken" | "Transfer", from: Log, ...args: Hex[]): Log => ({
    ...from,
    topics: [encodeEventTopics({ abi: ABI, eventName: name })[0], ...args.map(word)] as Hex[],
  });
  const transfer = (token: Hex, from: Hex, to: Hex, value: bigint): Log =>
    log("Transfer", { address: token, topics: [], data: amounts(value), logIndex: 1 }, from, to);
  /** In transaction 0x5be5c847… of Ethereum, a trader buys USDT, the base token, for USDC. */
  const [baseOut, quoteIn] = [24_132_941_425n, 24_135_075_838n];
  const transfers = [transfer(USDT, pool, FAKE, baseOut), transfer(USDC, FAKE, pool, quoteIn)];
  const bought = log(
    "BuyBaseToken",
    { address: pool, topics: [], data: amounts(baseOut, quoteIn), logIndex: 9 },
    FAKE,
  );
  const swapsIn = (given: Log[]) => {
    const transactions = block.transactions.slice(0, 1).map((one) => ({ ...one, logs: given }));
    return recordedSwaps([{ ...block, transactions }], "dodo-v1").map(({ swap }) => swap);
  };

  it("reads purchases and sales of the base token in listed pools, with tokens from exact transfers", () => {
    const found = { token0: USDT, token1: USDC, pool: { address: pool, protocol: "dodo_v1" } };
    expect(swapsIn([...transfers, bought])).toMatchObject([
      { ...found, amount0: -baseOut, amount1: quoteIn },
    ]);
    const back = [transfer(USDT, FAKE, pool, 7n), transfer(USDC, pool, FAKE, 6n)];
    const sold = log("SellBaseToken", { ...bought, data: amounts(7n, 6n) }, FAKE);
    expect(swapsIn([...back, sold])).toMatchObject([{ ...found, amount0: 7n, amount1: -6n }]);
  });

  it("makes no swap without the transfers, with ambiguous ones, or of another contract", () => {
    expect(swapsIn([bought])).toEqual([]);
    expect(swapsIn([...transfers, transfer(FAKE, FAKE, pool, quoteIn), bought])).toEqual([]);
    const moved = transfers.map(({ topics, ...rest }) => ({
      ...rest,
      topics: topics.map((topic) => (topic === word(pool) ? word(DVM_FACTORY) : topic)),
    }));
    expect(swapsIn([...moved, { ...bought, address: DVM_FACTORY }])).toEqual([]);
  });

  it("accepts pools of DODOZoo's registry, and no others", () => {
    expect(judged("dodo-v1", FAKE, word(FAKE))).toMatchObject({ factory: ZOO, tokens: [USDT, USDC] });
    expect(judged("dodo-v1", FAKE, word(USDC))).toBeNull();
    expect(judged("dodo-v1", FAKE, null)).toBeNull();
  });
});

describe("creation events of DODO", () => {
  it("announce pools of the listed factories only", () => {
    const events: Log[] = CREATIONS.map((event) => ({
      address: DVM_FACTORY,
      topics: encodeEventTopics({ abi: [event] }) as Hex[],
      data: encodeAbiParameters(event.inputs, [USDT, USDC, ZOO, FAKE]),
      logIndex: 0,
    }));
    events.push({
      address: ZOO,
      topics: encodeEventTopics({ abi: BIRTH }) as Hex[],
      data: encodeAbiParameters(BIRTH[0].inputs, [FAKE, USDT, USDC]),
      logIndex: 0,
    });
    for (const event of events) {
      const { address: factory } = event;
      expect(createdPool(event, ethereum, null, [])).toMatchObject({
        address: FAKE,
        factory,
        tokens: [USDT, USDC],
      });
      expect(createdPool({ ...event, address: FAKE }, ethereum, null, [])).toBeNull();
    }
  });
});
