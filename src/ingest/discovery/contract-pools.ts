import type { Chain } from "../../chains/chain.ts";
import { confirmPools, judgePools, poolCalls } from "../../decode/discovery/contract-pools.ts";
import type { SeenCandidate } from "../../decode/discovery/unknown-pools.ts";
import type { FollowUp } from "../../decode/families/swap-family.ts";
import type { Hex } from "../../lib/hex.ts";
import type { CallBlock, ContractCall } from "../../schema/contract-call.ts";
import { isSingleton } from "../../schema/pool-families.ts";
import type { Pool } from "../../schema/swap.ts";
import type { Source } from "../../sources/source.ts";

/**
 * Judges the candidates that are contracts: returns genuine pools, and null for contracts that are not pools.
 * If `call` fails, throws its error. If no endpoint can make calls, judges no candidate.
 *
 * @param indexedFrom first block of the index
 */
export async function discoverContractPools(
  candidates: readonly SeenCandidate[],
  chain: Chain,
  call: Source["call"],
  indexedFrom: number,
): Promise<Map<Hex, Pool | null>> {
  const contracts = candidates.filter(({ family }) => !isSingleton(family));
  if (contracts.length === 0) return new Map();
  const terms = await call(poolCalls(contracts, chain));
  if (terms === null) return new Map();
  const { pools, followUps } = judgePools(contracts, terms, chain);
  const isAnnounced = ({ announcedFrom = -1 }: FollowUp) => announcedFrom >= indexedFrom;
  const called = followUps.filter((followUp) => !isAnnounced(followUp));
  const blocks = new Map(contracts.map(({ address, block }) => [address, block]));
  const results = called.length === 0 ? [] : await call(called.map((each) => callOf(each, blocks)));
  // A registry is not called about a candidate that it would have announced in an indexed block. Without a
  // result, a candidate is a pool only if its deployment lists it.
  const confirmed = confirmPools([...called, ...followUps.filter(isAnnounced)], results ?? []);
  for (const [address, pool] of confirmed) if (!pools.get(address)) pools.set(address, pool);
  return pools;
}

/**
 * Returns the call of a follow-up. If its result may change, the call reads the state of the candidate's
 * first block, so that the result does not depend on when the call is made.
 */
function callOf(
  { address, call, announcedFrom }: FollowUp,
  blocks: ReadonlyMap<Hex, CallBlock>,
): ContractCall {
  return announcedFrom === undefined ? call : { ...call, block: blocks.get(address) };
}
