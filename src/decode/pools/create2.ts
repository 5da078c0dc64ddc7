import type { Deployment } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import { type ContractFamily, isSingleton } from "../../schema/swap.ts";
import { addressWord, uintWord } from "../abi/abi.ts";
import { keccak } from "../abi/keccak.ts";
import type { PoolKey } from "../families/swap-family.ts";

/** Address of a contract that `creator` creates by CREATE2 (EIP-1014). */
export function create2Address(creator: Hex, salt: Hex, initCodeHash: Hex): Hex {
  return `0x${keccak(`0xff${creator.slice(2)}${salt.slice(2)}${initCodeHash.slice(2)}`).slice(26)}`;
}

const SALTS: Record<ContractFamily, (key: PoolKey) => Hex> = {
  "uniswap-v2": ({ token0, token1 }) => keccak(`0x${token0.slice(2)}${token1.slice(2)}`),
  "uniswap-v3": ({ token0, token1, fee }) =>
    keccak(`0x${addressWord(token0)}${addressWord(token1)}${fee === null ? "" : uintWord(fee)}`),
};

/**
 * Address of the pool that a deployment creates for a key; null where its pools have no single creation code.
 */
export function poolAddress(deployment: Deployment, key: PoolKey): Hex | null {
  const { family, initCodeHash } = deployment;
  if (initCodeHash === null || isSingleton(family)) return null;
  const creator = deployment.deployer ?? deployment.factory;
  return create2Address(creator, SALTS[family](key), initCodeHash);
}
