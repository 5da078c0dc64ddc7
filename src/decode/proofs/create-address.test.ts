import { createRequire } from "node:module";
import { keccak_256 } from "@noble/hashes/sha3";
import { getContractAddress } from "viem";
import { describe, expect, it } from "vitest";
import type { Chain, Deployment } from "../../chains/chain.ts";
import { BUILT_IN_CHAINS } from "../../chains/chains.ts";
import { fromBytes, type Hex, toBytes } from "../../lib/hex.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import { poolAddress } from "../pools/pool-address.ts";
import { create2Address, createAddress } from "./create-address.ts";

const FEES = [80, 100, 450, 500, 750, 2500, 3000, 10_000];
/** Keys of the families whose keys are not fees. */
const KEYS: Partial<Record<PoolFamily, (number | null)[]>> = {
  "uniswap-v2": [null],
  solidly: [0, 1],
  "algebra-integral": [null],
  smardex: [null],
};

/**
 * Published pools of the wrapped native coin. Each proves a deployment's factory (or deployer) and init-code
 * hash.
 */
const KNOWN_POOLS: [string, string, Hex][] = [
  ["eth", "uniswap_v2", "0xb4e16d0168e52d35cacd2c6185b44281ec28c9dc"],
  ["eth", "uniswap_v3", "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"],
  ["eth", "sushiswap_v2", "0x397ff1542f962076d0bfe58ea045ffa2d347aca0"],
  ["eth", "sushiswap_v3", "0x35644fb61afbc458bf92b15add6abc1996be5014"],
  ["eth", "pancakeswap_v2", "0x2e8135be71230c6b1b4045696d41c09db0414226"],
  ["eth", "pancakeswap_v3", "0x6ca298d2983ab03aa1da7679389d955a4efee15c"],
  ["eth", "shibaswap_v2", "0x20e95253e54490d8d30ea41574b24f741ee70201"],
  ["eth", "defiswap_v2", "0x3aa370aacf4cb08c7e1e7aa8e8ff9418d73c7e0f"],
  ["base", "uniswap_v2", "0x88a43bbdf9d098eec7bceda4e2494615dfd9bb9c"],
  ["base", "uniswap_v3", "0xd0b53d9277642d899df5c87a3966a349a798f224"],
  ["base", "sushiswap_v2", "0x2f8818d1b0f3e3e295440c1c0cddf40aaa21fa87"],
  ["base", "sushiswap_v3", "0x57713f7716e0b0f65ec116912f834e49805480d2"],
  ["base", "pancakeswap_v2", "0x79474223aedd0339780bacce75abda0be84dcbf9"],
  ["base", "pancakeswap_v3", "0x72ab388e2e2f6facef59e3c3fa2c4e29011c2d38"],
  ["base", "baseswap_v2", "0x41d160033c222e6f3722ec97379867324567d883"],
  ["base", "baseswap_v3", "0x883e4ae0a817f2901500971b353b5dd89aa52184"],
  ["base", "alienbase_v3", "0xb27f110571c96b8271d91ad42d33a391a75e6030"],
  ["base", "aerodrome_slipstream", "0xb2cc224c1c9fee385f8ad6a55b4d94e92359dc59"],
  ["base", "aerodrome_slipstream_gauge_caps", "0xc758d81b9b81a6fcdad075bd471874a2c46b54e0"],
  ["base", "aerodrome_slipstream_gauges_v3", "0x3fe04a59ebd38cf06080a6f60a98d124eb59392a"],
  ["base", "quickswap_v2", "0x3099a7c284610897baaa43cbdc06469e44a06ce1"],
  ["base", "synthswap_v3", "0xe0712c087ecb8a0dd20914626152ebf4890708c2"],
  ["base", "solidly_v3", "0x551a0e3d267bea87048f08cc94cc6035ad99221b"],
  ["eth", "swapr_v2", "0x98f29f527c8e0ecc67a3c2d5567833bee01f2a12"],
  ["eth", "apeswap_v2", "0x6b0cc136f7babd971b5decd21690be65718990e2"],
  ["eth", "solidly_v3", "0x831bf48183b999fde45294b14b55199072f0801b"],
  ["base", "aerodrome_v1", "0xcdac0d6c6c59727a65f871236188350531885c43"],
  ["base", "quickswap_v4", "0x5a9ad2bb92b0b3e5c571fdd5125114e04e02be1a"],
  ["base", "smardex", "0x5a60c797993ee91f012260d995e1e6c6ce3dda6d"],
  ["matic", "smardex", "0x7130d1ab6d9c657240331a4de3e88b5497be9ceb"],
  ["matic", "jetswap_v2", "0x5e58e0ced3a272caeb8ba00f4a4c2805df6be495"],
  ["matic", "polycat_v2", "0x8a4ceb4dffa238539c5d62ce424980e8fdb21ebc"],
  ["matic", "retro_v3", "0xec15624fbb314eb05baad4ca49b7904c0cb6b645"],
  ["matic", "quickswap_v3", "0xae81fac689a1b4b1e06e7ef4a2ab4cd8ac0a087d"],
  ["matic", "quickswap_v2", "0x6e7a5fafcec6bb1e78bae2a1f0b612012bf14827"],
  ["matic", "uniswap_v3", "0xa374094527e1673a86de625aa59517c5de346d32"],
  ["matic", "sushiswap_v2", "0xcd353f79d9fade311fc3119b841e1f456b54e858"],
  ["matic", "sushiswap_v3", "0x21988c9cfd08db3b5793c2c6782271dc94749251"],
  ["matic", "apeswap_v2", "0x019011032a7ac3a87ee885b6c08467ac46ad11cd"],
  ["matic", "dfyn_v2", "0xd776c65b2a7a5832b4172742bf8c40cc062c678e"],
  ["matic", "uniswap_v2", "0x1f0c5400a3c7e357cc7c9a3d2f7fe6ddf629d868"],
];

const FEW_WETH: Hex = "0xa250cc729bb3323e7933022a67b52200fe354767";
const FEW_USDT: Hex = "0xef87f4608e601e8564800265aee1c1ffadf73283";
const WETH: Hex = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const FRAX: Hex = "0x853d955acef822db058eb8505911ed77f175b99e";
const KNC: Hex = "0xdefa4e8a7bcba345f687a2f1456f5edd9ce97202";
const SDEX: Hex = "0x5de8ab7e27f6e7a1fff3e5b337584aa43961beef";
const WUSDN: Hex = "0x99999999999999cc837c997b882957dafdcb1af9";
const USDC_POLYGON: Hex = "0x2791bca1f2de4661ed88a30c99a7a9449aa84174";
const USDT_POLYGON: Hex = "0xc2132d05d31c914a87c6611c10748aeb04b58e8f";
const WETH_POLYGON: Hex = "0x7ceb23fd6bc0add59e62ac25578270cff1b9f619";

const DAI_BASE: Hex = "0x50c5725949a6f0c72e6c4a641f24049a917db0cb";
const USDC_BASE: Hex = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const WETH_BASE: Hex = "0x4200000000000000000000000000000000000006";
const AXLUSDC_BASE: Hex = "0xeb466342c4d449bc9f53a865d5cb90586f405215";

/** Published pools of other tokens, with their keys. */
const OTHER_POOLS: [string, string, Hex, [Hex, Hex], number | null][] = [
  // A stable pool.
  ["base", "aerodrome_v1", "0x67b00b46fa4f4f24c03855c5c8013c0b938b3eec", [DAI_BASE, USDC_BASE], 1],
  ["base", "leetswap_v2", "0x94dac4a3ce998143aa119c05460731da80ad90cf", [WETH_BASE, AXLUSDC_BASE], 0],
  // A pool with a swap in block 22434160.
  ["eth", "ringswap_v2", "0x147d15e009a63ebed5196ea029679329204f98fd", [FEW_WETH, FEW_USDT], null],
  ["eth", "fraxswap_v2", "0x31351bf3fba544863fbff44ddc27ba880916a199", [FRAX, WETH], null],
  ["eth", "kyberswap_elastic_legacy", "0xb5e643250ff59311071c5008f722488543dd7b3c", [WETH, KNC], 1000],
  ["eth", "smardex", "0x11443f5b134c37903705e64129befc20e35a3725", [SDEX, WUSDN], null],
  ["eth", "smardex_legacy", "0xf3a4b8efe3e3049f6bc71b47ccb7ce6665420179", [SDEX, WETH], null],
  ["matic", "waultswap_v2", "0xd928ce1d0f2642e44615768761c0f00c23e0d588", [USDC_POLYGON, WETH_POLYGON], null],
  ["matic", "cometh_v2", "0x1edb2d8f791d2a51d56979bf3a25673d6e783232", [USDC_POLYGON, WETH_POLYGON], null],
  // A pool with a swap in block 50000000.
  [
    "matic",
    "kyberswap_elastic",
    "0x879664ce5a919727b3ed4035cf12f7f740e8df00",
    [USDC_POLYGON, USDT_POLYGON],
    8,
  ],
];

/** Implementation contracts of Slipstream's and Aerodrome's pools, by protocol. */
const IMPLEMENTATIONS: [string, Hex][] = [
  ["aerodrome_slipstream", "0xec8e5342b19977b4ef8892e02d8daecfa1315831"],
  ["aerodrome_slipstream_gauge_caps", "0x942e97a4c6fdc38b4cd1c0298d37d81fdd8e5a16"],
  ["aerodrome_slipstream_gauges_v3", "0xc770898522d2a9c8da7a10d63989b6b58305b665"],
  ["aerodrome_v1", "0xa4e46b4f701c62e14df11b48dce76a7d793cd6d7"],
];

/** Returns the hash of the creation code of a minimal proxy (EIP-1167) of the contract. */
function minimalProxyHash(implementation: Hex): Hex {
  const runtime = `363d3d373d3d3d363d73${implementation.slice(2)}5af43d82803e903d91602b57fd5bf3`;
  return fromBytes(keccak_256(toBytes(`0x3d602d80600a3d3981f3${runtime}`)));
}

/**
 * Returns the protocols of the pools of the wrapped native coin and a stablecoin that a chain's deployments
 * could create, by address.
 */
function cashPools(chain: Chain): Map<Hex, string> {
  const pools = new Map<Hex, string>();
  for (const deployment of chain.deployments) {
    for (const coin of chain.stableCoins) {
      const [token0 = coin, token1 = coin] = [coin, chain.wrappedNative].sort();
      for (const key of deployment.keys ?? KEYS[deployment.family] ?? FEES) {
        const address = poolAddress(deployment, { token0, token1, key });
        if (address !== null) pools.set(address, deployment.protocol);
      }
    }
  }
  return pools;
}

function chainNamed(name: string): Chain {
  const chain = BUILT_IN_CHAINS.find((candidate) => candidate.name === name);
  if (chain === undefined) throw new Error(name);
  return chain;
}

function deploymentOf(chain: string, protocol: string): Deployment {
  const found = chainNamed(chain).deployments.find((deployment) => deployment.protocol === protocol);
  if (found === undefined) throw new Error(protocol);
  return found;
}

describe("create2Address", () => {
  it.each<[Hex, Hex, Hex, Hex]>([
    // Examples from EIP-1014.
    [
      "0x0000000000000000000000000000000000000000",
      `0x${"00".repeat(32)}`,
      "0x00",
      "0x4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38",
    ],
    [
      "0xdeadbeef00000000000000000000000000000000",
      `0x${"00".repeat(32)}`,
      "0x00",
      "0xb928f69bb1d91cd65274e3c79d8986362984fda3",
    ],
    [
      "0x00000000000000000000000000000000deadbeef",
      `0x${"00".repeat(28)}cafebabe`,
      "0xdeadbeef",
      "0x60f3f640a8508fc6a86d45df051962668e1e8ac7",
    ],
  ])("of %s with salt %s and code %s is %s", (creator, salt, code, address) => {
    expect(create2Address(creator, salt, fromBytes(keccak_256(toBytes(code))))).toBe(address);
  });
});

describe("createAddress", () => {
  // Two contracts that an account created, and one that Fluid's factory created.
  it.each<[Hex, number, Hex]>([
    ["0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0", 1, "0x343c43a37d37dff08ae8c4a11544c718abb4fcf8"],
    ["0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0", 2, "0xf778b86fa74e846c4f0a1fbd1335fe81c00a0c91"],
    ["0x91716c4eda1fb55e84bf8b4c7085f84285c19085", 1, "0x0b1a513ee24972daef112bc777a5610d4325c9e7"],
  ])("of %s with nonce %i is %s", (creator, nonce, address) => {
    expect(createAddress(creator, nonce)).toBe(address);
  });

  it("agrees with an independent implementation for nonces of one to three bytes", () => {
    const from: Hex = "0x9424b1412450d0f8fc2255faf6046b98213b76bd";
    for (const nonce of [1, 127, 128, 255, 256, 65_535, 65_536]) {
      expect(createAddress(from, nonce)).toBe(
        getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase(),
      );
    }
  });
});

describe("init-code hashes", () => {
  const require = createRequire(import.meta.url);

  it.each([
    ["@uniswap/v2-core/build/UniswapV2Pair.json", "uniswap_v2"],
    ["@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json", "uniswap_v3"],
  ])("is that of %s for %s on every chain", (artifact, protocol) => {
    const { bytecode } = require(artifact) as { bytecode: string };
    const hash = fromBytes(keccak_256(toBytes(bytecode.startsWith("0x") ? bytecode : `0x${bytecode}`)));
    for (const chain of BUILT_IN_CHAINS) {
      const deployment = chain.deployments.find((candidate) => candidate.protocol === protocol);
      expect(deployment?.initCodeHash, chain.name).toBe(hash);
    }
  });

  it.each(KNOWN_POOLS)("on %s, %s creates %s", (chain, protocol, address) => {
    expect(cashPools(chainNamed(chain)).get(address)).toBe(protocol);
  });

  it.each(OTHER_POOLS)("on %s, %s creates %s of other tokens", (chain, protocol, address, tokens, key) => {
    const [token0, token1] = tokens.toSorted() as [Hex, Hex];
    expect(poolAddress(deploymentOf(chain, protocol), { token0, token1, key })).toBe(address);
  });

  it.each(IMPLEMENTATIONS)("of %s is that of minimal proxies of %s", (protocol, implementation) => {
    expect(deploymentOf("base", protocol).initCodeHash).toBe(minimalProxyHash(implementation));
  });

  it("are each proven by a known pool", () => {
    const proven = [...KNOWN_POOLS, ...OTHER_POOLS].map(([chain, protocol]) => `${chain} ${protocol}`);
    const listed = BUILT_IN_CHAINS.flatMap(({ name, deployments }) =>
      deployments
        .filter(({ initCodeHash }) => initCodeHash !== null)
        .map(({ protocol }) => `${name} ${protocol}`),
    );
    expect([...new Set(proven)].sort()).toEqual(listed.sort());
  });
});

describe("reference pools", () => {
  it.each(BUILT_IN_CHAINS)("of $name follow from its deployments and its cash", (chain) => {
    const possible = cashPools(chain);
    for (const pool of chain.referencePools) expect(possible.has(pool), pool).toBe(true);
    expect(chain.referencePools.length).toBeGreaterThan(3);
  });
});
