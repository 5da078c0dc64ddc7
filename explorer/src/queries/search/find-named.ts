import type { FoundPool, FoundToken } from "@quarry/sdk";
import { poolKind, poolName, tokenName } from "../../format/pool.ts";
import { visibleText } from "../../format/visible-text.ts";
import { quarry } from "../service/client.ts";
import type { SearchScope } from "./scope.ts";
import type { SearchResult } from "./search-result.ts";

/** Maximum number of tokens or pools shown, as many as users can take in at a glance. */
const MAX_RESULTS = 10;
/** Maximum number of matches read. It is higher than the number shown, because some matches may be spam. */
const MAX_MATCHES = 3 * MAX_RESULTS;

interface Matches {
  tokens: SearchResult[];
  pools: SearchResult[];
}

/** Finds the tokens and pools that match a string, each sorted best first. Spam comes last and is marked. */
export async function findNamed(
  text: string,
  kind: "all" | "token" | "pool",
  { chain, signal }: SearchScope,
): Promise<Matches> {
  const query = { query: text, chain, kind, size: MAX_MATCHES, show_spam: true };
  const { tokens, pools } = await quarry.search(query, { signal });
  return { tokens: shown(tokens.map(tokenFound)), pools: shown(pools.map(poolFound)) };
}

function shown(results: readonly SearchResult[]): SearchResult[] {
  const isSpam = (result: SearchResult) => result.isSpam === true;
  return [
    ...results.filter((result) => !isSpam(result)).slice(0, MAX_RESULTS),
    ...results.filter(isSpam).slice(0, MAX_RESULTS),
  ];
}

function tokenFound(token: FoundToken): SearchResult {
  const { chain, token_address: address, token_symbol: symbol, token_name: name } = token;
  const title = tokenName({ address, symbol });
  const detail = name === null ? null : visibleText(name);
  return { kind: "token", chain, id: address, title, detail, ...tradingOf(token) };
}

function poolFound(pool: FoundPool): SearchResult {
  const { chain, pool_address: id, token_addresses, token_symbols } = pool;
  const tokens = token_addresses.map((address, i) => ({ address, symbol: token_symbols[i] ?? null }));
  return { kind: "pool", chain, id, title: poolName(tokens), detail: poolKind(pool), ...tradingOf(pool) };
}

function tradingOf(match: FoundToken | FoundPool): Pick<SearchResult, "volumeUsd" | "isSpam"> {
  const volumeUsd = match.trades_24h === 0 ? null : match.volume_24h_usd;
  return match.spam_reasons === null ? { volumeUsd } : { volumeUsd, isSpam: true };
}
