import type { Chain, Deployment } from "../../chains/chain.ts";
import { partsOf } from "../../lib/collections/parts.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { LogFilter } from "../../schema/log-filter.ts";
import type { Pool } from "../../schema/swap.ts";
import type { KeyView } from "../families/swap-family.ts";
import { createdPool } from "../pools/created-pool.ts";
import { FAMILIES } from "../pools/swap-families.ts";
import { poolOf } from "../proofs/pool-of.ts";

const WORD_DIGITS = 64;
/** Maximum number of ids in one filter. Nodes reject filters of more than a thousand topics. */
const IDS_PER_FILTER = 100;

/**
 * Returns the calls that read the keys of pools. Returns none if no contract of the deployment provides keys.
 */
export function poolKeyCalls(ids: readonly Hex[], deployment: Deployment): ContractCall[] {
  const { view } = FAMILIES[deployment.family].keys ?? {};
  const to = view && deployment[view.contract];
  return view && to ? ids.map((id) => ({ to, data: keyCallData(id, view) })) : [];
}

function keyCallData(id: Hex, { selector, digits }: KeyView): Hex {
  return `${selector}${id.slice(2, 2 + digits).padEnd(WORD_DIGITS, "0")}`;
}

/**
 * Returns the pools that the results of `poolKeyCalls` prove. A key is proven if its hash is the pool's id.
 */
export function poolsOfKeys(
  ids: readonly Hex[],
  keys: readonly (Hex | null)[],
  deployment: Deployment,
  chain: Chain,
): Pool[] {
  const scheme = FAMILIES[deployment.family].keys;
  return ids.flatMap((id, i) => {
    const found = scheme?.poolOfKey(id, keys[i] ?? "0x") ?? null;
    return found === null ? [] : [poolOf(deployment, found, chain)];
  });
}

/**
 * Returns filters for the creation events of pools before block `before`. Every pool with swaps has a
 * creation event. Returns none if the family's creation event does not have the id as a topic, because nodes
 * find logs only by topics.
 */
export function creationFilters(ids: readonly Hex[], deployment: Deployment, before: number): LogFilter[] {
  const { factory, family, firstBlock } = deployment;
  const [creation] = FAMILIES[family].creations;
  if (creation === undefined || creation.topics < 2) return [];
  return partsOf(ids, IDS_PER_FILTER).map((part) => ({
    address: factory,
    topic: creation.topic,
    ids: part,
    from: firstBlock,
    to: before - 1,
  }));
}

/** Returns the requested pools that these logs create. Leaves out other pools. */
export function poolsOfCreations(logs: readonly Log[], ids: readonly Hex[], chain: Chain): Pool[] {
  const pools = logs.flatMap((log) => createdPool(log, chain, null, [log]) ?? []);
  return pools.filter(({ address }) => ids.includes(address));
}
