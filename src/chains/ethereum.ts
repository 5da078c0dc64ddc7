import type { Chain } from "./chain.ts";
import { ethereumDeployments } from "./deployments/ethereum.ts";

export const ethereum: Chain = {
  name: "eth",
  chainId: 1,
  nativeSymbol: "ETH",
  wrappedNative: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
  stableCoins: [
    "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", // USDC
    "0xdac17f958d2ee523a2206206994597c13d831ec7", // USDT
    "0x6b175474e89094c44da98b954eedeac495271d0f", // DAI
  ],
  referencePools: [
    "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640", // Uniswap V3 USDC 0.05 %
    "0x8ad599c3a0ff1de082011efddc58f1908eb6e6d8", // Uniswap V3 USDC 0.3 %
    "0x11b815efb8f581194ae79006d24e0d814b7697f6", // Uniswap V3 USDT 0.05 %
    "0x4e68ccd3e89f51c3074ca5072bbac773960dfa36", // Uniswap V3 USDT 0.3 %
    "0x60594a405d53811d3bc4766596efd80fd545a270", // Uniswap V3 DAI 0.05 %
    "0xc2e9f25be6257c210d7adf0d4cd6e3e881ba25f8", // Uniswap V3 DAI 0.3 %
    "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc", // Uniswap V2 USDC
    "0x0d4a11d5eeaac28ec3f61d100daf4d40471f1852", // Uniswap V2 USDT
    "0xa478c2975ab1ea89e8196811f51a7b7ade33eb11", // Uniswap V2 DAI
  ],
  deployments: ethereumDeployments,
  finality: { kind: "tag" },
  blockTimeMs: 12_000,
};
