import type { RawTable } from "../../../queries/chain/stored-rows.ts";
import { type SqlText, sqlText, table } from "../../../queries/service/sql.ts";

export interface ExampleQuery {
  title: string;
  query: string;
}

/** The chain and the token that the example queries are about. */
export interface ExampleSubject {
  chain: string;
  /** A token with trades. Its address is used, because any token may have the same symbol. */
  token: { address: string; name: string };
}

/**
 * Returns common queries on the tables that the chain stores, limited by time or LIMIT so that each is fast
 * even on a large index.
 */
export function exampleQueries(
  { chain, token }: ExampleSubject,
  stores: (table: RawTable) => boolean = () => true,
): ExampleQuery[] {
  const tableOf = (name: string) => unquotedTable(chain, name);
  const trades = tableOf("dex_trades");
  const examples: (ExampleQuery & { needs?: RawTable })[] = [
    {
      title: "Volume and trades by hour",
      query:
        sqlText`SELECT HISTOGRAM(timestamp, INTERVAL 1 HOUR) AS hour, SUM(amount_usd) AS volume_usd, COUNT(*) AS trades
FROM ${trades}
WHERE timestamp >= NOW() - INTERVAL 7 DAYS
GROUP BY hour ORDER BY hour`.sql,
    },
    {
      title: "Most traded tokens of the last day",
      query:
        sqlText`SELECT token_address, LAST(token_symbol, record_index) AS symbol, SUM(amount_usd) AS volume_usd,
  COUNT(*) AS trades, COUNT(DISTINCT trader_address) AS traders
FROM ${trades}
WHERE timestamp >= NOW() - INTERVAL 1 DAY
GROUP BY token_address ORDER BY volume_usd DESC LIMIT 20`.sql,
    },
    {
      title: "Largest trades of the last hour",
      query:
        sqlText`SELECT timestamp, token_address, token_symbol, side, amount_usd, trader_address, transaction_hash
FROM ${trades}
WHERE timestamp >= NOW() - INTERVAL 1 HOUR
ORDER BY amount_usd DESC LIMIT 100`.sql,
    },
    {
      title: `Hourly candles of ${token.name}`,
      query: sqlText`SELECT HISTOGRAM(timestamp, INTERVAL 1 HOUR) AS hour,
  FIRST(price_token_usd_robust_tick_1, record_index) AS open, MAX(price_token_usd_robust_tick_1) AS high,
  MIN(price_token_usd_robust_tick_1) AS low, LAST(price_token_usd_robust_tick_1, record_index) AS close
FROM ${trades}
WHERE token_address = ${token.address} AND timestamp >= NOW() - INTERVAL 7 DAYS
GROUP BY hour ORDER BY hour`.sql,
    },
    {
      title: "Wallets with the highest volume",
      query: sqlText`SELECT trader_address, COUNT(*) AS trades, SUM(amount_usd) AS volume_usd,
  COUNT(DISTINCT token_address) AS tokens
FROM ${trades}
WHERE timestamp >= NOW() - INTERVAL 1 DAY
GROUP BY trader_address ORDER BY volume_usd DESC LIMIT 50`.sql,
    },
    {
      title: "Buy and sell volume by hour",
      query: sqlText`SELECT HISTOGRAM(timestamp, INTERVAL 1 HOUR) AS hour, side, SUM(amount_usd) AS volume_usd
FROM ${trades}
WHERE timestamp >= NOW() - INTERVAL 2 DAYS
GROUP BY hour, side ORDER BY hour, side`.sql,
    },
    {
      title: "Price outliers",
      query:
        sqlText`SELECT timestamp, token_address, token_symbol, pool_address, amount_usd, price_token_usd_tick_1,
  price_token_usd_robust_total_1h, transaction_hash
FROM ${trades}
WHERE price_token_usd_robust_tick_1 IS NULL AND amount_usd >= 1 AND timestamp >= NOW() - INTERVAL 7 DAYS
ORDER BY timestamp DESC LIMIT 100`.sql,
    },
    {
      title: "Gas, base fee, transactions by hour",
      query:
        sqlText`SELECT HISTOGRAM(timestamp, INTERVAL 1 HOUR) AS hour, AVG(base_fee_per_gas) AS base_fee_wei,
  SUM(gas_used) AS gas_used, SUM(transaction_count) AS transactions
FROM ${tableOf("blocks")}
WHERE timestamp >= NOW() - INTERVAL 7 DAYS
GROUP BY hour ORDER BY hour`.sql,
    },
    {
      title: "Largest token transfers of the last day",
      needs: "erc20",
      query:
        sqlText`SELECT timestamp, token_address, token_symbol, value_token, value_usd, from_address, to_address, transaction_hash
FROM ${tableOf("erc20")}
WHERE timestamp >= NOW() - INTERVAL 1 DAY
ORDER BY value_usd DESC LIMIT 100`.sql,
    },
    {
      title: `Holders of ${token.name}, largest first`,
      query: sqlText`SELECT wallet_address, balance_token, balance_base
FROM ${tableOf("token_balances")}
WHERE token_address = ${token.address}
ORDER BY balance_token DESC LIMIT 50`.sql,
    },
    {
      title: "Newest pools",
      query: sqlText`SELECT timestamp_created, pool_address, protocol, fee, token_0_address, token_1_address
FROM ${tableOf("pool_metadata")}
ORDER BY timestamp_created DESC LIMIT 50`.sql,
    },
    {
      title: "Failed transactions by contract",
      needs: "transactions",
      query: sqlText`SELECT to_address, method_id, COUNT(*) AS failed, SUM(transaction_fee_usd) AS fees_usd
FROM ${tableOf("transactions")}
WHERE status = 0 AND timestamp >= NOW() - INTERVAL 1 DAY
GROUP BY to_address, method_id ORDER BY failed DESC LIMIT 50`.sql,
    },
  ];
  return examples
    .filter(({ needs }) => needs === undefined || stores(needs))
    .map(({ title, query }) => ({ title, query }));
}

/** Returns a table's name, without quotes if it does not need them. */
function unquotedTable(chain: string, name: string): SqlText {
  return /^[a-z_][a-z0-9_]*$/.test(chain) ? { sql: `${chain}_${name}` } : table(chain, name);
}
