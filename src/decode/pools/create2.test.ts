import { createRequire } from "node:module";
import { keccak_256 } from "@noble/hashes/sha3";
import { describe, expect, it } from "vitest";
import type { Chain } from "../../chains/chain.ts";
import { BUILT_IN_CHAINS } from "../../chains/chains.ts";
import { fromBytes, type Hex, toBytes } from "../../lib/hex.ts";
import { isSingleton } from "../../schema/swap.ts";
import { create2Address, poolAddress } from "./create2.ts";

const FEES = [80, 100, 450, 500, 750, 2500, 3000, 10_000];

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
  ["matic", "quickswap_v3", "0xae81fac689a1b4b1e06e7ef4a2ab4cd8ac0a087d"],
  ["matic", "quickswap_v2", "0x6e7a5fafcec6bb1e78bae2a1f0b612012bf14827"],
  ["matic", "uniswap_v3", "0xa374094527e1673a86de625aa59517c5de346d32"],
  ["matic", "sushiswap_v2", "0xcd353f79d9fade311fc3119b841e1f456b54e858"],
  ["matic", "sushiswap_v3", "0x21988c9cfd08db3b5793c2c6782271dc94749251"],
  ["matic", "apeswap_v2", "0x019011032a7ac3a87ee885b6c08467ac46ad11cd"],
  ["matic", "dfyn_v2", "0xd776c65b2a7a5832b4172742bf8c40cc062c678e"],
  ["matic", "uniswap_v2", "0x1f0c5400a3c7e357cc7c9a3d2f7fe6ddf629d868"],
];

/**
 * Addresses of all pools that a chain's deployments could create of the wrapped native coin and its stable
 * coins.
 */
function cashPools(chain: Chain): Map<Hex, string> {
  const pools = new Map<Hex, string>();
  for (const deployment of chain.deployments) {
    for (const coin of chain.stableCoins) {
      const [token0 = coin, token1 = coin] = [coin, chain.wrappedNative].sort();
      const fees = deployment.family === "uniswap-v2" ? [null] : FEES;
      for (const fee of deployment.keys ?? fees) {
        const address = poolAddress(deployment, { token0, token1, fee });
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

describe("create2Address", () => {
  it.each<[Hex, Hex, Hex, Hex]>([
    // The examples of EIP-1014.
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

  it("are each proven by a known pool", () => {
    const proven = KNOWN_POOLS.map(([chain, protocol]) => `${chain} ${protocol}`);
    const listed = BUILT_IN_CHAINS.flatMap(({ name, deployments }) =>
      deployments.filter(({ family }) => !isSingleton(family)).map(({ protocol }) => `${name} ${protocol}`),
    );
    expect(proven.sort()).toEqual(listed.sort());
  });
});

describe("reference pools", () => {
  it.each(BUILT_IN_CHAINS)("of $name follow from its deployments and its cash", (chain) => {
    const possible = cashPools(chain);
    for (const pool of chain.referencePools) expect(possible.has(pool), pool).toBe(true);
    expect(chain.referencePools.length).toBeGreaterThan(3);
  });
});
