import type { Chain } from "./chain.ts";

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
  deployments: [
    {
      protocol: "uniswap_v2",
      family: "uniswap-v2",
      factory: "0x8909dc15e40173ff4699343b6eb8132c65e18ec6",
      initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
      fee: 3000,
      firstBlock: 6_601_915,
    },
    {
      protocol: "uniswap_v3",
      family: "uniswap-v3",
      factory: "0x33128a8fc17869897dce68ed026d694621f6fdfd",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      fee: null,
      firstBlock: 1_371_680,
    },
    {
      protocol: "uniswap_v4",
      family: "uniswap-v4",
      factory: "0x498581ff718922c3f8e6a244956af099b2652b2b",
      positionManager: "0x7c5f5a4bbd8fd63184577525326123b519429bdc",
      initCodeHash: null,
      fee: null,
      firstBlock: 25_350_988,
    },
    {
      protocol: "sushiswap_v2",
      family: "uniswap-v2",
      factory: "0x71524b4f93c58fcbf659783284e38825f0622859",
      initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
      fee: 3000,
      firstBlock: 2_631_214,
    },
    {
      protocol: "sushiswap_v3",
      family: "uniswap-v3",
      factory: "0xc35dadb65012ec5796536bd9864ed8773abc74c4",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      fee: null,
      firstBlock: 1_759_510,
    },
    {
      protocol: "pancakeswap_v2",
      family: "uniswap-v2",
      factory: "0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e",
      initCodeHash: "0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d",
      fee: 2500,
      firstBlock: 2_910_387,
    },
    {
      protocol: "pancakeswap_v3",
      family: "uniswap-v3",
      factory: "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865",
      deployer: "0x41ff9aa7e16b8b1a8a8dc4f0efacd93d02d071c9",
      initCodeHash: "0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2",
      fee: null,
      firstBlock: 2_912_007,
    },
    {
      protocol: "baseswap_v2",
      family: "uniswap-v2",
      factory: "0xfda619b6d20975be80a10332cd39b9a4b0faa8bb",
      initCodeHash: "0xb618a2730fae167f5f8ac7bd659dd8436d571872655bcb6fd11f2158c8a64a3b",
      fee: 2500,
      firstBlock: 2_059_124,
    },
    {
      protocol: "baseswap_v3",
      family: "uniswap-v3",
      factory: "0x38015d05f4fec8afe15d7cc0386a126574e8077b",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      fee: null,
      firstBlock: 3_180_423,
    },
    {
      protocol: "alienbase_v3",
      family: "uniswap-v3",
      factory: "0x0fd83557b2be93617c9c1c1b6fd549401c74558c",
      initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
      fee: null,
      firstBlock: 7_150_708,
    },
    {
      protocol: "aerodrome_slipstream",
      family: "uniswap-v3",
      factory: "0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a",
      initCodeHash: "0xffb9af9ea6d9e39da47392ecc7055277b9915b8bfc9f83f105821b7791a6ae30",
      keys: [1, 10, 50, 100, 200, 2000],
      fee: null,
      firstBlock: 13_843_704,
    },
  ],
  finality: { kind: "tag" },
  blockTimeMs: 2_000,
};
