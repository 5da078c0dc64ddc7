import type { Chain } from "./chain.ts";

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
  deployments: [
    {
      protocol: "uniswap_v2",
      family: "uniswap-v2",
      factory: "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f",
      initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
      fee: 3000,
      firstBlock: 10_000_835,
    },
    {
      protocol: "uniswap_v3",
      family: "uniswap-v3",
      factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      fee: null,
      firstBlock: 12_369_621,
    },
    {
      protocol: "uniswap_v4",
      family: "uniswap-v4",
      factory: "0x000000000004444c5dc75cb358380d2e3de08a90",
      positionManager: "0xbd216513d74c8cf14cf4747e6aaa6420ff64ee9e",
      initCodeHash: null,
      fee: null,
      firstBlock: 21_688_329,
    },
    {
      protocol: "sushiswap_v2",
      family: "uniswap-v2",
      factory: "0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac",
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      fee: 3000,
      firstBlock: 10_794_229,
    },
    {
      protocol: "sushiswap_v3",
      family: "uniswap-v3",
      factory: "0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      fee: null,
      firstBlock: 16_955_547,
    },
    {
      protocol: "pancakeswap_v2",
      family: "uniswap-v2",
      factory: "0x1097053fd2ea711dad45caccc45eff7548fcb362",
      initCodeHash: "0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d",
      fee: 2500,
      firstBlock: 15_614_590,
    },
    {
      protocol: "pancakeswap_v3",
      family: "uniswap-v3",
      factory: "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      deployer: "0x41ff9aa7e16b8b1a8a8dc4f0efacd93d02d071c9",
      initCodeHash: "0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2",
      fee: null,
      firstBlock: 16_950_686,
    },
    {
      protocol: "shibaswap_v2",
      family: "uniswap-v2",
      factory: "0x115934131916c8b277dd010ee02de363c09d037c",
      initCodeHash: "0x65d1a3b1e46c6e4f1be1ad5f99ef14dc488ae0549dc97db9b30afe2241ce1c7a",
      fee: 3000,
      firstBlock: 12_771_526,
    },
    {
      protocol: "defiswap_v2",
      family: "uniswap-v2",
      factory: "0x9deb29c9a4c7a88a3c0257393b7f3335338d9a9d",
      initCodeHash: "0x69d637e77615df9f235f642acebbdad8963ef35c5523142078c9b8f9d0ceba7e",
      fee: 3000,
      firstBlock: 10_828_414,
    },
  ],
  finality: { kind: "tag" },
  blockTimeMs: 12_000,
};
