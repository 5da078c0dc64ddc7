import type { Hex } from "../../lib/hex.ts";
import type { Deployment } from "../chain.ts";

/**
 * SmarDex. Sources: VeloraDEX/paraswap-dex-lib (src/dex/smardex), and SmarDex-Dev/smart-contracts
 * (PoolAddress.sol) for the newer hash on Ethereum.
 */
function smardex(factory: Hex, initCodeHash: Hex, protocol = "smardex"): Deployment {
  return { protocol, family: "smardex", factory, initCodeHash, fee: null, firstBlock: 0 };
}

/** The pairs on all chains other than Ethereum. */
const PAIRS: Hex = "0x33bee911475f015247aeb1eebe149d1c6d2669be54126c29d85df6b0abb4c4e9";

export const SMARDEX_ETHEREUM: readonly Deployment[] = [
  smardex(
    "0xb878dc600550367e14220d4916ff678fb284214f",
    "0xc762a0f9885cc92b9fd8eef224b75997682b634460611bc0f2138986e20b653f",
  ),
  smardex(
    "0x7753f36e711b66a0350a753aba9f5651bae76a1d",
    "0xb477a06204165d50e6d795c7c216306290eff5d6015f8b65bb46002a8775b548",
    "smardex_legacy",
  ),
];
export const SMARDEX_BASE = smardex("0xdd4536dd9636564d891c919416880a3e250f975a", PAIRS);
export const SMARDEX_POLYGON = smardex("0x9a1e1681f6d59ca051776410465afada6384398f", PAIRS);
