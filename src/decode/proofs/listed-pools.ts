import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { Pool } from "../../schema/swap.ts";
import type { PoolProof } from "../families/swap-family.ts";
import { listedTerms } from "./factory-pools.ts";
import { poolOf } from "./pool-of.ts";

/**
 * Proves only the pools that the chain's deployments list with their tokens. A creation event of a listed
 * factory may announce others.
 */
export function listedPools(family: PoolFamily): PoolProof {
  const poolAt = (address: Hex, chain: Chain): Pool | null => {
    for (const deployment of chain.deployments) {
      const terms = deployment.family === family ? listedTerms(address, deployment) : null;
      if (terms !== null) return poolOf(deployment, { address, ...terms }, chain);
    }
    return null;
  };
  return {
    addressOf: () => null,
    calls: () => [],
    judge: (address, _, chain) => poolAt(address, chain),
    fromTransaction: (address, _log, _evidence, chain) => poolAt(address, chain),
    hashes: () => 0,
  };
}
