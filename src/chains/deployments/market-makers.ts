import type { Hex } from "../../lib/hex.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { Deployment } from "../chain.ts";

/** Returns the deployment of a contract that is its own pool. */
function maker(protocol: string, family: PoolFamily, factory: Hex): Deployment {
  return { protocol, family, factory, initCodeHash: null, fee: null, firstBlock: 0 };
}

/** WooPPV2_1, at the same address on all of WOOFi's chains. */
const WOOFI = maker("woofi", "woofi", "0xed9e3f98bbed560e66b89aac922e29d4596a9642");

/** Tessera V and ElfomoFi are at the same addresses on BNB Smart Chain. */
export const MARKET_MAKERS_BASE: Deployment[] = [
  maker("tessera_v", "tessera", "0x55555522005bcae1c2424d474bfd5ed477749e3e"),
  maker("elfomofi", "elfomofi", "0xf0f0f0f0fb0d738452efd03a28e8be14c76d5f73"),
  WOOFI,
];

export const MARKET_MAKERS_POLYGON: Deployment[] = [
  WOOFI,
  // The WooPPV2 contract that preceded WooPPV2_1.
  maker("woofi_v2", "woofi", "0x7081a38158bd050ae4a86e38e0225bc281887d7e"),
];
