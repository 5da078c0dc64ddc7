import type { Chain } from "../chains/chain.ts";
import type { Hex } from "../lib/hex.ts";
import type { Log } from "../schema/block.ts";
import type { LogFilter } from "../schema/log-filter.ts";
import { isSingleton, type Pool } from "../schema/swap.ts";
import { createdPool } from "./pool-creation.ts";
import type { Candidate } from "./pool-discovery.ts";
import { FAMILIES } from "./swap-families.ts";

/** Ids in one question: nodes refuse more than a thousand topics. */
const IDS_PER_QUESTION = 100;

/**
 * Pools of singletons among the candidates, by the event that created them in a block before `before`: nothing else
 * tells what an id stands for, but whoever tells it is proven by it. Absent are those that nobody tells.
 * `past` answers null where no node tells of those blocks; whatever it throws passes through.
 */
export async function discoverSingletonPools(
  candidates: readonly Candidate[],
  { chain, before }: { chain: Chain; before: number },
  past: (filter: LogFilter) => Promise<Log[] | null>,
): Promise<Map<Hex, Pool>> {
  const pools = new Map<Hex, Pool>();
  for (const filter of creationFilters(candidates, chain, before)) {
    for (const log of (await past(filter)) ?? []) {
      const pool = createdPool(log, chain, null);
      if (pool !== null) pools.set(pool.address, pool);
    }
  }
  return pools;
}

function creationFilters(candidates: readonly Candidate[], chain: Chain, before: number): LogFilter[] {
  return chain.deployments.flatMap(({ family, factory, firstBlock }) => {
    if (!isSingleton(family) || firstBlock >= before) return [];
    const ids = candidates.filter((candidate) => candidate.family === family).map(({ address }) => address);
    return partsOf(ids).map((part) => ({
      address: factory,
      topics: [[FAMILIES[family].creation.topic], part],
      from: firstBlock,
      to: before - 1,
    }));
  });
}

function partsOf(ids: readonly Hex[]): Hex[][] {
  const parts: Hex[][] = [];
  for (let at = 0; at < ids.length; at += IDS_PER_QUESTION) parts.push(ids.slice(at, at + IDS_PER_QUESTION));
  return parts;
}
