import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { ContractFamily, Erc20Transfer, Pool } from "../../schema/swap.ts";
import { poolByCreate2 } from "./pool-by-create2.ts";
import { CONTRACT_FAMILIES } from "./swap-families.ts";

/**
 * A pool moves its two tokens. The third leaves room for an unrelated one and bounds an attacker's list of
 * pairs.
 */
const TOKEN_LIMIT = 3;

/**
 * Proves a pool that does not respond to calls: its address must follow by CREATE2 from a listed deployment
 * and two of the tokens that a transaction moved into or out of it. Null proves nothing.
 *
 * @param transfers all ERC-20 transfers of the transaction, in log order
 */
export function poolOfTransfers(
  candidate: { address: Hex; family: ContractFamily },
  transfers: readonly Erc20Transfer[],
  chain: Chain,
): Pool | null {
  const fees = CONTRACT_FAMILIES[candidate.family].feeTiers;
  for (const pair of pairsOf(movedTokens(candidate.address, transfers))) {
    const pool = poolByCreate2(candidate, pair, fees, chain);
    if (pool !== null) return pool;
  }
  return null;
}

/** In ascending order, as factories sort them. */
function movedTokens(address: Hex, transfers: readonly Erc20Transfer[]): Hex[] {
  const tokens = new Set<Hex>();
  for (const { token, from, to } of transfers) {
    // A V2 pair's own shares are not among its tokens.
    if (token === address) continue;
    if (from === address || to === address) tokens.add(token);
    if (tokens.size === TOKEN_LIMIT) break;
  }
  return [...tokens].sort();
}

function* pairsOf(tokens: readonly Hex[]): Iterable<[Hex, Hex]> {
  for (const [i, token0] of tokens.entries()) {
    for (const token1 of tokens.slice(i + 1)) yield [token0, token1];
  }
}
