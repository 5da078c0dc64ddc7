import type { PoolTvl } from "@quarry/sdk";
import { DAY_SECONDS, HOUR_SECONDS, parseTime } from "../../format/time.ts";
import { indexedTime } from "../chain/status.ts";
import { ROBUST_PRICE } from "../market/robust-price.ts";
import { quarry } from "../service/client.ts";
import { liveQuery, settledQuery } from "../service/live-query.ts";
import { listOf, sqlText, table } from "../service/sql.ts";

export interface PoolToken {
  address: string;
  symbol: string | null;
  /** Null if the token does not report them. */
  decimals: number | null;
}

export interface Pool {
  chain: string;
  address: string;
  protocol: string;
  /** In millionths; null if unknown. */
  fee: number | null;
  /** Null for a pool created before the first indexed block. */
  created: { block: number; timestamp: number } | null;
  tokens: readonly [PoolToken, PoolToken];
}

interface PoolRow {
  protocol: string;
  fee: number | null;
  block_number_created: number | null;
  timestamp_created: string | null;
  token_0_address: string;
  token_1_address: string;
}

interface TokenRow {
  token_address: string;
  token_symbol: string | null;
  decimals: number | null;
}

/** A pool and its tokens; null if no such pool is indexed. */
export function poolQuery(chain: string, address: string) {
  return liveQuery(["pool", chain, address], async (signal): Promise<Pool | null> => {
    const metadata = sqlText`SELECT protocol, fee, block_number_created, timestamp_created, token_0_address, token_1_address
FROM ${table(chain, "pool_metadata")} WHERE pool_address = ${address} LIMIT 1`;
    const [row] = (await quarry.sql<PoolRow>(metadata.sql, { signal })).rows;
    if (row === undefined) return null;
    const { protocol, fee, block_number_created: block, timestamp_created: time } = row;
    const addresses = [row.token_0_address, row.token_1_address] as const;
    const labels = sqlText`SELECT token_address, token_symbol, decimals FROM ${table(chain, "token_metadata")}
WHERE token_address IN (${listOf(addresses)}) LIMIT 2`;
    const { rows } = await quarry.sql<TokenRow>(labels.sql, { signal });
    const tokenOf = (token: string): PoolToken => {
      const found = rows.find(({ token_address }) => token_address === token);
      return { address: token, symbol: found?.token_symbol ?? null, decimals: found?.decimals ?? null };
    };
    const created = block === null || time === null ? null : { block, timestamp: parseTime(time) };
    return { chain, address, protocol, fee, created, tokens: [tokenOf(addresses[0]), tokenOf(addresses[1])] };
  });
}

/** The pool's current balances and their value. */
export function poolTvlQuery(chain: string, pool: string) {
  return liveQuery(["pool-tvl", chain, pool], async (signal): Promise<PoolTvl | null> => {
    const body = { chain, pool_address: [pool], price_type: ROBUST_PRICE };
    return (await quarry.poolTvls(body, { signal })).pools[0] ?? null;
  });
}

/** Period before the pool's newest trade that shows which of its tokens have trades. */
const TRADED_SECONDS = HOUR_SECONDS;

/** Which of the pool's tokens have trades in it: both, or only the one that is paid for in cash. */
export function tradedTokensQuery(chain: string, pool: string, newestTrade: number) {
  const hour = newestTrade - (newestTrade % TRADED_SECONDS);
  return settledQuery(["pool-tokens-traded", chain, pool, hour], async (signal): Promise<string[]> => {
    const { sql } = sqlText`SELECT token_address FROM ${table(chain, "dex_trades")}
WHERE pool_address = ${pool} AND timestamp > ${newestTrade - TRADED_SECONDS} GROUP BY token_address LIMIT 2`;
    const { rows } = await quarry.sql<{ token_address: string }>(sql, { signal });
    return rows.map(({ token_address }) => token_address);
  });
}

/** Trades of a pool within a day. */
export interface PoolDay {
  trades: number;
  buys: number;
  volume_usd: number | null;
}

/** Trades of a pool within 24 hours. Counts only the trades of one token, so that each swap counts once. */
export function poolDayQuery(chain: string, pool: string, token: string) {
  return liveQuery(["pool-day", chain, pool, token], async (signal, client): Promise<PoolDay> => {
    const until = await indexedTime(client, chain);
    const { sql } = sqlText`SELECT COUNT(*) AS trades, SUM(CASE WHEN side = 'buy' THEN 1 ELSE 0 END) AS buys,
SUM(amount_usd) AS volume_usd FROM ${table(chain, "dex_trades")}
WHERE token_address = ${token} AND pool_address = ${pool} AND timestamp > ${until - DAY_SECONDS}`;
    const [day] = (await quarry.sql<PoolDay>(sql, { signal })).rows;
    return day ?? { trades: 0, buys: 0, volume_usd: 0 };
  });
}
