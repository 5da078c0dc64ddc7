import type { Chain, Deployment } from "../../chains/chain.ts";
import {
  creationFilters,
  poolKeyCalls,
  poolsOfCreations,
  poolsOfKeys,
} from "../../decode/discovery/singleton-pools.ts";
import type { Candidate } from "../../decode/discovery/unknown-pools.ts";
import type { Hex } from "../../lib/hex.ts";
import { isSingleton } from "../../schema/pool-families.ts";
import type { Pool } from "../../schema/swap.ts";
import type { Source } from "../../sources/source.ts";

/**
 * Returns those candidates that are pools of singletons, if the chain's PositionManager has their keys. A V4
 * id does not reveal its tokens, but its key does, and the id proves the key.
 *
 * @param before first block of the index; the pools were created before it
 */
export async function poolsOfPositions(
  candidates: readonly Candidate[],
  chain: Chain,
  before: number,
  call: Source["call"],
): Promise<Map<Hex, Pool>> {
  const pools = new Map<Hex, Pool>();
  for (const deployment of olderSingletons(chain, before)) {
    const ids = candidates.filter(({ family }) => family === deployment.family).map(({ address }) => address);
    const calls = poolKeyCalls(ids, deployment);
    if (calls.length === 0) continue;
    const results = (await call(calls)) ?? [];
    for (const pool of poolsOfKeys(ids, results, deployment, chain)) pools.set(pool.address, pool);
  }
  return pools;
}

/**
 * Returns the pools of singletons with these ids, as far as the node returns their creation events. A source
 * that searches in the background may return an event only to a later call.
 *
 * @param before first block of the index; the pools were created before it
 */
export async function poolsOfPastLogs(
  ids: readonly Hex[],
  chain: Chain,
  before: number,
  pastLogs: Source["pastLogs"],
): Promise<Map<Hex, Pool>> {
  const pools = new Map<Hex, Pool>();
  for (const deployment of olderSingletons(chain, before)) {
    for (const filter of creationFilters(ids, deployment, before)) {
      const logs = (await pastLogs(filter)) ?? [];
      for (const pool of poolsOfCreations(logs, ids, chain)) pools.set(pool.address, pool);
    }
  }
  return pools;
}

function olderSingletons({ deployments }: Chain, before: number): Deployment[] {
  return deployments.filter(({ family, firstBlock }) => isSingleton(family) && firstBlock < before);
}
