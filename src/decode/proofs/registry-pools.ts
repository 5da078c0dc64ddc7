import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { ContractCall } from "../../schema/contract-call.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { Pool } from "../../schema/swap.ts";
import { addressResult, addressWord } from "../abi/abi.ts";
import type { AnnouncedPool, CallResults, Evidence, PoolProof, Verdict } from "../families/swap-family.ts";
import { poolOf } from "./pool-of.ts";

/** A family whose factories list their pools by their two tokens. */
interface RegistryRules {
  family: PoolFamily;
  /** Selectors of the pool's views that return its two tokens. */
  tokens: readonly [Hex, Hex];
  /** Selector of the factory's view that returns the pools of two tokens, and whether a result lists a pool. */
  registry: Hex;
  lists(result: Hex, address: Hex): boolean;
  /** The two tokens that an event of the pool and its transaction show; null if they do not. */
  tokensOf(address: Hex, log: Log, evidence: Evidence): [Hex, Hex] | null;
}

/**
 * Proves clones, whose addresses prove nothing because anyone may clone anything: a factory must announce a
 * pool or have it in its registry, or its deployment must list it.
 */
export function registryPools(rules: RegistryRules): PoolProof {
  const deploymentsOn = ({ deployments }: Chain) =>
    deployments.filter(({ family }) => family === rules.family);
  return {
    addressOf: () => null,
    calls: (to: Hex, chain: Chain): ContractCall[] =>
      deploymentsOn(chain).length === 0 ? [] : rules.tokens.map((data) => ({ to, data })),
    judge(address: Hex, [first, second]: CallResults, chain: Chain): Verdict {
      const token0 = addressResult(first);
      const token1 = addressResult(second);
      if (token0 === null || token1 === null) return undefined;
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
      }));
    },
    fromTransaction(address: Hex, log: Log, evidence: Evidence, chain: Chain): Pool | null {
      const deployment = deploymentsOn(chain).find(({ pools }) => pools?.includes(address));
      const tokens = deployment && rules.tokensOf(address, log, evidence);
      if (!deployment || !tokens) return null;
      const [token0, token1] = tokens;
      return poolOf(deployment, { address, token0, token1, fee: null }, chain);
    },
  };
}
