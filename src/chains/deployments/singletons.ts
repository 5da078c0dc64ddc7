import type { Hex } from "../../lib/hex.ts";
import type { SingletonFamily } from "../../schema/pool-families.ts";
import type { Deployment } from "../chain.ts";

function singleton(protocol: string, family: SingletonFamily, factory: Hex, firstBlock: number): Deployment {
  return { protocol, family, factory, initCodeHash: null, fee: null, firstBlock };
}

/** The Cores of both versions. Version 3 is at the same address on other chains. */
export const EKUBO_ETHEREUM: Deployment[] = [
  singleton("ekubo_v2", "ekubo", "0xe0e0e08a6a4b9dc7bd67bcb7aade5cf48157d444", 22_047_273),
  singleton("ekubo_v3", "ekubo", "0x00000000000014aa86c5d3c41765bb24e11bd701", 24_133_391),
];

/** Fluid DEX Lite, which exists only on Ethereum. */
export const FLUID_DEX_LITE = singleton(
  "fluid_dex_lite",
  "fluid-dex-lite",
  "0xbbcb91440523216e2b87052a99f69c604a7b6e00",
  0,
);

/** The pool managers, which have the same addresses on BNB Smart Chain. */
export const PANCAKE_INFINITY_BASE: Deployment[] = [
  singleton(
    "pancakeswap_infinity_cl",
    "pancake-infinity-cl",
    "0xa0ffb9c1ce1fe56963b0321b32e7a0302114058b",
    30_544_106,
  ),
  singleton(
    "pancakeswap_infinity_bin",
    "pancake-infinity-bin",
    "0xc697d2898e0d09264376196696c51d7abbbaa4a9",
    30_544_106,
  ),
];
