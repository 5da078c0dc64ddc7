import type { Chain, Deployment } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import { partsOf } from "../../lib/parts.ts";
import type { Log } from "../../schema/block.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { LogFilter } from "../../schema/log-filter.ts";
import type { Pool } from "../../schema/swap.ts";
import { createdPool, poolOf, withWrappedNative } from "../pools/created-pool.ts";
import { FAMILIES } from "../pools/swap-families.ts";
import { poolOfKey } from "../swaps/uniswap-v4.ts";

/**
 * poolKeys(bytes25): the key of the pool with this id prefix; zeros if this contract created no position in
 * it.
 */
const POOL_KEYS: Hex = "0x86b6be7d";
/** Hex digits of an id's first 25 bytes, by which the PositionManager finds a key. */
const ID_PREFIX_DIGITS = 50;
const WORD_DIGITS = 64;
/** Ids in one filter: nodes reject filters of more than a thousand topics. */
const IDS_PER_FILTER = 100;

/** The calls that return the keys of pools; none where the deployment has no PositionManager. */
export function poolKeyCalls(ids: readonly Hex[], { positionManager }: Deployment): ContractCall[] {
  if (positionManager === undefined) return [];
  return ids.map((id) => ({ to: positionManager, data: poolKeyCallData(id) }));
}

function poolKeyCallData(id: Hex): Hex {
  return `${POOL_KEYS}${id.slice(2, 2 + ID_PREFIX_DIGITS).padEnd(WORD_DIGITS, "0")}`;
}

/**
 * The pools that the results of `poolKeyCalls` prove: a key is proven by its hash, which is the pool's id.
 */
export function poolsOfKeys(
  ids: readonly Hex[],
  keys: readonly (Hex | null)[],
  deployment: Deployment,
  chain: Chain,
): Pool[] {
  return ids.flatMap((id, i) => {
    const found = poolOfKey(id, keys[i] ?? "0x");
    return found === null ? [] : [poolOf(deployment, withWrappedNative(found, chain), null)];
  });
}

/** Filters for the events that created pools before block `before`. */
export function creationFilters(ids: readonly Hex[], deployment: Deployment, before: number): LogFilter[] {
  const { factory, family, firstBlock } = deployment;
  return partsOf(ids, IDS_PER_FILTER).map((part) => ({
    address: factory,
    topics: [[FAMILIES[family].creation.topic], part],
    from: firstBlock,
    to: before - 1,
    // Each pool that has swaps must have a creation log.
    atLeast: part.length,
  }));
}

/** The requested pools that these logs create. Other pools are left out. */
export function poolsOfCreations(logs: readonly Log[], ids: readonly Hex[], chain: Chain): Pool[] {
  const pools = logs.flatMap((log) => createdPool(log, chain, null) ?? []);
  return pools.filter(({ address }) => ids.includes(address));
}
