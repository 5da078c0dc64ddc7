import type { Chain } from "./chain.ts";
import { polygonDeployments } from "./deployments/polygon.ts";

export const polygon: Chain = {
  name: "matic",
  chainId: 137,
  nativeSymbol: "POL",
  wrappedNative: "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
  stableCoins: [
    "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359", // USDC
    "0x2791bca1f2de4661ed88a30c99a7a9449aa84174", // USDC.e
    "0xc2132d05d31c914a87c6611c10748aeb04b58e8f", // USDT
    "0x8f3cf7ad23cd3cadbd9735aff958023239c6a063", // DAI
  ],
  referencePools: [
    "0xb6e57ed85c4c9dbfef2a68711e9d6f36c56e0fcb", // Uniswap V3 USDC 0.05 %
    "0x2db87c4831b2fec2e35591221455834193b50d1b", // Uniswap V3 USDC 0.3 %
    "0xa374094527e1673a86de625aa59517c5de346d32", // Uniswap V3 USDC.e 0.05 %
    "0x88f3c15523544835ff6c738ddb30995339ad57d6", // Uniswap V3 USDC.e 0.3 %
    "0x9b08288c3be4f62bbf8d1c20ac9c5e6f9467d8b7", // Uniswap V3 USDT 0.05 %
    "0x6e7a5fafcec6bb1e78bae2a1f0b612012bf14827", // QuickSwap V2 USDC.e
    "0x604229c960e5cacf2aaeac8be68ac07ba9df81c3", // QuickSwap V2 USDT
  ],
  deployments: polygonDeployments,
  finality: { kind: "tag" }, // Milestones: PIP-11
  blockTimeMs: 2_000,
};
