import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { ContractFamily, Pool } from "../../schema/swap.ts";
import { poolAddress } from "./create2.ts";
import { poolOf } from "./pool-creation.ts";

/** A contract's address, and what it may be the pool of. */
interface Claim {
  address: Hex;
  family: ContractFamily;
  token0: Hex;
  token1: Hex;
  /** Fees that come into question. */
  fees: readonly (number | null)[];
}

/** The pool, if its address follows by CREATE2 from one of the chain's deployments; null: from none. */
export function madePool({ address, family, token0, token1, fees }: Claim, chain: Chain): Pool | null {
  for (const deployment of chain.deployments) {
    if (deployment.family !== family) continue;
    const { keys } = deployment;
    const fee = (keys ?? fees).find(
      (key) => poolAddress(deployment, { token0, token1, fee: key }) === address,
    );
    if (fee === undefined) continue;
    return poolOf(deployment, { address, token0, token1, fee: keys === undefined ? fee : null }, null);
  }
  return null;
}
