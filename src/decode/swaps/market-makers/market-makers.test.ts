import { encodeAbiParameters, encodeEventTopics, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { decodeBlocks } from "../../../../test/support/nodes/decoded-blocks.ts";
import { base } from "../../../chains/base.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Block, Log, Transaction } from "../../../schema/block.ts";
import type { Pool } from "../../../schema/swap.ts";
import { addressWord, uintWord } from "../../abi/abi.ts";
import { judgePools } from "../../discovery/contract-pools.ts";
import { FAMILIES } from "../../pools/swap-families.ts";

const TESSERA: Hex = "0x55555522005bcae1c2424d474bfd5ed477749e3e";
const ELFOMO: Hex = "0xf0f0f0f0fb0d738452efd03a28e8be14c76d5f73";
const WETH = base.wrappedNative;
const USDC: Hex = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const USER: Hex = `0x${"66".repeat(20)}`;

const ABI = parseAbi([
  "event TesseraTrade(address tokenIn, address tokenOut, uint256 amountIn, uint256 amountOut, address recipient)",
  "event ElfomoTrade(uint256 indexed quoteId, uint256 indexed partnerId, address executor, address receiver, address fromToken, address toToken, uint256 fromAmount, uint256 toAmount)",
]);

const encoded = (types: string[], values: unknown[]): Hex =>
  encodeAbiParameters(
    types.map((type) => ({ type })),
    values,
  );

const TESSERA_TRADE: Log = {
  address: TESSERA,
  topics: encodeEventTopics({ abi: ABI, eventName: "TesseraTrade" }) as Hex[],
  data: encoded(["address", "address", "uint256", "uint256", "address"], [WETH, USDC, 5n, 7n, USER]),
  logIndex: 2,
};

const IDS = { quoteId: 0n, partnerId: 0n };
const ELFOMO_TRADE: Log = {
  address: ELFOMO,
  topics: encodeEventTopics({ abi: ABI, eventName: "ElfomoTrade", args: IDS }) as Hex[],
  data: encoded(
    ["address", "address", "address", "address", "uint256", "uint256"],
    [USER, USER, WETH, USDC, 5n, 7n],
  ),
  logIndex: 2,
};

const WOO_PP: Hex = "0xeff23b4be1091b53205e35f3afcd9c7182bf3062";
const ROUTER: Hex = "0x9aed3a8896a85fe9a8cac52c9b402d092b629a30";
const ARBITRUM_USDC: Hex = "0xff970a61a04b1ca14834a43f5de4533ebddb5cc8";
const ARBITRUM_WETH: Hex = "0x82af49447d8a07e3bd95bd0d56f35241523fbab1";
const NATIVE: Hex = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
const WALLET: Hex = "0xb2552eb7460f77f34ce3e33ecfc99d6669c38033";
const [PAID, RECEIVED, FEE] = ["4c4b40", "09b2c08c45f8c6", "04e2"].map((digits) => digits.padStart(64, "0"));
const topicsOf = (topic: Hex, addresses: Hex[]): Hex[] => [
  topic,
  ...addresses.map((address): Hex => `0x${addressWord(address)}`),
];

/**
 * The payment, the swap and the router's event of a real transaction, 0x3f58f319… in block 86,429,209 of
 * Arbitrum (logs 11, 12 and 14).
 */
const WOO_LOGS: Log[] = [
  {
    address: ARBITRUM_WETH,
    topics: topicsOf("0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", [WOO_PP, ROUTER]),
    data: `0x${RECEIVED}`,
    logIndex: 11,
  },
  {
    address: WOO_PP,
    topics: topicsOf("0x0e8e403c2d36126272b08c75823e988381d9dc47f2f0a9a080d95f891d95c469", [
      ...[ARBITRUM_USDC, ARBITRUM_WETH, ROUTER],
    ]),
    data: `0x${[PAID, RECEIVED, addressWord(ROUTER), addressWord(WALLET), PAID, FEE].join("")}`,
    logIndex: 12,
  },
  {
    address: ROUTER,
    topics: topicsOf("0x27c98e911efdd224f4002f6cd831c3ad0d2759ee176f9ee8466d95826af22a1c", [
      ...[ARBITRUM_USDC, NATIVE, WALLET],
    ]),
    data: `0x${[uintWord(0), PAID, RECEIVED, addressWord(WALLET), addressWord(WALLET)].join("")}`,
    logIndex: 14,
  },
];

const woofi = base.deployments.filter(({ family }) => family === "woofi");
/** Base with the WOOFi contract of the Arbitrum transaction. */
const chain = {
  ...base,
  deployments: [...base.deployments, ...woofi.map((listed) => ({ ...listed, factory: WOO_PP }))],
};

function eventsOf(logs: readonly Log[]) {
  const transaction = { hash: "0x01", input: "0x", logs } as unknown as Transaction;
  const block = { number: 9, timestamp: 90, transactions: [transaction] } as Block;
  const [decoded] = decodeBlocks([block], new Map<Hex, Pool | null>(), chain);
  return decoded?.transactions.flatMap(({ events }) => events) ?? [];
}

const swapsOf = (logs: readonly Log[]) => eventsOf(logs).filter(({ kind }) => kind === "swap");

describe("market makers", () => {
  it.each([
    ["tessera_v", TESSERA_TRADE],
    ["elfomofi", ELFOMO_TRADE],
  ])("%s: a swap has the tokens and amounts of its event", (protocol, log) => {
    const [token0, token1] = [WETH, USDC].sort();
    const pool = { address: log.address, protocol, fee: null, token0, token1 };
    const swap = { pool, token0: WETH, amount0: 5n, token1: USDC, amount1: -7n };
    expect(swapsOf([log])).toMatchObject([swap]);
  });

  it("woofi: a real swap through the router counts once, as its transfer says", () => {
    const [transfer] = eventsOf(WOO_LOGS);
    expect(transfer).toMatchObject({ kind: "erc20", token: ARBITRUM_WETH, value: BigInt(`0x${RECEIVED}`) });
    expect(swapsOf(WOO_LOGS)).toMatchObject([
      {
        ...{ logIndex: 12, pool: { protocol: "woofi", token0: ARBITRUM_WETH, token1: ARBITRUM_USDC } },
        ...{ token0: ARBITRUM_USDC, amount0: 5_000_000n },
        ...{ token1: ARBITRUM_WETH, amount1: -BigInt(`0x${RECEIVED}`) },
      },
    ]);
  });

  it("make no swap of another contract's event, whatever calls return", () => {
    for (const log of [TESSERA_TRADE, ELFOMO_TRADE, ...WOO_LOGS.slice(1, 2)]) {
      expect(swapsOf([{ ...log, address: USER }])).toEqual([]);
    }
    for (const family of ["tessera", "elfomofi", "woofi"] as const) {
      const judged = judgePools([{ address: USER, family }], [`0x${uintWord(1)}`], chain);
      expect(judged.pools.get(USER)).toBeNull();
      expect(FAMILIES[family].proof?.calls(USER, chain)).toEqual([]);
    }
  });

  it("leave a listed contract undecided until a swap names its tokens", () => {
    expect(judgePools([{ address: TESSERA, family: "tessera" }], [], chain).pools.size).toBe(0);
    const malformed: Log = { ...TESSERA_TRADE, data: `0x${"f".repeat(5 * 64)}` };
    expect(swapsOf([malformed])).toEqual([]);
    expect(swapsOf([TESSERA_TRADE, malformed])).toHaveLength(1);
  });
});
