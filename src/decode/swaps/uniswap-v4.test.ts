import { decodeEventLog, encodeAbiParameters, encodeEventTopics, encodeFunctionData, parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { ethereum } from "../../chains/ethereum.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Log, Transaction } from "../../schema/block.ts";
import type { Pool } from "../../schema/swap.ts";
import { decodeBlock } from "../decode-block.ts";
import { createdPool } from "../pools/pool-creation.ts";
import { unknownPools } from "../pools/pool-discovery.ts";
import { discoverSingletonPools } from "../pools/singleton-discovery.ts";
import { hasForm } from "../swap-family.ts";
import { uniswapV4 } from "./uniswap-v4.ts";

const MANAGER: Hex = "0x000000000004444c5dc75cb358380d2e3de08a90";
const USDC: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const ZERO: Hex = `0x${"0".repeat(40)}`;
/** Ethereum's pool of ether and USDC at 0.05 %. */
const ID: Hex = "0x21c67e77068de97969ba93d4aab21826d33ca12bb9f565d8496e8fda8a82ca27";
const ABI = parseAbi([
  "event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)",
  "event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)",
]);

/** As the PoolManager's code logs a swap of 0.1 ether for 299.83 USDC in that pool. */
const SWAP: Log = {
  address: MANAGER,
  topics: [
    "0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f",
    ID,
    "0x000000000000000000000000e7f1725e7734ce288f8367e1bb143e90bb3f0512",
  ],
  data: `0x${[
    "fffffffffffffffffffffffffffffffffffffffffffffffffe9cba87a2760000",
    "0000000000000000000000000000000000000000000000000000000011df18f1",
    "0000000000000000000000000000000000000000000396e02b5f3c105721da53",
    "000000000000000000000000000000000000000000000000016345785d8a0000",
    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffd015e",
    "00000000000000000000000000000000000000000000000000000000000001f4",
  ].join("")}`,
  logIndex: 4,
};

const DYNAMIC_FEE = 0x800000;
const DYNAMIC_ID: Hex = "0x5ac1721a5c6960fc20005b9ec2ad4dfcca1ccad5fae12ee1b2cc3d58a45ff708";

interface Announced {
  id: Hex;
  fee: number;
}

function initialize({ id, fee }: Announced): Log {
  const args = { id, currency0: ZERO, currency1: USDC } as const;
  const types = ["uint24", "int24", "address", "uint160", "int24"].map((type) => ({ type }));
  return {
    address: MANAGER,
    topics: encodeEventTopics({ abi: ABI, eventName: "Initialize", args }) as Hex[],
    data: encodeAbiParameters(types, [fee, 10, ZERO, 1n << 96n, 0]),
    logIndex: 3,
  };
}

function blockOf(...logs: Log[]): Block {
  return {
    number: 9,
    timestamp: 90,
    transactions: [{ hash: "0x01", logs } as unknown as Transaction],
  } as Block;
}

const pool: Pool = {
  address: ID,
  family: "uniswap-v4",
  protocol: "uniswap_v4",
  factory: MANAGER,
  token0: ethereum.wrappedNative,
  token1: USDC,
  fee: 500,
  createdBlock: null,
  createdTimestamp: null,
};

describe("Uniswap V4", () => {
  it("reads a swap from the pool's side, as an independent decoder does from the swapper's", () => {
    const [event] = uniswapV4.events;
    const { args } = decodeEventLog({ abi: ABI, data: SWAP.data, topics: SWAP.topics as [Hex, ...Hex[]] });
    const { amount0, amount1 } = args as { amount0: bigint; amount1: bigint };
    expect(event && hasForm(SWAP, event)).toBe(true);
    expect(event?.read(SWAP, pool)).toEqual({
      ...{ kind: "swap", logIndex: 4, pool },
      ...{ amount0: -amount0, amount1: -amount1 },
    });
    expect([-amount0, -amount1]).toEqual([100_000_000_000_000_000n, -299_833_585n]);
  });

  it("takes a pool whose id is the hash of its key, the native coin as the wrapped one", () => {
    const created = createdPool(initialize({ id: ID, fee: 500 }), ethereum, { block: 9, timestamp: 90 });
    expect(created).toEqual({ ...pool, createdBlock: 9, createdTimestamp: 90 });
  });

  it("tells no fee of a pool whose hooks set it", () => {
    const created = createdPool(initialize({ id: DYNAMIC_ID, fee: DYNAMIC_FEE }), ethereum, null);
    expect(created).toMatchObject({ address: DYNAMIC_ID, fee: null });
  });

  it("takes no pool of another key, nor of another contract", () => {
    expect(createdPool(initialize({ id: ID, fee: 501 }), ethereum, null)).toBeNull();
    const fake = { ...initialize({ id: ID, fee: 500 }), address: ZERO };
    expect(createdPool(fake, ethereum, null)).toBeNull();
  });

  it("finds the pool of a swap by its id, in the listed singleton alone", () => {
    const pools = new Map<Hex, Pool | null>();
    const swaps = (...logs: Log[]) => decodeBlock(blockOf(...logs), pools, ethereum)[0]?.events;
    expect(swaps(SWAP)).toEqual([]);
    expect(swaps(initialize({ id: ID, fee: 500 }), { ...SWAP, address: ZERO })).toMatchObject([
      { kind: "pool-creation", pool: { address: ID } },
    ]);
    expect(swaps(SWAP)).toMatchObject([{ kind: "swap", pool: { address: ID, createdBlock: 9 } }]);
  });
});

describe("pools of a singleton that are older than the index", () => {
  const candidates = unknownPools([blockOf(SWAP, { ...SWAP, address: ZERO })], new Map(), ethereum);

  it("are unknown by their id", () => {
    expect(candidates).toEqual([{ address: ID, family: "uniswap-v4" }]);
    expect(unknownPools([blockOf(initialize({ id: ID, fee: 500 }), SWAP)], new Map(), ethereum)).toEqual([]);
  });

  const late = { chain: ethereum, before: 22_000_000 };
  const key = encodeAbiParameters(
    ["address", "address", "uint24", "int24", "address"].map((type) => ({ type })),
    [ZERO, USDC, 500, 10, ZERO],
  );
  const nobody = { call: async () => [null], pastLogs: async () => null };

  it("are told by the PositionManager, and proven by their key", async () => {
    const asked: object[] = [];
    const call = async (calls: object[]) => {
      asked.push(...calls);
      return [key];
    };
    const never = () => Promise.reject(new Error("asked for logs"));
    expect([...(await discoverSingletonPools(candidates, late, { call, pastLogs: never }))]).toEqual([
      [ID, pool],
    ]);
    const abi = parseAbi(["function poolKeys(bytes25 id)"]);
    const data = encodeFunctionData({ abi, args: [ID.slice(0, 52) as Hex] });
    expect(asked).toEqual([{ to: "0xbd216513d74c8cf14cf4747e6aaa6420ff64ee9e", data }]);
  });

  it.each<[string, Hex | null]>([
    ["knows nothing", `0x${"0".repeat(320)}`],
    ["tells another key", key.replace("1f4", "1f5") as Hex],
    ["tells half a key", key.slice(0, 200) as Hex],
    ["tells more", `${key}00`],
    ["reverts", null],
  ])(
    "are asked of the node where the PositionManager %s, and proven by what created them",
    async (_, told) => {
      const asked: object[] = [];
      const pastLogs = async (filter: object) => {
        asked.push(filter);
        const unasked = [500, DYNAMIC_FEE].map((fee) => initialize({ id: DYNAMIC_ID, fee }));
        return [initialize({ id: ID, fee: 500 }), ...unasked];
      };
      const found = await discoverSingletonPools(candidates, late, { call: async () => [told], pastLogs });
      expect([...found]).toEqual([[ID, pool]]);
      expect(asked).toEqual([
        {
          address: MANAGER,
          topics: [["0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438"], [ID]],
          from: 21_688_329,
          to: 21_999_999,
          atLeast: 1,
        },
      ]);
    },
  );

  it("stay unknown where nobody tells, and are not asked for where none can be older", async () => {
    expect(await discoverSingletonPools(candidates, late, nobody)).toEqual(new Map());
    const early = { chain: ethereum, before: 21_688_329 };
    const never = () => Promise.reject(new Error("asked"));
    expect(await discoverSingletonPools(candidates, early, { call: never, pastLogs: never })).toEqual(
      new Map(),
    );
  });
});
