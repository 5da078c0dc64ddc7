import type { Chain } from "../src/chains/chain.ts";
import {
  REFERENCE_POOLS,
  V2_FACTORY,
  V2_INIT_CODE_HASH,
  V3_FACTORY,
  V3_INIT_CODE_HASH,
} from "./market/pools.ts";
import { BALANCER_VAULT, V4_MANAGER, WEIGHTED_FACTORY } from "./market/shared/shared-pools.ts";
import { STABLES, WETH } from "./market/tokens.ts";
import { CHAIN_ID } from "./node/node-process.ts";

export const BLOCK_TIME_MS = 2_000;
const FINALITY_BLOCKS = 32;

/** Returns the demo chain for the indexer. Its name is `eth`, so all documented examples work on it. */
export function devnetChain(): Chain {
  return {
    name: "eth",
    chainId: CHAIN_ID,
    nativeSymbol: "ETH",
    wrappedNative: WETH.address,
    stableCoins: STABLES.map(({ address }) => address),
    referencePools: REFERENCE_POOLS.map(({ address }) => address),
    deployments: [
      {
        protocol: "uniswap_v2",
        family: "uniswap-v2",
        factory: V2_FACTORY,
        initCodeHash: V2_INIT_CODE_HASH,
        fee: 3000,
        firstBlock: 0,
      },
      {
        protocol: "uniswap_v3",
        family: "uniswap-v3",
        factory: V3_FACTORY,
        initCodeHash: V3_INIT_CODE_HASH,
        fee: null,
        firstBlock: 0,
      },
      {
        protocol: "uniswap_v4",
        family: "uniswap-v4",
        factory: V4_MANAGER,
        initCodeHash: null,
        fee: null,
        firstBlock: 0,
      },
      {
        protocol: "balancer_v2",
        family: "balancer-v2",
        factory: WEIGHTED_FACTORY,
        vault: BALANCER_VAULT,
        initCodeHash: null,
        fee: null,
        firstBlock: 0,
      },
    ],
    finality: { kind: "depth", blocks: FINALITY_BLOCKS },
    blockTimeMs: BLOCK_TIME_MS,
  };
}
