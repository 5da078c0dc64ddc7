import type { Hex } from "../../lib/hex.ts";
import type { Deployment } from "../chain.ts";

const V2_VAULT: Hex = "0xba12222222228d8ba445958a75a0704d566bf2c8";
const V3_VAULT: Hex = "0xba1333333333a1ba1108e8412f11850a5c319ba9";

/**
 * Pools created with CREATE2 whose swaps are in published blocks, by factory. A pool's kind and its number in
 * the Vault show when it was created, and thus which factory created it.
 */
const POOLS: Record<Hex, readonly Hex[]> = {
  // R/wstETH, number 1364: the only factory of weighted pools that used CREATE2
  "0x897888115ada5773e02aa29f775430bfb5f34c51": ["0x380aabe019ed2a9c2d632b51eddd30fd804d0fad"],
  // R/DAI, number 1365: in use before July 2023, when the next factory was created
  "0xfada0f4547ab2de89d1304a668c39b3e09aa7c76": ["0x20a61b948e33879ce7f23e535cc7baa3bc66c5a9"],
  // weETH/rETH, number 1605: in use before February 2024, when the next factory was created
  "0xdb8d758bcb971e482b2c45f7f8a7740283a1bd3a": ["0x05ff47afada98a98982113758878f9a8b9fdda0a"],
  // V3: GHO/USDT/USDC, with the factory that Balancer's API names
  "0xb9d01ca61b9c181da1051bfdd28e1097e920ab14": ["0x85b2b559bc2d21104c4defdd6efca8a20343361d"],
};

/**
 * The pool factories of Balancer V2, by address, each with an upper bound on the contracts that it created
 * with CREATE: all factories on Ethereum together had created 1,726 pools by November 2024, and most were
 * replaced within a year. Null for factories that use CREATE2, or may use it. Sources: the repositories
 * balancer-deployments (all tasks with a pool factory) and balancer-subgraph-v2 (networks.json: also the
 * factories of Gyroscope).
 */
type Factories = Record<Hex, number | null>;

/** @param firstBlock block of the Vault's creation */
function balancerV2(firstBlock: number, factories: Factories): Deployment[] {
  return Object.entries(factories).map(([factory, nonces]) => ({
    protocol: "balancer_v2",
    family: "balancer-v2",
    factory: factory as Hex,
    vault: V2_VAULT,
    ...(nonces !== null && { nonces }),
    ...poolsOf(factory as Hex),
    initCodeHash: null,
    fee: null,
    firstBlock,
  }));
}

/**
 * The ProtocolFeeController that was created with the Vault of V3. It is the same on Ethereum and Base.
 * Source of the controllers' addresses: addresses/mainnet.json and base.json of balancer-deployments.
 */
const FIRST_FEE_CONTROLLER: Hex = "0xa731c23d7c95436baaae9d52782f966e1ed07cc8";

/** @param feeController the ProtocolFeeController since 2025 */
function balancerV3(feeController: Hex, factories: readonly Hex[]): Deployment[] {
  return factories.map((factory) => ({
    protocol: "balancer_v3",
    family: "balancer-v3",
    factory,
    vault: V3_VAULT,
    feeControllers: [FIRST_FEE_CONTROLLER, feeController],
    ...poolsOf(factory),
    initCodeHash: null,
    fee: null,
    firstBlock: 0,
  }));
}

function poolsOf(factory: Hex): Pick<Deployment, "pools"> {
  const pools = POOLS[factory];
  return pools === undefined ? {} : { pools };
}

const V2_ETHEREUM = balancerV2(12_272_146, {
  "0xa5bf2ddf098bb0ef6d120c98217dd6b141c74ee0": 1000, // WeightedPool2Tokens 2021-04
  "0x8e9aa87e45e92bad84d5f8dd1bff34fb92637de9": 1000, // WeightedPool 2021-04
  "0xc66ba2b6595d3613ccab350c886ace23866ede24": 400, // StablePool 2021-06
  "0x751a0bc0e3f75b38e01cf25bfce7ff36de1c87de": 1000, // LiquidityBootstrappingPool 2021-07
  "0x67d27634e44793fe63c467035e31ea8635117cd4": 400, // MetaStablePool 2021-07
  "0x48767f9f868a4a7b86a90736632f6e44c2df7fa9": 200, // InvestmentPool 2021-09
  "0x0f3e0c4218b7b0108a3643cfe9d3ec0d4f57c54e": 1000, // NoProtocolFeeLiquidityBootstrappingPool 2021-12
  "0xd7fad3bd59d6477cbe1be7f646f7f1ba25b230f8": 200, // AaveLinearPool 2021-12
  "0xb08e16cfc07c684daa2f93c70323badb2a6cbfd2": 200, // StablePhantomPool 2021-12
  "0xe061bf85648e9fa7b59394668cfeef980aec4c66": 200, // ERC4626LinearPool 2022-04
  "0x9588c26142e345f1a0d005cfc0c6df29a8fa010c": 200, // UnbuttonAaveLinearPool 2022-04
  "0x8df6efec5547e31b0eb7d1291b511ff8a2bf987c": 400, // StablePool 2022-06
  "0x6a0ac04f5c2a10297d5fa79fa6358837a8770041": 200, // AaveLinearPool 2022-08
  "0xf9ac7b9df2b3454e841110cce5550bd5ac6f875f": 400, // ComposableStablePool 2022-09
  "0xcc508a455f5b0073973107db6a878ddbdab957bc": 400, // WeightedPool 2022-09
  "0x9ac3e70db606659bf32d4bdfbb687ad193fd1f5b": 200, // ManagedPool 2022-10
  "0x85a80afee867adf27b50bdb7b76da70f1e853062": 400, // ComposableStablePool 2022-11
  "0x7d833fef5bb92ddb578da85fc0c35cd5cc00fb3e": 200, // AaveLinearPool 2022-12
  "0xb9f8ab3ed3f3acba64bc6cd2dca74b7f38fd7b88": 200, // AaveLinearPool 2023-02
  "0xdba127fbc23fb20f5929c546af220a991b5c6e01": 400, // ComposableStablePool 2023-02
  "0x67a25ca2350ebf4a0c475ca74c257c94a373b828": 200, // ERC4626LinearPool 2023-02
  "0x5dd94da3644ddd055fcf6b3e1aa310bb7801eb8b": 400, // WeightedPool 2023-02
  "0x5f43fba61f63fa6bff101a0a0458cea917f6b347": 200, // EulerLinearPool 2023-02
  "0x2ebe41e1aa44d61c206a94474932dadc7d3fd9e3": 200, // GearboxLinearPool 2023-02
  "0x8b7854708c0c54f9d7d1ff351d4f84e6de0e134c": 200, // YearnLinearPool 2023-02
  "0xfd1c0e6f02f71842b6fff7cdc7a017ee1fd3cdac": 200, // SiloLinearPool 2023-03
  "0xfada0f4547ab2de89d1304a668c39b3e09aa7c76": null, // ComposableStablePool 2023-03
  "0x897888115ada5773e02aa29f775430bfb5f34c51": null, // WeightedPool 2023-03
  "0x813ee7a840ce909e7fea2117a44a90b8063bd4fd": null, // ERC4626LinearPool 2023-04
  "0x39a79eb449fc05c92c39aa6f0e9bfac03be8de5b": null, // GearboxLinearPool 2023-04
  "0x5f5222ffa40f2aed6380d022184d6ea67c776ee0": null, // YearnLinearPool 2023-04
  "0x0b576c1245f479506e7c8bbc4db4db07c1cd31f9": null, // AaveLinearPool 2023-04
  "0x4e11aeec21baf1660b1a46472963cb3da7811c89": null, // SiloLinearPool 2023-04
  "0xbf904f9f340745b4f0c4702c7b6ab1e808ea6b93": null, // ManagedPool 2023-04
  "0xdb8d758bcb971e482b2c45f7f8a7740283a1bd3a": null, // ComposableStablePool 2023-07
  "0x5b42ec6d40f7b7965be5308c70e2603c0281c1e9": null, // ComposableStablePool 2024-02
  "0x579653927bf509b361f6e3813f5d4b95331d98c9": null, // Gyro2V2Pool
  "0x412a5b2e7a678471985542757a6855847d4931d5": null, // GyroEV2Pool
  "0xba1b4a90bad57470a2cba762a32955dc491f76e0": null, // HighAmpComposableStablePool
});

const V2_BASE = balancerV2(1_196_036, {
  "0x0c6052254551eae3ecac77b01dfcf1025418828f": 1000, // NoProtocolFeeLiquidityBootstrappingPool 2021-12
  "0x4c32a8a8fda4e24139b51b456b42290f51d6a1c4": null, // WeightedPool 2023-03
  "0x161f4014c27773840ccb4ec1957113e6dd028846": null, // ERC4626LinearPool 2023-04
  "0x9dd32684176638d977883448a4c914311c07bd62": null, // GearboxLinearPool 2023-04
  "0x44d33798dddcdabc93fe6a40c80588033dc502d3": null, // YearnLinearPool 2023-04
  "0x687b8c9b41e01be8b591725fac5d5f52d0564d79": null, // AaveLinearPool 2023-04
  "0x9a62c91626d39d0216b3959112f9d4678e20134d": null, // ManagedPool 2023-04
  "0x8df317a729fcaa260306d7de28888932cb579b88": null, // ComposableStablePool 2023-07
  "0x956ccab09898c0af2aca5e6c229c3ad4e93d9288": null, // ComposableStablePool 2024-02
  "0x15e86be6084c6a5a8c17732d398dfbc2ec574cec": null, // GyroEV2Pool
});

export const balancerPolygon: readonly Deployment[] = balancerV2(15_832_990, {
  "0xa5bf2ddf098bb0ef6d120c98217dd6b141c74ee0": 2000, // WeightedPool2Tokens 2021-04
  "0x8e9aa87e45e92bad84d5f8dd1bff34fb92637de9": 2000, // WeightedPool 2021-04
  "0xc66ba2b6595d3613ccab350c886ace23866ede24": 400, // StablePool 2021-06
  "0x751a0bc0e3f75b38e01cf25bfce7ff36de1c87de": 1000, // LiquidityBootstrappingPool 2021-07
  "0xdae7e32adc5d490a43ccba1f0c736033f2b4efca": 400, // MetaStablePool 2021-07
  "0x0f7bb7ce7b6ed9366f9b6b910adefe72dc538193": 200, // InvestmentPool 2021-09
  "0x41b953164995c11c81da73d212ed8af25741b7ac": 1000, // NoProtocolFeeLiquidityBootstrappingPool 2021-12
  "0xf302f9f50958c5593770fdf4d4812309ff77414f": 200, // AaveLinearPool 2021-12
  "0xc128a9954e6c874ea3d62ce62b468ba073093f25": 200, // StablePhantomPool 2021-12
  "0xc6bd2497332d24094ec16a7261eec5c412b5a2c1": 200, // ERC4626LinearPool 2022-03
  "0x6637da12881f66dc7e42b8879b0a79faf43c9be2": 200, // ERC4626LinearPool 2022-04
  "0x6baf5fa330f2d7c59f2bb57cf4b2c927b7f160d2": 200, // UnbuttonAaveLinearPool 2022-04
  "0xca96c4f198d343e251b1a01f3eba061ef3da73c1": 400, // StablePool 2022-06
  "0x8df6efec5547e31b0eb7d1291b511ff8a2bf987c": 200, // AaveLinearPool 2022-08
  "0x136fd06fa01ecf624c7f2b3cb15742c1339dc2c4": 400, // ComposableStablePool 2022-09
  "0x0e39c3d9b2ec765efd9c5c70bb290b1fcd8536e3": 400, // WeightedPool 2022-09
  "0x9ac3e70db606659bf32d4bdfbb687ad193fd1f5b": 200, // ManagedPool 2022-10
  "0x85a80afee867adf27b50bdb7b76da70f1e853062": 400, // ComposableStablePool 2022-11
  "0x35c425234dc42e7402f54cc54573f77842963a56": 200, // AaveLinearPool 2022-12
  "0xf23b4db826dba14c0e857029dff076b1c0264843": 200, // AaveLinearPool 2023-02
  "0x7bc6c0e73edaa66ef3f6e2f27b0ee8661834c6c9": 400, // ComposableStablePool 2023-02
  "0xa3b9515a9c557455bc53f7a535a85219b59e8b2e": 200, // ERC4626LinearPool 2023-02
  "0x82e4cfaef85b1b6299935340c964c942280327f4": 400, // WeightedPool 2023-02
  "0x7396f99b48e7436b152427bfa3dd6aa8c7c6d05b": 200, // YearnLinearPool 2023-02
  "0x6ab5549bbd766a43afb687776ad8466f8b42f777": null, // ComposableStablePool 2023-03
  "0xfc8a407bba312ac761d8bfe04ce1201904842b76": null, // WeightedPool 2023-03
  "0x5c5fcf8fbd4cd563ced27e7d066b88ee20e1867a": null, // ERC4626LinearPool 2023-04
  "0x0b576c1245f479506e7c8bbc4db4db07c1cd31f9": null, // YearnLinearPool 2023-04
  "0xab2372275809e15198a7968c7f324053867cdb0c": null, // AaveLinearPool 2023-04
  "0xb8dfa4fd0f083de2b7edc0d5eed5e684e54ba45d": null, // ManagedPool 2023-04
  "0xe2fa4e1d17725e72dcdafe943ecf45df4b9e285b": null, // ComposableStablePool 2023-07
  "0xeaedc32a51c510d35ebc11088fd5ff2b47aacf2e": null, // ComposableStablePool 2024-02
  "0x5d8545a7330245150be0ce88f8afb0edc41dfc34": null, // Gyro2Pool
  "0x90f08b3705208e41dbeeb37a42fb628dd483adda": null, // Gyro3Pool
  "0xd4204551bc5397455f8897745d50ac4f6bee0ef6": null, // GyroEPool
  "0x1a79a24db0f73e9087205287761fc9c5c305926b": null, // GyroEV2Pool
});

const V3_ETHEREUM = balancerV3("0x212f884252792ebaaa811fb0678444b21c7c2879", [
  "0xb9d01ca61b9c181da1051bfdd28e1097e920ab14", // Stable 2024-12
  "0x201efd508c8dfe9de1a13c2452863a78cb2a86cc", // Weighted 2024-12
  "0xb96524227c4b5ab908fc3d42005fe3b07aba40e9", // Gyro2CLP 2025-01
  "0xd53f5d8d926fb2a0f7be614b16e649b8ac102d83", // StableSurge 2025-01
  "0xe9b0a3bc48178d7fe2f5453c8bc1415d73f966d0", // GyroECLP 2025-01
  "0x4eff2d77d9ffbaefb4b141a3e494c085b3ff4cb5", // LB 2025-03
  "0xe42c2e153bb0a8899b59c73f5ff941f9742f1197", // Stable 2025-03
  "0x355bd33f0033066bb3de396a6d069be57353ad95", // StableSurge 2025-04
  "0x5939ab16fdf1991b0ef603c639b6b501a7841fab", // ReClamm 2025-04
  "0x02916d8f0891309806fcb347bf4191692cbddcaf", // LB 2025-07
  "0xdaa273aeec06e9ccb7428a77e2abb1e4659b16d2", // ReClamm 2025-07
  "0xeb1aa94421aecfb1dc17ddb1068e4609c4be8758", // FixedPriceLB 2025-12
  "0xd5584b37d1845ffed958c2d94bc675603ddcce68", // LB 2025-12
  "0x332694ef46d880df6ea9593e04cb8abee5f81d99", // Weighted 2026-01
  "0x4efcd8bce8ac9b94bd76648e2c85bef6c40f3228", // Stable 2026-01
  "0x187a05fb9e4234dd310ae74215743560d1baa6ac", // StableSurge 2026-01
  "0x8902f9c211f91c84da2076f633873f8266dcecc6", // Gyro2CLP 2026-01
  "0x04d584195a96dffc7f8b695aa3c9d3c1606b69d1", // GyroECLP 2026-01
]);

const V3_BASE = balancerV3("0x2ff226cd12c80511a641a6101f071d853a4e5363", [
  "0xb9f8ab3ed3f3acba64bc6cd2dca74b7f38fd7b88", // Stable 2024-12
  "0x5cf4928a3205728bd12830e1840f7db85c62a4b9", // Weighted 2024-12
  "0xf5cddf6fed9c589f1be04899f48f9738531dad59", // Gyro2CLP 2025-01
  "0x4fb47126fa83a8734991e41b942ac29a3266c968", // StableSurge 2025-01
  "0x5f6848976c2914403b425f18b589a65772f082e3", // GyroECLP 2025-01
  "0x662112b8cb18889e81459b92ca0f894a2ef2c1b8", // LB 2025-03
  "0xc49ca921c4cd1117162eaeec0ee969649997950c", // Stable 2025-03
  "0x8e3feaab11b7b351e3ea1e01247ab6ccc847dd52", // StableSurge 2025-04
  "0x3beb058de1a25dd24223fd9e1796df8589429ace", // ReClamm 2025-04
  "0x0b11209b8c5e821b18ded147583b8978c3e63911", // LB 2025-07
  "0x201efd508c8dfe9de1a13c2452863a78cb2a86cc", // ReClamm 2025-07
  "0xb96524227c4b5ab908fc3d42005fe3b07aba40e9", // FixedPriceLB 2025-12
  "0x6ee18fbb1bbcc5cf700cd75ea1aef2bb21e3cb3f", // LB 2025-12
  "0xbdbadc891bb95dee80ebc491699228ef0f7d6ff1", // Weighted 2026-01
  "0xfc2986feab34713e659da84f3b1fa32c1da95832", // Stable 2026-01
  "0x6623d1ceeab236ae93acafb285ddfb77336b6981", // StableSurge 2026-01
  "0x312600bc7645e47a4926dc658827398af070d431", // Gyro2CLP 2026-01
  "0x86a0e97ec0d5db8dae106d3067358d41968fd12c", // GyroECLP 2026-01
]);

export const balancerEthereum: readonly Deployment[] = [...V2_ETHEREUM, ...V3_ETHEREUM];
export const balancerBase: readonly Deployment[] = [...V2_BASE, ...V3_BASE];
