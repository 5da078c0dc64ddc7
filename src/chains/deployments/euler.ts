import type { Hex } from "../../lib/hex.ts";
import type { Deployment } from "../chain.ts";

/**
 * EulerSwap: the factory of version 1 and the registry of version 2. Source: addresses/ of
 * euler-xyz/euler-interfaces; DefiLlama/dimension-adapters (dexs/eulerswap) also has the factory.
 */
function eulerSwap(factory: Hex, firstBlock: number, registry: Hex): Deployment[] {
  const shared = { initCodeHash: null, fee: null };
  return [
    { protocol: "eulerswap_v1", family: "euler-swap-v1", factory, firstBlock, ...shared },
    { protocol: "eulerswap_v2", family: "euler-swap-v2", factory: registry, firstBlock: 0, ...shared },
  ];
}

export const EULER_SWAP_ETHEREUM = eulerSwap(
  "0xb013be1d0d380c13b58e889f412895970a2cf228",
  22_676_162,
  "0x5fccb84363f020c0cade052c9c654aabf932814a",
);
export const EULER_SWAP_BASE = eulerSwap(
  "0xf0cfe22d23699ff1b2cfe6b8f706a6db63911262",
  31_658_691,
  "0x35d410a5052c7362ecdd72cfb65651a71adfaf61",
);
