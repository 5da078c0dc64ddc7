import type { Deployment } from "../chain.ts";
import { balancerPolygon } from "./balancer.ts";
import { curvePolygon } from "./curve.ts";
import { dodoPolygon } from "./dodo.ts";
import { FLUID_POLYGON } from "./fluid.ts";
import { KYBER_FEE_UNITS, SUSHI_PAIRS, UNISWAP_PAIRS, UNISWAP_POOLS, v2, v3, v4 } from "./forks.ts";
import { MARKET_MAKERS_POLYGON } from "./market-makers.ts";
import { METRIC_POLYGON } from "./metric.ts";
import { SYNAPSE_POLYGON } from "./saddle.ts";
import { SMARDEX_POLYGON } from "./smardex.ts";

export const polygonDeployments: Deployment[] = [
  v2("quickswap_v2", "0x5757371414417b8c6caad45baef941abc7d3ab32", 4_931_780, UNISWAP_PAIRS),
  v3("uniswap_v3", "0x1f98431c8ad98523631ae4a59f267346ea31f984", 22_757_547, UNISWAP_POOLS),
  v4("0x67366782805870060151383f4bbff9dab53e5cd6", 66_980_384, "0x1ec2ebf4f37e7363fdfe3551602425af0b3ceef9"),
  v2("sushiswap_v2", "0xc35dadb65012ec5796536bd9864ed8773abc74c4", 11_333_218, SUSHI_PAIRS),
  v3("sushiswap_v3", "0x917933899c6a5f8e37f31e19f92cdbff7e8ff0e2", 41_024_971, UNISWAP_POOLS),
  v2("uniswap_v2", "0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c", 49_948_178, UNISWAP_PAIRS),
  v2("apeswap_v2", "0xcf083be4164828f00cae704ec15a36d711491284", 15_298_801, {
    initCodeHash: "0x511f0f358fe530cda0859ec20becf391718fdf5a329be02f4c95361f3d6a42d8",
    fee: 2000,
  }),
  v2("dfyn_v2", "0xe7fb3e833efe5f9c441105eb65ef8b261266423b", 5_436_831, {
    initCodeHash: "0xf187ed688403aa4f7acfada758d8d53698753b998a3071b06f1b777f4330eaf3",
    fee: 3000,
  }),
  v3("quickswap_v3", "0x411b0facc3489691f28ad58c47006af5e3ab3a28", 32_610_688, {
    deployer: "0x2d98e2fa9da15aa6dc9581ab097ced7af697cb92",
    initCodeHash: "0x6ec6c9c8091d160c0aa74b2b14ba9c1717e95093bd3ac085cee99a49aab294a4",
    keys: [null],
  }),
  v2("jetswap_v2", "0x668ad0ed2622c62e24f0d5ab6b6ac1b9d2cd4ac7", 16_569_374, {
    initCodeHash: "0x505c843b83f01afef714149e8b174427d552e1aca4834b4f9b4b525f426ff3c6",
    fee: 1000,
  }),
  v2("waultswap_v2", "0xa98ea6356a316b44bf710d5f9b6b4ea0081409ef", 15_474_436, {
    initCodeHash: "0x1cdc2246d318ab84d8bc7ae2a3d81c235f3db4e113f4c6fdc1e2211a9291be47",
    fee: 2000,
  }),
  v2("cometh_v2", "0x800b052609c355ca8103e06f022aa30647ead60a", 11_633_169, {
    initCodeHash: "0x499154cad90a3563f914a25c3710ed01b9a43b8471a35ba8a66a056f37638542",
    fee: 5000,
  }),
  v2("polycat_v2", "0x477ce834ae6b7ab003cce4bc4d8697763ff456fa", 17_703_715, {
    initCodeHash: "0x3cad6f9e70e13835b4f07e5dd475f25a109450b22811d0437da51e66c161255a",
    fee: 2400,
  }),
  // The salt contains only the initial fee. It is not known whether the fee stays fixed, so none is reported.
  v3("retro_v3", "0x91e1b99072f238352f59e58de875691e20dc19c1", 43_939_793, {
    initCodeHash: "0x817e07951f93017a93327ac8cc31e946540203a19e1ecc37bc1761965c2d1090",
    keys: [500, 3000, 100, 10_000],
  }),
  v3("kyberswap_elastic", "0xc7a590291e07b9fe9e64b86c58fd8fc764308c4a", 0, {
    initCodeHash: "0x00e263aaa3a2c06a89b53217a9e7aad7e15613490a72e0f95f303c4de2dc7045",
    keys: KYBER_FEE_UNITS,
  }),
  {
    protocol: "sushiswap_trident",
    family: "trident",
    // The MasterDeployer. The block of its creation comes from Sushi's subgraph.
    factory: "0x351447fc9bd20a917783e159e61e86edda0b0187",
    initCodeHash: null,
    fee: null,
    firstBlock: 25_840_876,
  },
  {
    protocol: "sushiswap_trident",
    family: "trident",
    // The second MasterDeployer, its factory of stable pools and the block of its creation are those in Sushi's
    // repository (deployments/polygon).
    factory: "0x2f28678432edf5243955054cc04a32b18ca63c97",
    stableFactories: ["0x2a0caa28331bc6a18ff195f06694f90671de70f2"],
    initCodeHash: null,
    fee: null,
    firstBlock: 34_188_953,
  },
  ...balancerPolygon,
  ...dodoPolygon,
  ...MARKET_MAKERS_POLYGON,
  ...curvePolygon,
  FLUID_POLYGON,
  SMARDEX_POLYGON,
  ...METRIC_POLYGON,
  ...SYNAPSE_POLYGON,
];
