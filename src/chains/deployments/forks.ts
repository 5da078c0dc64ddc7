import type { Hex } from "../../lib/hex.ts";
import type { Deployment } from "../chain.ts";

/**
 * The DEXes of a chain are data: one line for each fork of Uniswap, which calls one of the constructors
 * below.
 *
 * Factories, hashes and fees come from the DEXes' own repositories and documentation, from
 * VeloraDEX/paraswap-dex-lib, 0xProject/0x-settler and sushi-labs/sushi.
 * `decode/proofs/create-address.test.ts` checks them: for each deployment with an init-code hash, the test
 * derives the address of a published pool. The blocks of newer entries come from DefiLlama.
 */

/** The pairs of a V2 fork. */
interface Pairs {
  initCodeHash: Hex;
  /** Swap fee in millionths; null if the pairs have different fees. */
  fee: number | null;
}

/** The pools of a V3 fork. */
type Pools = Pick<Deployment, "initCodeHash" | "deployer" | "keys" | "keyIsTickSpacing">;

/** @param firstBlock block of the factory's creation; 0 if it is not known */
export function v2(protocol: string, factory: Hex, firstBlock: number, pairs: Pairs): Deployment {
  return { protocol, family: "uniswap-v2", factory, firstBlock, ...pairs };
}

/** @param firstBlock block of the factory's creation; 0 if it is not known */
export function v3(protocol: string, factory: Hex, firstBlock: number, pools: Pools): Deployment {
  return { protocol, family: "uniswap-v3", factory, firstBlock, ...pools, fee: null };
}

/** @param firstBlock block of the factory's creation; 0 if it is not known */
export function solidly(protocol: string, factory: Hex, firstBlock: number, initCodeHash: Hex): Deployment {
  return { protocol, family: "solidly", factory, firstBlock, initCodeHash, fee: null };
}

/** @param firstBlock block of the factory's creation; 0 if it is not known */
export function algebraIntegral(
  protocol: string,
  factory: Hex,
  firstBlock: number,
  pools: Pick<Deployment, "initCodeHash" | "deployer">,
): Deployment {
  return { protocol, family: "algebra-integral", factory, firstBlock, ...pools, fee: null };
}

/** @param positionManager contract through which most pools are used, and which returns their keys */
export function v4(poolManager: Hex, firstBlock: number, positionManager: Hex): Deployment {
  return {
    protocol: "uniswap_v4",
    family: "uniswap-v4",
    factory: poolManager,
    positionManager,
    initCodeHash: null,
    fee: null,
    firstBlock,
  };
}

/** Uniswap's compiled pair. QuickSwap uses it unchanged. */
export const UNISWAP_PAIRS: Pairs = {
  initCodeHash: "0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f",
  fee: 3000,
};

export const SUSHI_PAIRS: Pairs = {
  initCodeHash: "0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303",
  fee: 3000,
};

export const PANCAKE_PAIRS: Pairs = {
  initCodeHash: "0x57224589c67f3f30a6b0d7a1b54cf3153ab84563bc609ef41dfb34f8b2974d2d",
  fee: 2500,
};

/** Uniswap's compiled pool. Many forks use it unchanged. */
export const UNISWAP_POOLS: Pools = {
  initCodeHash: "0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54",
};

export const PANCAKE_POOLS: Pools = {
  deployer: "0x41ff9aa7e16b8b1a8a8dc4f0efacd93d02d071c9",
  initCodeHash: "0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2",
};

/** The pool of Algebra Integral 1.2.1 to 1.2.5, as compiled in its package @cryptoalgebra/integral-core. */
export const INTEGRAL_HASH: Hex = "0xa18736c3ee97fe3c96c9428c0cc2a9116facec18e84f95f9da30543f8238a782";

/** Solidly V3: the salt contains the tick spacing, and the owner can change the fees. */
export const SOLIDLY_POOLS: Pools = {
  initCodeHash: "0xe9b68c5f77858eecac2e651646e208175e9b1359d68d0e14fc69f8c54e5010bf",
  keys: [1, 10, 50, 100],
  keyIsTickSpacing: true,
};

/** KyberSwap Elastic: the salt contains the fee in units of 1/100000, not in millionths. */
export const KYBER_FEE_UNITS = [8, 10, 40, 300, 1000];
