import { useQuery } from "@tanstack/react-query";
import { shortHex } from "../../format/hex.ts";
import { poolKind, poolName } from "../../format/pool.ts";
import { pacedTimeQuery } from "../../queries/chain/status.ts";
import { type TokenPool, tokenPoolsQuery } from "../../queries/token/token-pools.ts";
import { useToken, useTokenChoices } from "./token-search.ts";

/** Returns the token's pools, updated every half minute. */
export function useTokenPools() {
  const { chain, address } = useToken();
  const { data: until } = useQuery(pacedTimeQuery(chain));
  return useQuery({ ...tokenPoolsQuery(chain, address, until ?? 0), enabled: until !== undefined });
}

/** Returns the selected pool if it is loaded. */
export function useSelectedPool(): TokenPool | undefined {
  const [{ pool_address }] = useTokenChoices();
  return useTokenPools().data?.pools.find(({ address }) => address === pool_address);
}

/**
 * Returns the pools to choose from: pools with trades of the token, but not pools in which it is only the
 * payment. Always includes the pool in the page's URL, even if it is unknown.
 */
export function usePoolOptions(): { value: string; title: string }[] {
  const [{ pool_address }] = useTokenChoices();
  const { data } = useTokenPools();
  const offered = data?.pools.filter(({ address, isPaidWith }) => !isPaidWith || address === pool_address);
  const pools = (offered ?? []).map((pool) => ({ value: pool.address, title: titleOf(pool) }));
  const isListed = pool_address === "all" || pools.some(({ value }) => value === pool_address);
  const unlisted = isListed ? [] : [{ value: pool_address, title: shortHex(pool_address) }];
  return [{ value: "all", title: "All pools" }, ...unlisted, ...pools];
}

function titleOf(pool: TokenPool): string {
  return `${poolName(pool.tokens)} ${poolKind(pool)} · ${shortHex(pool.address)}`;
}
