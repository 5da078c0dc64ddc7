import { useQuery } from "@tanstack/react-query";
import { shortHex } from "../../format/hex.ts";
import { formatFee, pairName, protocolName } from "../../format/pool.ts";
import { pacedTimeQuery } from "../../queries/chain/status.ts";
import { type TokenPool, tokenPoolsQuery } from "../../queries/token/token-pools.ts";
import { useToken, useTokenChoices } from "./token-search.ts";

/** The token's pools, as of the last half minute. */
export function useTokenPools() {
  const { chain, address } = useToken();
  const { data: until } = useQuery(pacedTimeQuery(chain));
  return useQuery({ ...tokenPoolsQuery(chain, address, until ?? 0), enabled: until !== undefined });
}

/** The pool that is chosen, where it is known. */
export function useChosenPool(): TokenPool | undefined {
  const [{ pool_address }] = useTokenChoices();
  return useTokenPools().data?.pools.find(({ address }) => address === pool_address);
}

/**
 * The pools to choose from: those that have trades of the token, not those where it pays for the other one. One that the
 * page's address names is among them, known or not.
 */
export function usePoolOptions(): { value: string; title: string }[] {
  const [{ pool_address }] = useTokenChoices();
  const { data } = useTokenPools();
  const offered = data?.pools.filter(({ address, isPaidWith }) => !isPaidWith || address === pool_address);
  const pools = (offered ?? []).map((pool) => ({ value: pool.address, title: titleOf(pool) }));
  const isListed = pool_address === "all" || pools.some(({ value }) => value === pool_address);
  const named = isListed ? [] : [{ value: pool_address, title: shortHex(pool_address) }];
  return [{ value: "all", title: "All pools" }, ...named, ...pools];
}

function titleOf(pool: TokenPool): string {
  return `${pairName(pool)} ${protocolName(pool.protocol)} ${formatFee(pool.fee)} · ${shortHex(pool.address)}`;
}
