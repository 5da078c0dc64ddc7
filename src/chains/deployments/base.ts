import type { Deployment } from "../chain.ts";
import { balancerBase } from "./balancer.ts";
import { curveBase } from "./curve.ts";
import { dodoBase } from "./dodo.ts";
import { EULER_SWAP_BASE } from "./euler.ts";
import { FLUID_BASE } from "./fluid.ts";
import {
  algebraIntegral,
  INTEGRAL_HASH,
  PANCAKE_PAIRS,
  PANCAKE_POOLS,
  SOLIDLY_POOLS,
  SUSHI_PAIRS,
  solidly,
  UNISWAP_PAIRS,
  UNISWAP_POOLS,
  v2,
  v3,
  v4,
} from "./forks.ts";
import { MARKET_MAKERS_BASE } from "./market-makers.ts";
import { maverickBase } from "./maverick.ts";
import { METRIC_BASE } from "./metric.ts";
import { PANCAKE_INFINITY_BASE } from "./singletons.ts";
import { SMARDEX_BASE } from "./smardex.ts";

export const baseDeployments: Deployment[] = [
  v2("uniswap_v2", "0x8909dc15e40173ff4699343b6eb8132c65e18ec6", 6_601_915, UNISWAP_PAIRS),
  v3("uniswap_v3", "0x33128a8fc17869897dce68ed026d694621f6fdfd", 1_371_680, UNISWAP_POOLS),
  v4("0x498581ff718922c3f8e6a244956af099b2652b2b", 25_350_988, "0x7c5f5a4bbd8fd63184577525326123b519429bdc"),
  v2("sushiswap_v2", "0x71524b4f93c58fcbf659783284e38825f0622859", 2_631_214, SUSHI_PAIRS),
  v3("sushiswap_v3", "0xc35dadb65012ec5796536bd9864ed8773abc74c4", 1_759_510, UNISWAP_POOLS),
  v2("pancakeswap_v2", "0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e", 2_910_387, PANCAKE_PAIRS),
  v3("pancakeswap_v3", "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865", 2_912_007, PANCAKE_POOLS),
  v2("baseswap_v2", "0xfda619b6d20975be80a10332cd39b9a4b0faa8bb", 2_059_124, {
    initCodeHash: "0xb618a2730fae167f5f8ac7bd659dd8436d571872655bcb6fd11f2158c8a64a3b",
    fee: 2500,
  }),
  v3("baseswap_v3", "0x38015d05f4fec8afe15d7cc0386a126574e8077b", 3_180_423, UNISWAP_POOLS),
  v3("alienbase_v3", "0x0fd83557b2be93617c9c1c1b6fd549401c74558c", 7_150_708, UNISWAP_POOLS),
  v2("quickswap_v2", "0xec6540261aaae13f236a032d454dc9287e52e56a", 0, UNISWAP_PAIRS),
  v3("solidly_v3", "0x70fe4a44ea505cfa3a57b95cf2862d4fd5f0f687", 9_672_720, SOLIDLY_POOLS),
  v3("synthswap_v3", "0xa37359e63d1aa44c0acb2a4605d3b45785c97ee3", 2_095_251, {
    deployer: "0xba97f8aee67bae3105fb4335760b103f24998a92",
    initCodeHash: "0xbce37a54eab2fcd71913a0d40723e04238970e7fc1159bfd58ad5b79531697e7",
    keys: [null],
  }),
  // Slipstream's pools are minimal proxies (EIP-1167) of one implementation for each factory, so the hash
  // follows from the implementation's address. The names of newer deployments come from Aerodrome. Pools with
  // tick spacings that are enabled later are recognized by their creation events.
  v3("aerodrome_slipstream", "0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a", 13_843_704, {
    initCodeHash: "0xffb9af9ea6d9e39da47392ecc7055277b9915b8bfc9f83f105821b7791a6ae30",
    keys: [1, 10, 50, 100, 200, 2000],
  }),
  v3("aerodrome_slipstream_gauge_caps", "0xade65c38cd4849adba595a4323a8c7ddfe89716a", 36_953_918, {
    initCodeHash: "0xe524afc4d53c767ee9df4e3b4e1937f621368ef156aeffac97f1518b2b556f9d",
    keys: [1, 10, 50, 100, 200, 500, 2000],
  }),
  v3("aerodrome_slipstream_gauges_v3", "0xf8f2eb4940cfe7d13603dddd87f123820fc061ef", 44_394_724, {
    initCodeHash: "0x280c936e3b6ea93b298f009706b8938823a03421b225ef9f81250beba561f05c",
    keys: [1, 10, 50, 100, 200, 500, 2000],
  }),
  // This factory was in use for only one week, and created 22 pools. The source of their implementation is
  // not published, so a pool is recognized only by its creation event.
  v3("aerodrome_slipstream_first", "0x9592cd9b267748cbfbde90ac9f7df3c437a6d51b", 13_592_962, {
    initCodeHash: null,
    keys: [1, 50, 100, 200, 2000],
  }),
  ...balancerBase,
  ...dodoBase,
  ...maverickBase,
  ...PANCAKE_INFINITY_BASE,
  ...MARKET_MAKERS_BASE,
  // Its pools are minimal proxies (EIP-1167) of 0xa4e46b4f701c62e14df11b48dce76a7d793cd6d7.
  solidly(
    "aerodrome_v1",
    "0x420dd381b31aef6683db6b902084cb0ffece40da",
    3_200_668,
    "0x6f178972b07752b522a4da1c5b71af6524e8b0bd6027ccb29e5312b0e5bcdc3c",
  ),
  // Source of the factory: DefiLlama/DefiLlama-Adapters (projects/leetswap). The hash follows from the source
  // of the pair in LeetSwap/leetswap-contracts (src/dex/v2), without the lines that register the pair for
  // Canto's gas rebate.
  solidly(
    "leetswap_v2",
    "0x169c06b4cfb09bfd73a81e6f2bb1eb514d75bb19",
    0,
    "0x28086d29c039f716c897e0615045599a42ea0133fa059e92faff694d05cfcd49",
  ),
  ...curveBase,
  FLUID_BASE,
  ...EULER_SWAP_BASE,
  algebraIntegral("quickswap_v4", "0xc5396866754799b9720125b104ae01d935ab9c7b", 30_736_835, {
    deployer: "0xe08026fd8537d67c501199610c42d08bb34eaa75",
    initCodeHash: INTEGRAL_HASH,
  }),
  SMARDEX_BASE,
  ...METRIC_BASE,
];
