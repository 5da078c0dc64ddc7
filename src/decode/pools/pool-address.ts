import type { Deployment } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { PoolKey } from "../families/swap-family.ts";
import { FAMILIES } from "./swap-families.ts";

/**
 * Returns the address of the pool that a deployment creates for a key. Returns null if the address cannot be
 * derived from the key.
 */
export function poolAddress(deployment: Deployment, key: PoolKey): Hex | null {
  return FAMILIES[deployment.family].proof?.addressOf(key, deployment) ?? null;
}
