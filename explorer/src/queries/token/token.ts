import { shareOf } from "../../format/number.ts";
import { DAY_SECONDS } from "../../format/time.ts";
import { indexedTime } from "../chain/status.ts";
import { LOOKBACKS, type Lookback, type MarketFigures } from "../market/market.ts";
import { ROBUST_PRICE } from "../market/robust-price.ts";
import { quarry } from "../service/client.ts";
import { liveQuery } from "../service/live-query.ts";
import { sqlText, table } from "../service/sql.ts";

/** The token at an address. */
export interface TokenIdentity {
  /** Null if the token is not indexed. */
  token: { name: string | null; symbol: string | null; decimals: number | null; firstBlock: number } | null;
  /** Whether the token represents shares of a pool, which has the same address. */
  isPool: boolean;
}

interface MetadataRow {
  token_name: string | null;
  token_symbol: string | null;
  decimals: number | null;
  first_seen_block_number: number;
}

export function tokenIdentityQuery(chain: string, address: string) {
  return liveQuery(["token", chain, address], async (signal): Promise<TokenIdentity> => {
    const metadata = sqlText`SELECT token_name, token_symbol, decimals, first_seen_block_number FROM ${table(chain, "token_metadata")}
WHERE token_address = ${address} LIMIT 1`;
    const pool = sqlText`SELECT pool_address FROM ${table(chain, "pool_metadata")} WHERE pool_address = ${address} LIMIT 1`;
    const [tokens, pools] = await Promise.all([
      quarry.sql<MetadataRow>(metadata.sql, { signal }),
      quarry.sql(pool.sql, { signal }),
    ]);
    const [row] = tokens.rows;
    const token = row && {
      name: row.token_name,
      symbol: row.token_symbol,
      decimals: row.decimals,
      firstBlock: row.first_seen_block_number,
    };
    return { token: token ?? null, isPool: pools.rows.length > 0 };
  });
}

/** Reads the current price: the price of the newest trade that is not an outlier. */
export function tokenPriceQuery(chain: string, address: string) {
  return liveQuery(["token price", chain, address], async (signal) => {
    const request = { chain, token_address: [address], price_type: ROBUST_PRICE };
    return (await quarry.latestPrices(request, { signal })).prices[0];
  });
}

/** Reads the relative changes of the robust price up to the newest block (0.01 is 1 %). */
export function tokenChangesQuery(chain: string, address: string) {
  return liveQuery(["token changes", chain, address], async (signal, client) => {
    const timestamp = await indexedTime(client, chain);
    const changeOver = async (lookback: Lookback) => {
      const request = { chain, token_address: [address], timestamp, lookback, price_type: ROBUST_PRICE };
      const [change] = (await quarry.priceChanges(request, { signal })).changes;
      return { lookback, share: shareOf(change?.change_pct) };
    };
    return Promise.all(LOOKBACKS.map(changeOver));
  });
}

export function tokenAllTimeQuery(chain: string, address: string) {
  return liveQuery(["token all time", chain, address], async (signal) => {
    const request = { chain, token_address: [address], price_type: ROBUST_PRICE };
    return (await quarry.allTimePrices(request, { signal })).prices[0];
  });
}

/** Reads the volume, trades and traders of the 24 hours before the newest block. */
export function tokenDayQuery(chain: string, address: string) {
  return liveQuery(["token day", chain, address], async (signal, client): Promise<MarketFigures> => {
    const since = (await indexedTime(client, chain)) - DAY_SECONDS;
    const { sql } =
      sqlText`SELECT SUM(amount_usd) AS volume_usd, COUNT(*) AS trades, COUNT(DISTINCT trader_address) AS traders
FROM ${table(chain, "dex_trades")} WHERE token_address = ${address} AND timestamp > ${since}`;
    const [row] = (await quarry.sql<MarketFigures>(sql, { signal })).rows;
    return row ?? { volume_usd: null, trades: 0, traders: 0 };
  });
}
