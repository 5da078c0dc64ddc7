import type { Chain } from "./chain.ts";

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
  deployments: [
    {
      protocol: "quickswap_v2",
      family: "uniswap-v2",
      factory: "0x5757371414417b8c6caad45baef941abc7d3ab32",
      initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
      fee: 3000,
      firstBlock: 4_931_780,
    },
    {
      protocol: "uniswap_v3",
      family: "uniswap-v3",
      factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      fee: null,
      firstBlock: 22_757_547,
    },
    {
      protocol: "uniswap_v4",
      family: "uniswap-v4",
      factory: "0x67366782805870060151383f4bbff9dab53e5cd6",
      positionManager: "0x1ec2ebf4f37e7363fdfe3551602425af0b3ceef9",
      initCodeHash: null,
      fee: null,
      firstBlock: 66_980_384,
    },
    {
      protocol: "sushiswap_v2",
      family: "uniswap-v2",
      factory: "0xc35dadb65012ec5796536bd9864ed8773abc74c4",
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      fee: 3000,
      firstBlock: 11_333_218,
    },
    {
      protocol: "sushiswap_v3",
      family: "uniswap-v3",
      factory: "0x917933899c6a5f8e37f31e19f92cdbff7e8ff0e2",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      fee: null,
      firstBlock: 41_024_971,
    },
    {
      protocol: "uniswap_v2",
      family: "uniswap-v2",
      factory: "0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c",
      initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
      fee: 3000,
      firstBlock: 49_948_178,
    },
    {
      protocol: "apeswap_v2",
      family: "uniswap-v2",
      factory: "0xcf083be4164828f00cae704ec15a36d711491284",
      initCodeHash: "0x511f0f358fe530cda0859ec20becf391718fdf5a329be02f4c95361f3d6a42d8",
      fee: 2000,
      firstBlock: 15_298_801,
    },
    {
      protocol: "dfyn_v2",
      family: "uniswap-v2",
      factory: "0xe7fb3e833efe5f9c441105eb65ef8b261266423b",
      initCodeHash: "0xf187ed688403aa4f7acfada758d8d53698753b998a3071b06f1b777f4330eaf3",
      fee: 3000,
      firstBlock: 5_436_831,
    },
    {
      protocol: "quickswap_v3",
      family: "uniswap-v3",
      factory: "0x411b0facc3489691f28ad58c47006af5e3ab3a28",
      deployer: "0x2d98e2fa9da15aa6dc9581ab097ced7af697cb92",
      initCodeHash: "0x6ec6c9c8091d160c0aa74b2b14ba9c1717e95093bd3ac085cee99a49aab294a4",
      keys: [null],
      fee: null,
      firstBlock: 32_610_688,
    },
  ],
  finality: { kind: "tag" }, // Milestones: PIP-11
  blockTimeMs: 2_000,
};
