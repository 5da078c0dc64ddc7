import { encodeAbiParameters, encodeEventTopics, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { decodeBlocks } from "../../../../test/support/nodes/decoded-blocks.ts";
import { base } from "../../../chains/base.ts";
import type { Deployment } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/hex.ts";
import type { Block, Log, Transaction } from "../../../schema/block.ts";
import type { Pool } from "../../../schema/swap.ts";
import { addressWord, uintWord } from "../../abi/abi.ts";
import { keccak } from "../../abi/keccak.ts";
import { poolKeyCalls, poolsOfKeys } from "../../discovery/singleton-pools.ts";

const CL: Hex = "0xa0ffb9c1ce1fe56963b0321b32e7a0302114058b";
const BIN: Hex = "0xc697d2898e0d09264376196696c51d7abbbaa4a9";
const ZERO: Hex = `0x${"0".repeat(40)}`;
const USDC: Hex = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const TOKEN: Hex = "0x9f86db9fc6f7c9408e8fda3ff8ce4e78ac7a6b07";
const SENDER: Hex = `0x${"66".repeat(20)}`;
/** A real pool of BNB and USDT with hooks on BNB Smart Chain, and its id. */
const REAL_HOOKS: Hex = "0x6adc560af85377f9a73d17c658d798c9b39186e8";
const REAL_KEY = [
  ...[ZERO, "0x55d398326f99059ff775485246999027b3197955" as Hex, REAL_HOOKS, CL].map(addressWord),
  ...[uintWord(1000), uintWord(0x0a00c3)],
].join("");
const REAL_ID: Hex = "0x9db088a6915e9f6b61bbb0bfeacf2f6b1a9ee35c2041dc262ed99d221101a0bf";

const EVENTS = {
  cl: parseAbi([
    "event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, address hooks, uint24 fee, bytes32 parameters, uint160 sqrtPriceX96, int24 tick)",
    "event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee, uint16 protocolFee)",
  ]),
  bin: parseAbi([
    "event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, address hooks, uint24 fee, bytes32 parameters, uint24 activeId)",
    "event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint24 activeId, uint24 fee, uint16 protocolFee)",
  ]),
};
const TYPES = {
  cl: ["int128", "int128", "uint160", "uint128", "int24", "uint24", "uint16"],
  bin: ["int128", "int128", "uint24", "uint24", "uint16"],
};

interface Key {
  currency0: Hex;
  currency1: Hex;
  hooks: Hex;
  manager: Hex;
  fee: number;
  parameters: number;
}

const wordsOf = ({ currency0, currency1, hooks, manager, fee, parameters }: Key) => [
  ...[currency0, currency1, hooks, manager].map(addressWord),
  ...[uintWord(fee), uintWord(parameters)],
];
const idOf = (key: Key) => keccak(`0x${wordsOf(key).join("")}`);

const CL_KEY: Key = {
  ...{ currency0: ZERO, currency1: USDC, hooks: ZERO, manager: CL },
  ...{ fee: 500, parameters: 10 * 0x10000 },
};
const BIN_KEY: Key = {
  ...{ currency0: USDC, currency1: TOKEN, hooks: ZERO, manager: BIN },
  ...{ fee: 250, parameters: 25 * 0x10000 },
};

/** Returns the log of a swap in which the swapper pays 1,000 of currency0 and receives 900 of currency1. */
function swap(kind: "cl" | "bin", id: Hex, fees: [number, number], address = kind === "cl" ? CL : BIN): Log {
  const state = kind === "cl" ? [1n << 96n, 10n ** 18n, 5] : [8_388_608];
  const topics = encodeEventTopics({ abi: EVENTS[kind], eventName: "Swap", args: { id, sender: SENDER } });
  const types = TYPES[kind].map((type) => ({ type }));
  const data = encodeAbiParameters(types, [-1000n, 900n, ...state, ...fees]);
  return { address, topics: topics as Hex[], data, logIndex: 5 };
}

function created(kind: "cl" | "bin", key: Key, id = idOf(key)): Log {
  const { currency0, currency1, hooks, fee, parameters, manager } = key;
  const args = { id, currency0, currency1 };
  const topics = encodeEventTopics({ abi: EVENTS[kind], eventName: "Initialize", args });
  const state = kind === "cl" ? [1, 1] : [1];
  const data = [addressWord(hooks), ...[fee, parameters, ...state].map(uintWord)].join("");
  return { address: manager, topics: topics as Hex[], data: `0x${data}`, logIndex: 3 };
}

function transferOf(token: Hex): Log {
  const topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  const topics: Hex[] = [topic, ...[SENDER, CL].map((one): Hex => `0x${addressWord(one)}`)];
  return { address: token, topics, data: `0x${uintWord(1000)}`, logIndex: 4 };
}

function swapsOf(logs: Log[], input = "") {
  const transaction = { hash: "0x01", input: `0x12345678${input}`, logs } as unknown as Transaction;
  const block = { number: 9, timestamp: 90, transactions: [transaction] } as Block;
  const [decoded] = decodeBlocks([block], new Map<Hex, Pool | null>(), base);
  return decoded?.transactions.flatMap(({ events }) => events.filter(({ kind }) => kind === "swap"));
}

const AMOUNTS = { amount0: 1000n, amount1: -900n };

describe("PancakeSwap Infinity", () => {
  it.each([
    ["cl", CL_KEY, "pancakeswap_infinity_cl", base.wrappedNative],
    ["bin", BIN_KEY, "pancakeswap_infinity_bin", USDC],
  ] as const)("reads a swap in a created pool (%s) from the pool's side", (kind, key, protocol, token0) => {
    const logs = [created(kind, key), swap(kind, idOf(key), [key.fee, 0])];
    const pool = { protocol, fee: key.fee, createdBlock: 9 };
    expect(swapsOf(logs)).toMatchObject([{ pool, token0, ...AMOUNTS }]);
  });

  it.each([
    ["cl", { ...CL_KEY, hooks: REAL_HOOKS }],
    ["bin", { ...BIN_KEY, hooks: REAL_HOOKS }],
  ] as const)("does not take the amounts of a pool (%s) whose hook may change them", (kind, key) => {
    const unknown = { amount0: 1n, amount1: -1n, amountsUnknown: "hook_may_change_amounts" };
    const swapWith = (permissions: number, sender = SENDER) => {
      const hooked = { ...key, parameters: key.parameters + permissions };
      const log = swap(kind, idOf(hooked), [key.fee, 0]);
      const topics = [...log.topics.slice(0, 2), `0x${addressWord(sender)}` as const];
      return swapsOf([created(kind, hooked), { ...log, topics }]);
    };
    // The permissions beforeSwap and afterSwap, each with its return delta.
    expect(swapWith(0x0440)).toMatchObject([{ pool: { hooks: REAL_HOOKS, hookFlags: 0x88 }, ...unknown }]);
    expect(swapWith(0x0880)).toMatchObject([{ pool: { hooks: REAL_HOOKS, hookFlags: 0x44 }, ...unknown }]);
    // A hook is not called for its own swaps.
    expect(swapWith(0x0cc0, REAL_HOOKS)).toMatchObject([{ ...AMOUNTS, amountsUnknown: null }]);
    // All other permissions.
    expect(swapWith(0x33ff)).toMatchObject([{ pool: { hookFlags: 0x3ff3 }, ...AMOUNTS }]);
  });

  it("accepts no pool whose id is not its key's hash, and no event of another contract", () => {
    const other = { ...CL_KEY, fee: 501 };
    expect(swapsOf([created("cl", other, idOf(CL_KEY)), swap("cl", idOf(CL_KEY), [9, 0])])).toEqual([]);
    const foreign = created("cl", { ...CL_KEY, manager: SENDER });
    expect(swapsOf([foreign, swap("cl", idOf(CL_KEY), [500, 0], SENDER)])).toEqual([]);
    expect(swapsOf([created("cl", CL_KEY), swap("cl", idOf(CL_KEY), [500, 0], SENDER)])).toEqual([]);
  });

  it("finds keys by the managers' view, as the hash of a real pool's key confirms", () => {
    const deployment = base.deployments.find(({ factory }) => factory === CL) as Deployment;
    expect(poolKeyCalls([REAL_ID], deployment)).toEqual([{ to: CL, data: `0x0e2d484a${REAL_ID.slice(2)}` }]);
    const found = poolsOfKeys([REAL_ID, idOf(CL_KEY)], [`0x${REAL_KEY}`, `0x${REAL_KEY}`], deployment, base);
    const protocol = "pancakeswap_infinity_cl";
    // The permissions before and after initialization, and before and after a swap.
    const hook = { hooks: REAL_HOOKS, hookFlags: 0x30c0 };
    expect(found).toMatchObject([{ address: REAL_ID, fee: 1000, protocol, ...hook }]);
  });

  it.each<[string, "cl" | "bin", Key, [number, number], string, Hex[]]>([
    ["a whole key", "cl", { ...CL_KEY, hooks: REAL_HOOKS, parameters: 0xa00c3 }, [7, 0], "key", []],
    [
      "a PathKey and the other token",
      "cl",
      { ...CL_KEY, currency0: USDC, currency1: TOKEN, hooks: REAL_HOOKS, parameters: 0x3c00c3 },
      [7, 0],
      "path",
      [USDC],
    ],
    // The fee and protocol fee of a real swap. The pool's own fee is 47.
    [
      "the tokens and the event's fees",
      "cl",
      { ...CL_KEY, fee: 47, parameters: 0x10000 },
      [70, 23],
      "",
      [USDC],
    ],
    ["the tokens and the event's fees", "bin", BIN_KEY, [260, 10], "", [USDC, TOKEN]],
  ])("finds a key of which a transaction shows %s (%s)", (_, kind, key, fees, shown, tokens) => {
    const words = wordsOf(key);
    const path = [addressWord(TOKEN), words[4], words[2], words[3], uintWord(0xc0), words[5]];
    const input = { key: words, path, "": [] }[shown] ?? [];
    const logs = [...tokens.map(transferOf), swap(kind, idOf(key), fees)];
    const pool = { address: idOf(key), fee: key.fee };
    expect(swapsOf(logs, [uintWord(1), ...input].join(""))).toMatchObject([{ pool, ...AMOUNTS }]);
  });

  it("makes no swap of a pool whose key nothing shows", () => {
    const odd = { ...CL_KEY, hooks: REAL_HOOKS, parameters: 0x0a00c3 };
    expect(swapsOf([transferOf(USDC), swap("cl", idOf(odd), [500, 0])], addressWord(CL).repeat(500))).toEqual(
      [],
    );
  });
});
