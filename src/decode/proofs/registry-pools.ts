import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { Pool } from "../../schema/swap.ts";
import { addressOf, addressResult, addressWord, wordAt } from "../abi/abi.ts";
import type { AnnouncedPool, CallResults, Evidence, PoolProof, Verdict } from "../families/swap-family.ts";
import { poolOf } from "./pool-of.ts";

/** A family whose factories list pools by their two tokens. */
interface RegistryRules {
  family: PoolFamily;
  /** Selectors of the pool's views. There is one for each of its two tokens, or one that returns both. */
  tokens: readonly Hex[];
  /**
   * Selector of the factory's view that returns the pools of two tokens. `lists` returns true if a result
   * contains the pool.
   */
  registry: Hex;
  lists(result: Hex, address: Hex): boolean;
  /** Present if an event announces every pool in the registry. */
  announces?: true;
  /**
   * Returns the two tokens that an event and its transaction reveal, or null. Absent if events never reveal
   * the tokens.
   */
  tokensOf?(address: Hex, log: Log, evidence: Evidence): [Hex, Hex] | null;
}

/**
 * Proves pools that are clones. A clone's address proves nothing, because anyone can clone any contract.
 * Therefore a factory must announce the pool or have it in its registry, or the deployment must list the
 * pool.
 */
export function registryPools(rules: RegistryRules): PoolProof {
  const deploymentsOn = ({ deployments }: Chain) =>
    deployments.filter(({ family }) => family === rules.family);
  return {
    addressOf: () => null,
    calls: (to: Hex, chain: Chain): ContractCall[] =>
      deploymentsOn(chain).length === 0 ? [] : rules.tokens.map((data) => ({ to, data })),
    judge(address: Hex, results: CallResults, chain: Chain): Verdict {
      const [token0, token1] = tokensIn(results, rules.tokens.length);
      if (!token0 || !token1) return undefined;
      const announced: AnnouncedPool = { address, token0, token1, fee: null };
      return deploymentsOn(chain).map((deployment) => ({
        address,
        call: {
          to: deployment.factory,
          data: `${rules.registry}${addressWord(token0)}${addressWord(token1)}` as const,
        },
        poolOf: (result) =>
          deployment.pools?.includes(address) || (result && rules.lists(result, address))
            ? poolOf(deployment, announced, chain)
            : null,
        ...(rules.announces ? { announcedFrom: deployment.firstBlock } : {}),
      }));
    },
    fromTransaction(address: Hex, log: Log, evidence: Evidence, chain: Chain): Pool | null {
      const deployment = deploymentsOn(chain).find(({ pools }) => pools?.includes(address));
      const tokens = deployment && rules.tokensOf?.(address, log, evidence);
      if (!deployment || !tokens) return null;
      const [token0, token1] = tokens;
      return poolOf(deployment, { address, token0, token1, fee: null }, chain);
    },
  };
}

function tokensIn(results: CallResults, views: number): (Hex | null)[] {
  if (views > 1) return results.map(addressResult);
  const [both] = results;
  return [0, 1].map((index) => addressOf(wordAt(both ?? "0x", index)));
}
