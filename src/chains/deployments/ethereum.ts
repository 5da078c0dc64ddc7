import type { Deployment } from "../chain.ts";
import { balancerEthereum } from "./balancer.ts";
import { curveEthereum } from "./curve.ts";
import { dodoEthereum } from "./dodo.ts";
import { EULER_SWAP_ETHEREUM } from "./euler.ts";
import { FLUID_ETHEREUM } from "./fluid.ts";
import {
  KYBER_FEE_UNITS,
  PANCAKE_PAIRS,
  PANCAKE_POOLS,
  SOLIDLY_POOLS,
  SUSHI_PAIRS,
  UNISWAP_PAIRS,
  UNISWAP_POOLS,
  v2,
  v3,
  v4,
} from "./forks.ts";
import { maverickEthereum } from "./maverick.ts";
import { METRIC_ETHEREUM } from "./metric.ts";
import { SADDLE_ETHEREUM } from "./saddle.ts";
import { EKUBO_ETHEREUM, FLUID_DEX_LITE } from "./singletons.ts";
import { SMARDEX_ETHEREUM } from "./smardex.ts";

export const ethereumDeployments: Deployment[] = [
  v2("uniswap_v2", "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f", 10_000_835, UNISWAP_PAIRS),
  v3("uniswap_v3", "0x1f98431c8ad98523631ae4a59f267346ea31f984", 12_369_621, UNISWAP_POOLS),
  v4("0x000000000004444c5dc75cb358380d2e3de08a90", 21_688_329, "0xbd216513d74c8cf14cf4747e6aaa6420ff64ee9e"),
  v2("sushiswap_v2", "0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac", 10_794_229, SUSHI_PAIRS),
  v3("sushiswap_v3", "0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f", 16_955_547, UNISWAP_POOLS),
  v2("pancakeswap_v2", "0x1097053fd2ea711dad45caccc45eff7548fcb362", 15_614_590, PANCAKE_PAIRS),
  v3("pancakeswap_v3", "0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865", 16_950_686, PANCAKE_POOLS),
  v2("shibaswap_v2", "0x115934131916c8b277dd010ee02de363c09d037c", 12_771_526, {
    initCodeHash: "0x65d1a3b1e46c6e4f1be1ad5f99ef14dc488ae0549dc97db9b30afe2241ce1c7a",
    fee: 3000,
  }),
  v2("defiswap_v2", "0x9deb29c9a4c7a88a3c0257393b7f3335338d9a9d", 10_828_414, {
    initCodeHash: "0x69d637e77615df9f235f642acebbdad8963ef35c5523142078c9b8f9d0ceba7e",
    fee: 3000,
  }),
  // Its pairs hold wrapped tokens (fwWETH, fwUSDC) of the Few protocol.
  v2("ringswap_v2", "0xeb2a625b704d73e82946d8d026e1f588eed06416", 0, {
    initCodeHash: "0xa7ae6a5ec37f0c21bbdac560794258c4089b8ae3ffa6e3909b53c6091764a676",
    fee: 3000,
  }),
  // Each pair has its own fee.
  v2("fraxswap_v2", "0x43ec799eadd63848443e2347c49f5f52e8fe0f6f", 0, {
    initCodeHash: "0x4ce0b4ab368f39e4bd03ec712dfc405eb5a36cdb0294b3887b441cd1c743ced3",
    fee: null,
  }),
  // Each pair has its own fee.
  v2("swapr_v2", "0xd34971bab6e5e356fd250715f5de0492bb070452", 0, {
    initCodeHash: "0xd306a548755b9295ee49cc729e13ca4a45e00199bbd890fa146da43a50571776",
    fee: null,
  }),
  v2("apeswap_v2", "0xbae5dc9b19004883d0377419fef3c2c8832d7d7b", 0, {
    initCodeHash: "0xe2200989b6f9506f3beca7e9c844741b3ad1a88ad978b6b0973e96d3ca4707aa",
    fee: 2000,
  }),
  v3("solidly_v3", "0x70fe4a44ea505cfa3a57b95cf2862d4fd5f0f687", 18_044_650, SOLIDLY_POOLS),
  v3("kyberswap_elastic_legacy", "0x5f1dddbf348ac2fbe22a163e30f99f9ece3dd50a", 0, {
    initCodeHash: "0xc597aba1bb02db42ba24a8878837965718c032f8b46be94a6e46452a9f89ca01",
    keys: KYBER_FEE_UNITS,
  }),
  {
    protocol: "balancer_v1",
    family: "balancer-v1",
    factory: "0x9424b1412450d0f8fc2255faf6046b98213b76bd",
    nonces: 10_000,
    initCodeHash: null,
    fee: null,
    firstBlock: 9_562_480,
  },
  ...balancerEthereum,
  ...dodoEthereum,
  ...maverickEthereum,
  ...EKUBO_ETHEREUM,
  ...curveEthereum,
  FLUID_ETHEREUM,
  FLUID_DEX_LITE,
  ...EULER_SWAP_ETHEREUM,
  ...SMARDEX_ETHEREUM,
  ...METRIC_ETHEREUM,
  ...SADDLE_ETHEREUM,
];
