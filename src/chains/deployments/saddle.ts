import type { Hex } from "../../lib/hex.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { Deployment } from "../chain.ts";

/** Returns the deployment of a pool without a factory. It counts as its own factory. */
function listedPool(protocol: string, family: PoolFamily, address: Hex, tokens: readonly Hex[]): Deployment {
  const listed = [{ address, tokens }];
  return { protocol, family, factory: address, listed, initCodeHash: null, fee: null, firstBlock: 0 };
}

const WETH: Hex = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const DAI: Hex = "0x6b175474e89094c44da98b954eedeac495271d0f";
const USDC: Hex = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const USDT: Hex = "0xdac17f958d2ee523a2206206994597c13d831ec7";
const WBTC: Hex = "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599";
const REN_BTC: Hex = "0xeb4c2781e4eba804ce9a9803c67d0893436bb27d";
const SBTC: Hex = "0xfe18be6b3bd88a2d2a7f928d00292e7a9963cfc6";

/**
 * Pools for whose tokens two independent sources agree on the order. Saddle: saddle-finance/saddle-contract
 * (deploy/mainnet) and ParaSwap's configuration of Nerve's forks, or for the first two pools 0x's sampler.
 * Synapse: the addresses are in synapsecns/synapse-contracts (deployments) and DefiLlama/dimension-adapters,
 * the tokens in Synapse's frontend and ParaSwap's configuration, or for Ethereum a list made by calls to
 * `getToken`. Smoothy: the address is in smoothyfinance/smoothy-contract, the tokens in 0x's sampler and in a
 * script that calls `getTokenStats`.
 */
export const SADDLE_ETHEREUM: readonly Deployment[] = [
  saddle("0x3911f80530595fbd01ab1516ab61255d75aeb066", [DAI, USDC, USDT]),
  saddle("0x4f6a43ad7cba042606decaca730d4ce0a57ac62e", [
    "0x8daebade922df735c38c80c7ebd708af50815faa", // tBTC
    ...[WBTC, REN_BTC, SBTC],
  ]),
  saddle("0xacb83e0633d6605c5001e2ab59ef3c745547c8c7", [DAI, USDC, USDT]),
  saddle("0xdf3309771d2bf82cb2b6c56f9f5365c8bd97c4f2", [WBTC, REN_BTC, SBTC]),
  saddle("0xa6018520eaacc06c30ff2e1b3ee2c7c22e64196a", [
    WETH,
    "0x0100546f2cd4c9d97f798ffc9755e47865ff7ee6", // alETH
    "0x5e74c9036fb86bd7ecdcb084a0673efc32ea31cb", // sETH
  ]),
  saddle("0xc69ddcd4dfef25d8a793241834d4cc4b3668ead6", [
    "0xbc6da0fe9ad5f3b0d58160288917aa56653660e9", // alUSD
    "0x956f47f50a910163d8bf957cf5846d573e7f87ca", // FEI
    "0x853d955acef822db058eb8505911ed77f175b99e", // FRAX
    "0x5f98805a4e8be255a32880fdec7f6728c6568ba0", // LUSD
  ]),
  synapse("0x1116898dda4015ed8ddefb84b6e8bc24528af2d8", [DAI, USDC, USDT]),
  listedPool("smoothy", "smoothy", "0xe5859f4efc09027a9b718781dcb2c6910cac6e91", [
    ...[USDT, USDC, DAI],
    "0x0000000000085d4780b73119b644ae5ecd22b376", // TUSD
    "0x57ab1ec28d129707052df4df418d58a2d46d5f51", // sUSD
    "0x4fabb145d64652a948d72533023f6e7a623c7c53", // BUSD
    "0x8e870d67f660d95d5be530380d0ec0bd388289e1", // USDP
    "0x056fd409e1d7a124bd7017459dfea2f387b6d5cd", // GUSD
  ]),
];

const POLYGON_STABLES: readonly Hex[] = [
  "0x8f3cf7ad23cd3cadbd9735aff958023239c6a063", // DAI
  "0x2791bca1f2de4661ed88a30c99a7a9449aa84174", // USDC.e
  "0xc2132d05d31c914a87c6611c10748aeb04b58e8f", // USDT
];

export const SYNAPSE_POLYGON: readonly Deployment[] = [
  synapse("0x3f52e42783064beba9c1cfcd2e130d156264ca77", POLYGON_STABLES),
  synapse("0x85fcd7dd0a1e1a9fcd5fd886ed522de8221c3ee5", [
    "0xb6c473756050de474286bed418b77aeac39b02af", // nUSD
    ...POLYGON_STABLES,
  ]),
];

function saddle(address: Hex, tokens: readonly Hex[]): Deployment {
  return listedPool("saddle", "saddle", address, tokens);
}

function synapse(address: Hex, tokens: readonly Hex[]): Deployment {
  return listedPool("synapse", "saddle", address, tokens);
}
