import { encodeAbiParameters, encodeEventTopics, parseAbi } from "viem";
import { ethereum } from "../../chains/ethereum.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Block, Log, Transaction } from "../../schema/block.ts";
import type { Pool } from "../../schema/swap.ts";

export const MANAGER: Hex = "0x000000000004444c5dc75cb358380d2e3de08a90";
export const USDC: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
export const ZERO: Hex = `0x${"0".repeat(40)}`;
/** Id of Ethereum's pool of ether and USDC with a fee of 0.05 %. */
export const ID: Hex = "0x21c67e77068de97969ba93d4aab21826d33ca12bb9f565d8496e8fda8a82ca27";
export const EVENTS = parseAbi([
  "event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)",
  "event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)",
]);

/** The PoolManager's log of a swap of 0.1 ether for 299.83 USDC in that pool. */
export const SWAP: Log = {
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

export const DYNAMIC_FEE = 0x800000;
/** The id of the same pool's key with the dynamic fee. */
export const DYNAMIC_ID: Hex = "0x5ac1721a5c6960fc20005b9ec2ad4dfcca1ccad5fae12ee1b2cc3d58a45ff708";

export function initialize(id: Hex, fee: number): Log {
  const args = { id, currency0: ZERO, currency1: USDC } as const;
  const types = ["uint24", "int24", "address", "uint160", "int24"].map((type) => ({ type }));
  return {
    address: MANAGER,
    topics: encodeEventTopics({ abi: EVENTS, eventName: "Initialize", args }) as Hex[],
    data: encodeAbiParameters(types, [fee, 10, ZERO, 1n << 96n, 0]),
    logIndex: 3,
  };
}

export function blockOf(...logs: Log[]): Block {
  return {
    number: 9,
    timestamp: 90,
    transactions: [{ hash: "0x01", input: "0x", logs } as unknown as Transaction],
  } as Block;
}

export const POOL: Pool = {
  address: ID,
  family: "uniswap-v4",
  protocol: "uniswap_v4",
  factory: MANAGER,
  token0: ethereum.wrappedNative,
  token1: USDC,
  tokens: [ethereum.wrappedNative, USDC],
  underlying: [],
  fee: 500,
  hooks: ZERO,
  hookFlags: 0,
  createdBlock: null,
  createdTimestamp: null,
};
