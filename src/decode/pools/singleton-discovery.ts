import type { Chain, Deployment } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import { partsOf } from "../../lib/parts.ts";
import type { Log } from "../../schema/block.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { LogFilter } from "../../schema/log-filter.ts";
import { isSingleton, type Pool } from "../../schema/swap.ts";
import { FAMILIES } from "../swap-families.ts";
import { poolOfKey } from "../swaps/uniswap-v4.ts";
import { createdPool, poolOf, withTokens } from "./pool-creation.ts";
import type { Candidate } from "./pool-discovery.ts";

/** What can be asked of a node; whatever it throws passes through. */
interface Past {
  /** Answers in order, null where a call reverts. */
  call(calls: ContractCall[]): Promise<(Hex | null)[]>;
  /** null where no node tells of those blocks. */
  pastLogs(filter: LogFilter): Promise<Log[] | null>;
}

interface Surroundings {
  chain: Chain;
  /** Block before which the pools were created. */
  before: number;
}

/** poolKeys(bytes25): the key of the pool whose id begins so, zeros where no position was made through it. */
const POOL_KEYS: Hex = "0x86b6be7d";
const KEY_NAME_DIGITS = 50;
const WORD_DIGITS = 64;
/** Ids in one question: nodes refuse more than a thousand topics. */
const IDS_PER_QUESTION = 100;

/**
 * Pools of singletons among the candidates: an id does not tell what it stands for, but whoever knows its key proves
 * it. The chain's PositionManager is asked for keys, then the node for the events that created the other pools. Absent
 * are those that nobody tells.
 */
export async function discoverSingletonPools(
  candidates: readonly Candidate[],
  { chain, before }: Surroundings,
  past: Past,
): Promise<Map<Hex, Pool>> {
  const pools = new Map<Hex, Pool>();
  for (const deployment of chain.deployments) {
    if (!isSingleton(deployment.family) || deployment.firstBlock >= before) continue;
    const ids = candidates.filter(({ family }) => family === deployment.family).map(({ address }) => address);
    for (const pool of await poolsOfKeys(ids, deployment, { chain, past })) pools.set(pool.address, pool);
    const left = ids.filter((id) => !pools.has(id));
    const filters = creationFilters(left, deployment, before);
    for (const pool of await poolsOfLogs(filters, { chain, past })) {
      // A pool that nobody asked for may be younger than the index.
      if (left.includes(pool.address)) pools.set(pool.address, pool);
    }
  }
  return pools;
}

interface Asked {
  chain: Chain;
  past: Past;
}

async function poolsOfKeys(
  ids: readonly Hex[],
  deployment: Deployment,
  { chain, past }: Asked,
): Promise<Pool[]> {
  const { positionManager: to } = deployment;
  if (to === undefined || ids.length === 0) return [];
  const keys = await past.call(ids.map((id) => ({ to, data: keyQuestion(id) })));
  return ids.flatMap((id, i) => {
    const found = poolOfKey(id, keys[i] ?? "0x");
    return found === null ? [] : [poolOf(deployment, withTokens(found, chain), null)];
  });
}

async function poolsOfLogs(filters: readonly LogFilter[], { chain, past }: Asked): Promise<Pool[]> {
  const pools: Pool[] = [];
  for (const filter of filters) {
    const logs = (await past.pastLogs(filter)) ?? [];
    pools.push(...logs.flatMap((log) => createdPool(log, chain, null) ?? []));
  }
  return pools;
}

function keyQuestion(id: Hex): Hex {
  return `${POOL_KEYS}${id.slice(2, 2 + KEY_NAME_DIGITS).padEnd(WORD_DIGITS, "0")}`;
}

function creationFilters(ids: readonly Hex[], deployment: Deployment, before: number): LogFilter[] {
  const { factory, family, firstBlock } = deployment;
  return partsOf(ids, IDS_PER_QUESTION).map((part) => ({
    address: factory,
    topics: [[FAMILIES[family].creation.topic], part],
    from: firstBlock,
    to: before - 1,
    // What was swapped in was created once.
    atLeast: part.length,
  }));
}
