import type { Chain } from "../../../src/chains/chain.ts";

/** A custom chain without known DEXs, as a configuration file could declare it. */
export const BARE_CHAIN: Omit<Chain, "name"> = {
  chainId: 31_337,
  nativeSymbol: "ETH",
  wrappedNative: `0x${"ee".repeat(20)}`,
  stableCoins: [],
  referencePools: [],
  deployments: [],
  finality: { kind: "tag" },
  blockTimeMs: 12_000,
};
