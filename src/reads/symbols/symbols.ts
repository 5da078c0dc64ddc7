import { hexBytes, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { readLatestPrices } from "../prices/latest-prices.ts";
import type { PoolResult } from "../search/search.ts";
import { searchChains } from "../search/search-chains.ts";
import { CLOSENESS, isWhole, searchTextOf } from "../search/search-text.ts";
import {
  type Answer,
  type QueryLimits,
  type Reader,
  readableChain,
  readSnapshot,
  type Snapshot,
} from "../snapshot/snapshot.ts";
import { pricedToken } from "../trades/priced-token.ts";
import { readTokenFacts } from "../trades/token-facts.ts";

/** The subject of a chart: the price of a token in USD, across all pools or in one. */
export interface ChartSymbol {
  chain: string;
  token: Hex;
  pool: Hex | "all";
}

/** A symbol with the facts that a chart shows. */
export interface SymbolFacts extends ChartSymbol {
  symbol: string | null;
  name: string | null;
  /** The pool's protocol; null for a symbol across all pools. */
  protocol: string | null;
  /** Latest robust price across all pools, USD; null if there is none. */
  priceUsd: number | null;
}

/** Reads the facts about a symbol. The answer is null if the token or the pool is unknown. */
export function readSymbol(
  reader: Reader,
  { chain, token, pool }: ChartSymbol,
  limits: QueryLimits,
): Promise<Answer<SymbolFacts | null>> {
  return readSnapshot(reader, chain, limits, async (snapshot) => {
    const [facts, prices, protocol] = await Promise.all([
      readTokenFacts(snapshot, [token]),
      readLatestPrices(snapshot, [token], "price_token_usd_robust_tick_1"),
      pool === "all" ? null : readProtocol(snapshot, pool),
    ]);
    const known = facts.get(token);
    if (known === undefined || (pool !== "all" && protocol === null)) return null;
    const { tokenSymbol: symbol, tokenName: name } = known;
    return { chain, token, pool, symbol, name, protocol, priceUsd: prices.get(token)?.price ?? null };
  });
}

async function readProtocol(snapshot: Snapshot, pool: Hex): Promise<string | null> {
  const [row] = await snapshot.query<{ protocol: string }>(
    sql`SELECT protocol FROM ${snapshot.table("pool_metadata")} WHERE pool_address = ${hexBytes(pool)} LIMIT 1`,
  );
  return row?.protocol ?? null;
}

/**
 * Returns the chart symbol that a string names: by a token's symbol, by a pair, or by the address of a token
 * or pool. Null if there is none. Spam is found only by its address.
 *
 * @param chain the chain to search; null: all chains
 */
export async function findSymbol(
  reader: Reader,
  chain: string | null,
  given: string,
  limits: QueryLimits,
): Promise<ChartSymbol | null> {
  const text = searchTextOf(given);
  const query = { text, wantsTokens: true, wantsPools: true, size: 1, showsSpam: false };
  const { answer } = await searchChains(reader, chain ?? "all", query, limits);
  const [[token], [pool]] = [answer.tokens, answer.pools];
  // A pool's contract can also be the token of its shares. Its address then names the pool, unless that token
  // is traded.
  const isPool = pool !== undefined && (text.pair !== null || isWhole(text));
  if (isPool && (token === undefined || token.trades === 0)) return symbolOfPool(reader, pool);
  const isToken = token !== undefined && (token.closeness === CLOSENESS.symbol || isWhole(text));
  return isToken ? { chain: token.chain, token: token.token, pool: "all" } : null;
}

/** Returns the symbol for the price of one of a pool's tokens. Null if none of the pool's tokens is known. */
export function symbolOfPool(reader: Reader, { chain, pool, tokens }: PoolResult): ChartSymbol | null {
  const token = pricedToken(tokens, readableChain(reader, chain).chain);
  return token === null ? null : { chain, token, pool };
}
