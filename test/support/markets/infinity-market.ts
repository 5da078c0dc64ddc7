import { encodeAbiParameters, encodeEventTopics, parseAbi } from "viem";
import { keccak } from "../../../devnet/node/call-data.ts";
import type { Chain } from "../../../src/chains/chain.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import type { Block, Log } from "../../../src/schema/block.ts";
import { SINGLETON_EVENTS } from "../../../src/schema/singleton-events.ts";
import { poolIdOf, type V4Key } from "./uniswap-v4.ts";
import { DEAR_POOL, ETHER_POOL, FREE_POOL, v4Chain, WRAP_POOL } from "./v4-market.ts";

/** The events of ICLPoolManager.sol that change prices or liquidity. */
const EVENTS = parseAbi([
  "event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, address hooks, uint24 fee, bytes32 parameters, uint160 sqrtPriceX96, int24 tick)",
  "event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)",
  "event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee, uint16 protocolFee)",
]);
const topicOf = (eventName: "Initialize" | "ModifyLiquidity" | "Swap"): Hex => {
  const [topic] = encodeEventTopics({ abi: EVENTS, eventName });
  return topic;
};

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, "0");
const parametersOf = ({ tickSpacing }: V4Key): Hex => `0x${word(tickSpacing << 16)}`;

/** Returns the id of the Infinity pool to which `asInfinity` assigns the logs of a V4 pool. */
export function infinityIdOf(key: V4Key, manager: Hex): Hex {
  const types = ["address", "address", "address", "address", "uint24", "bytes32"].map((type) => ({ type }));
  const { currency0, currency1, hooks, fee } = key;
  return keccak(encodeAbiParameters(types, [currency0, currency1, hooks, manager, fee, parametersOf(key)]));
}

/** Returns a chain on which V4's PoolManager counts as Infinity's CLPoolManager. */
export function infinityChain(name: string, manager: Hex): Chain {
  const chain = v4Chain(name, manager);
  const deployments = chain.deployments.map((one) => ({
    ...one,
    ...{ protocol: "pancakeswap_infinity_cl", family: "pancake-infinity-cl" as const },
  }));
  return { ...chain, deployments, referencePools: [infinityIdOf(ETHER_POOL, manager)] };
}

/**
 * Rewrites the logs of V4's PoolManager as logs of Infinity's CLPoolManager. Both compute prices and the
 * amounts of positions and swaps in the same way.
 */
export function asInfinity(manager: Hex): (block: Block) => Block {
  const keys = [ETHER_POOL, DEAR_POOL, FREE_POOL, WRAP_POOL];
  const keysById = new Map(keys.map((key) => [poolIdOf(key), key]));
  const rewritten = (log: Log): Log => {
    const [topic, id = "0x", ...others] = log.topics;
    const key = log.address === manager ? keysById.get(id) : undefined;
    if (topic === undefined || key === undefined) return log;
    const topics = (topic: Hex) => [topic, infinityIdOf(key, manager), ...others];
    if (topic === SINGLETON_EVENTS.initialize) {
      const [, , hooks, price, tick] = wordsOf(log);
      const data = [hooks, word(key.fee), parametersOf(key).slice(2), price, tick].join("");
      return { ...log, topics: topics(topicOf("Initialize")), data: `0x${data}` };
    }
    if (topic === SINGLETON_EVENTS.swap)
      return { ...log, topics: topics(topicOf("Swap")), data: `${log.data}${word(0)}` };
    return {
      ...log,
      topics: topics(topic === SINGLETON_EVENTS.modifyLiquidity ? topicOf("ModifyLiquidity") : topic),
    };
  };
  return (block) => ({
    ...block,
    transactions: block.transactions.map((one) => ({ ...one, logs: one.logs.map(rewritten) })),
  });
}

function wordsOf({ data }: Log): string[] {
  return data.slice(2).match(/.{64}/g) ?? [];
}
