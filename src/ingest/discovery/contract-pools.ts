import type { Chain } from "../../chains/chain.ts";
import { confirmPools, judgePools, poolCalls } from "../../decode/discovery/contract-pools.ts";
import type { Candidate } from "../../decode/discovery/unknown-pools.ts";
import type { Hex } from "../../lib/hex.ts";
import { isSingleton } from "../../schema/pool-families.ts";
import type { Pool } from "../../schema/swap.ts";
import type { Source } from "../../sources/source.ts";

/**
 * Judges the candidates that are contracts: returns genuine pools, and null for contracts that are not pools.
 * If `call` fails, its error is thrown and no candidate is judged; none is judged either if no endpoint can
 * make calls.
 */
export async function discoverContractPools(
  candidates: readonly Candidate[],
  chain: Chain,
  call: Source["call"],
): Promise<Map<Hex, Pool | null>> {
  const contracts = candidates.filter(({ family }) => !isSingleton(family));
  if (contracts.length === 0) return new Map();
  const results = await call(poolCalls(contracts, chain));
  if (results === null) return new Map();
  const { pools, followUps } = judgePools(contracts, results, chain);
  if (followUps.length === 0) return pools;
  const confirmations = await call(followUps.map((followUp) => followUp.call));
  const confirmed = confirmPools(followUps, confirmations ?? []);
  for (const [address, pool] of confirmed) if (!pools.get(address)) pools.set(address, pool);
  return pools;
}
