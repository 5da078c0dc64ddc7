import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { ContractFamily, Pool } from "../../schema/swap.ts";
import { poolAddress } from "./create2.ts";
import { poolOf } from "./created-pool.ts";

/**
 * The pool at an address that follows by CREATE2 from one of the chain's deployments, two tokens and one of
 * the fees; null if it follows from none.
 */
export function poolByCreate2(
  { address, family }: { address: Hex; family: ContractFamily },
  [token0, token1]: readonly [Hex, Hex],
  fees: readonly (number | null)[],
  chain: Chain,
): Pool | null {
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
