import type { Chain } from "./chain.ts";
import { baseDeployments } from "./deployments/base.ts";

export const base: Chain = {
  name: "base",
  chainId: 8453,
  nativeSymbol: "ETH",
  wrappedNative: "0x4200000000000000000000000000000000000006",
  stableCoins: [
    "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", // USDC
    "0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca", // USDbC
    "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2", // USDT
    "0x50c5725949a6f0c72e6c4a641f24049a917db0cb", // DAI
  ],
  referencePools: [
    "0xd0b53d9277642d899df5c87a3966a349a798f224", // Uniswap V3 USDC 0.05 %
    "0x6c561b446416e1a00e8e93e221854d6ea4171372", // Uniswap V3 USDC 0.3 %
    "0x72ab388e2e2f6facef59e3c3fa2c4e29011c2d38", // PancakeSwap V3 USDC 0.01 %
    "0x4c36388be6f416a29c8d8eee81c771ce6be14b18", // Uniswap V3 USDbC 0.05 %
    "0x88a43bbdf9d098eec7bceda4e2494615dfd9bb9c", // Uniswap V2 USDC
  ],
  deployments: baseDeployments,
  finality: { kind: "tag" },
  blockTimeMs: 2_000,
};
