import type { FoundPool } from "@quarry/sdk";
import { formatFee, poolName, protocolName } from "../../format/pool.ts";
import { quarry } from "../service/client.ts";
import type { SearchScope } from "./scope.ts";
import type { SearchResult } from "./search-result.ts";

/** As many pools as users can take in at a glance. */
const MAX_RESULTS = 10;

/**
 * Pools of two tokens, or more, whose symbols match the two words, in either order; highest 24-hour volume first. ETH
 * and BTC also match WETH and WBTC, because pools hold the wrapped token.
 */
export async function findPairs(
  [one, other]: readonly [string, string],
  { chain, signal }: SearchScope,
): Promise<SearchResult[]> {
  const query = { query: `${one}/${other}`, chain, kind: "pool", size: MAX_RESULTS } as const;
  return (await quarry.search(query, { signal })).pools.map(resultOf);
}

function resultOf(pool: FoundPool): SearchResult {
  const { chain, pool_address, protocol, fee, token_addresses, token_symbols, volume_24h_usd } = pool;
  const tokens = token_addresses.map((address, i) => ({ address, symbol: token_symbols[i] ?? null }));
  return {
    kind: "pool",
    chain,
    id: pool_address,
    title: poolName(tokens),
    detail: fee === null ? protocolName(protocol) : `${protocolName(protocol)} ${formatFee(fee)}`,
    volumeUsd: volume_24h_usd,
  };
}
