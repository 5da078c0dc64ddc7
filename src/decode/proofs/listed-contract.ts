import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Log } from "../../schema/block.ts";
import type { PoolFamily } from "../../schema/pool-families.ts";
import type { PoolProof } from "../families/swap-family.ts";
import { poolOf } from "./pool-of.ts";

/**
 * Proves pools of a family without a factory. The chain's deployments list each contract, and the events name
 * the tokens. The tokens of the first swap seen become the pool's first two tokens, in ascending order. Its
 * other tokens are unknown.
 *
 * @param tokensOf returns the two tokens of a swap
 */
export function listedContracts(family: PoolFamily, tokensOf: (log: Log) => [Hex, Hex] | null): PoolProof {
  const listedAt = (address: Hex, { deployments }: Chain) =>
    deployments.find((listed) => listed.family === family && listed.factory === address);
  return {
    addressOf: () => null,
    calls: () => [],
    judge: (address, _, chain) => (listedAt(address, chain) === undefined ? null : undefined),
    fromTransaction(address, log, _, chain) {
      const deployment = listedAt(address, chain);
      const [token0, token1] = tokensOf(log)?.sort() ?? [];
      if (deployment === undefined || token0 === undefined || token1 === undefined) return null;
      return poolOf(
        deployment,
        { address, token0, token1, tokens: [token0, token1, null], fee: null },
        chain,
      );
    },
  };
}
