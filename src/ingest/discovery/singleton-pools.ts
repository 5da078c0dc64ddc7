import type { Chain, Deployment } from "../../chains/chain.ts";
import {
  creationFilters,
  poolKeyCalls,
  poolsOfCreations,
  poolsOfKeys,
} from "../../decode/discovery/singleton-pools.ts";
import type { Candidate } from "../../decode/discovery/unknown-pools.ts";
import type { Hex } from "../../lib/hex.ts";
import { isSingleton, type Pool } from "../../schema/swap.ts";
import type { Source } from "../../sources/source.ts";

/**
 * Pools of singletons among the candidates. A V4 id does not reveal its tokens, but its key does, and the id
 * proves the key. The chain's PositionManager is queried for keys, then the node for the events that created
 * the remaining pools. Pools that neither reveals are left out.
 *
 * @param before the pools were created before this block
 */
export async function discoverSingletonPools(
  candidates: readonly Candidate[],
  chain: Chain,
  before: number,
  source: Pick<Source, "call" | "pastLogs">,
): Promise<Map<Hex, Pool>> {
  const pools = new Map<Hex, Pool>();
  for (const deployment of chain.deployments) {
    if (!isSingleton(deployment.family) || deployment.firstBlock >= before) continue;
    const ids = candidates.filter(({ family }) => family === deployment.family).map(({ address }) => address);
    for (const pool of await fetchByKeys(ids, deployment, chain, source)) pools.set(pool.address, pool);
    const remaining = ids.filter((id) => !pools.has(id));
    for (const filter of creationFilters(remaining, deployment, before)) {
      const logs = (await source.pastLogs(filter)) ?? [];
      for (const pool of poolsOfCreations(logs, remaining, chain)) pools.set(pool.address, pool);
    }
  }
  return pools;
}

async function fetchByKeys(
  ids: readonly Hex[],
  deployment: Deployment,
  chain: Chain,
  source: Pick<Source, "call">,
): Promise<Pool[]> {
  const calls = poolKeyCalls(ids, deployment);
  return calls.length === 0 ? [] : poolsOfKeys(ids, await source.call(calls), deployment, chain);
}
