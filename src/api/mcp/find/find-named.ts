import { searchTextOf } from "../../../reads/search/search-text.ts";
import type { ChainSearch, Matches } from "./chain-search.ts";
import { type Found, found } from "./found.ts";

/** Finds tokens that match a name or the start of an address, and the pools of a pair. */
export async function findNamed(text: string, kind: string, search: ChainSearch): Promise<Found[]> {
  const isPair = searchTextOf(text).pair !== null;
  const wanted = kind === "pool" ? "pool" : isPair && kind !== "token" ? "all" : "token";
  const { tokens, pools } = await search.matches(text, wanted);
  return [...tokens.map(tokenFound), ...pools.map(poolFound)];
}

export function tokenFound(token: Matches["tokens"][number]): Found {
  return found("token", token.token_address, {
    symbol: token.token_symbol,
    name: token.token_name,
    ...tradingOf(token),
  });
}

export function poolFound(pool: Matches["pools"][number]): Found {
  const fee = pool.fee === null ? "" : `, fee ${pool.fee / 10_000} %`;
  return found("pool", pool.pool_address, {
    name: pool.token_symbols.map((symbol) => symbol ?? "?").join(" / "),
    detail: `${pool.protocol}${fee}; tokens ${pool.token_addresses.join(", ")}`,
    ...tradingOf(pool),
  });
}

function tradingOf(match: Matches["tokens"][number] | Matches["pools"][number]): Partial<Found> {
  const volume = match.trades_24h === 0 ? null : match.volume_24h_usd;
  return { volume_usd_24h: volume, spam: match.spam_reasons };
}
