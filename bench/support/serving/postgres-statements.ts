import { DAY_SECONDS } from "../../../src/lib/seconds.ts";
import { shownColumns } from "../postgres/serving.ts";

/** The prepared statement that the server runs for a request. */
export interface PostgresRoute {
  text: string;
  /** @param given parameters of the URL or the body */
  values(given: Given, now: number): unknown[];
  /** Processes the rows where SQL would be slow or long. */
  finish?(rows: Row[], given: Given, now: number): unknown;
}

export type Given = Record<string, unknown>;
export type Row = Record<string, unknown>;

const PRICE = "price_token_usd_robust_tick_1";
const TICK = "price_token_usd_tick_1";
const NEWEST = `ORDER BY "timestamp" DESC, record_index DESC`;

/**
 * Returns addresses as an array of bytea for PostgreSQL. The input is a list, or comma-separated text from a
 * URL.
 */
function addresses(given: unknown): string {
  const list = Array.isArray(given) ? given : String(given).split(",");
  return `{${list.map((address: string) => `"\\\\x${address.slice(2)}"`).join(",")}}`;
}

const address = (given: unknown): string => `\\x${String(given).slice(2)}`;
const asked = "unnest($1::bytea[]) AS asked(value)";
const hex = (column: string) => `'0x' || encode(${column}, 'hex')`;

const latest: PostgresRoute = {
  text: `SELECT ${hex("token_address")} AS token_address, token_symbol, token_name, block_number, "timestamp",
    ${hex("transaction_hash")} AS transaction_hash, price_token_eth AS price_eth, price AS price_usd
    FROM ${asked} JOIN latest ON token_address = value`,
  values: ({ token_address }) => [addresses(token_address)],
};

const end = (name: string, order: string) =>
  `CROSS JOIN LATERAL (SELECT ${PRICE} AS price_${name}, "timestamp" AS timestamp_${name}, ${hex("transaction_hash")} AS transaction_hash_${name}
    FROM dex_trades WHERE token_address = value AND ${PRICE} IS NOT NULL ORDER BY ${order} LIMIT 1) AS at_${name}`;

const allTime: PostgresRoute = {
  text: `SELECT ${hex("value")} AS token_address, at_open.*, at_high.*, at_low.*, at_close.* FROM ${asked}
    ${end("open", `"timestamp", record_index`)} ${end("high", `${PRICE} DESC, record_index`)}
    ${end("low", `${PRICE}, record_index`)} ${end("close", `"timestamp" DESC, record_index DESC`)}`,
  values: ({ token_address }) => [addresses(token_address)],
};

const inForce = (name: string, at: string, token = "value") =>
  `LEFT JOIN LATERAL (SELECT ${TICK} AS price FROM dex_trades WHERE token_address = ${token} AND "timestamp" <= ${at}
    AND ${TICK} IS NOT NULL ${NEWEST} LIMIT 1) AS ${name} ON true`;

const change: PostgresRoute = {
  text: `SELECT ${hex("value")} AS token_address, $2::integer AS timestamp_open, $3::integer AS timestamp_close,
    before.price AS price_open, after.price AS price_close, (after.price - before.price) / before.price * 100 AS change_pct,
    after.price - before.price AS change_abs FROM ${asked} ${inForce("before", "$2")} ${inForce("after", "$3")}`,
  values: ({ token_address }, now) => [addresses(token_address), now - DAY_SECONDS, now],
};

const SECONDS: Record<string, number> = { "1m": 60, "1h": 3600, "1d": DAY_SECONDS };

/** Returns the first and the last opening time, and the interval. */
function period(given: Given, now: number) {
  const interval = SECONDS[String(given.interval)] ?? DAY_SECONDS;
  const until = Number(given.until_timestamp ?? now);
  const last = Math.floor(until / interval) * interval;
  return { interval, last, first: last - (Number(given.max_size) - 1) * interval };
}

const firstBy = (order: string) =>
  `(array_agg(${PRICE} ORDER BY "timestamp" ${order}, record_index ${order}) FILTER (WHERE ${PRICE} IS NOT NULL))[1]`;

/** Route for candles. The first row is the newest price before the candles. */
const ohlc: PostgresRoute = {
  text: `SELECT * FROM ((SELECT 0 AS opened, NULL::float8 AS open, NULL::float8 AS high, NULL::float8 AS low, ${PRICE} AS close,
      0::float8 AS volume, 0 AS trades FROM dex_trades WHERE token_address = $1 AND "timestamp" < $3 AND ${PRICE} IS NOT NULL
      ${NEWEST} LIMIT 1)
    UNION ALL (SELECT "timestamp" / $2 * $2 AS opened, ${firstBy("ASC")}, max(${PRICE}), min(${PRICE}), ${firstBy("DESC")},
      sum(amount_usd), count(*)::integer FROM dex_trades WHERE token_address = $1 AND "timestamp" >= $3 AND "timestamp" < $4::integer
      GROUP BY 1)) AS candles ORDER BY opened`,
  values: (given, now) => {
    const { interval, first, last } = period(given, now);
    return [address(given.token_address), interval, first, last + interval];
  },
  finish: (rows, given, now) => ({
    token_address: given.token_address,
    data: filledCandles(rows, period(given, now)),
  }),
};

/** Returns candles, newest first. Intervals without trades repeat the close. */
function filledCandles(
  rows: readonly Row[],
  { interval, first, last }: { interval: number; first: number; last: number },
) {
  const candles: Row[] = [];
  const byTime = new Map(rows.map((row) => [row.opened, row]));
  let close = (byTime.get(0)?.close ?? null) as number | null;
  for (let opened = first; opened <= last; opened += interval) {
    const row = byTime.get(opened);
    if (row === undefined && close === null) continue;
    const [open, high, low] = [close ?? row?.open, row?.high ?? close, row?.low ?? close] as number[];
    close = (row?.close ?? close) as number | null;
    candles.push({
      timestamp_open: opened,
      timestamp_close: opened + interval - 1,
      date_open: isoTime(opened),
      date_close: isoTime(opened + interval - 1),
      price_open: open,
      price_high: Math.max(high ?? 0, open ?? 0),
      price_low: Math.min(low ?? 0, open ?? 0),
      price_close: close,
      volume: row?.volume ?? 0,
      num_trades: row?.trades ?? 0,
    });
  }
  return candles.reverse();
}

function isoTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

const TEN_DAYS = 10 * DAY_SECONDS;

const ticks: PostgresRoute = {
  text: `SELECT block_number, "timestamp", ${hex("transaction_hash")} AS transaction_hash, ${PRICE} AS price_usd,
    price_token_eth AS price_eth, amount_token FROM dex_trades WHERE token_address = $1 AND "timestamp" >= $2 AND "timestamp" <= $3
    AND ${PRICE} IS NOT NULL ${NEWEST} LIMIT $4`,
  values: ({ token_address, size }, now) => [address(token_address), now - TEN_DAYS, now, Number(size)],
};

const balance = (token: string) =>
  `(SELECT balance FROM balances WHERE wallet = pool AND token = ${token} ORDER BY record_index DESC LIMIT 1)`;

const tvl: PostgresRoute = {
  text: `SELECT ${hex("pool")} AS pool_address, swap.block_number, swap."timestamp", ${hex("token0")} AS token_0_address,
      ${hex("token1")} AS token_1_address, (balance0 / 1e18)::float8 AS token_0_balance, (balance1 / 1e18)::float8 AS token_1_balance,
      price0.price AS token_0_price_usd, price1.price AS token_1_price_usd,
      (balance0 / 1e18)::float8 * price0.price AS token_0_tvl_usd, (balance1 / 1e18)::float8 * price1.price AS token_1_tvl_usd
    FROM ${asked} JOIN pools ON pool = value
    LEFT JOIN LATERAL (SELECT reserve0, reserve1 FROM syncs WHERE syncs.pool = value ORDER BY record_index DESC LIMIT 1) AS newest ON true
    CROSS JOIN LATERAL (SELECT coalesce(reserve0, ${balance("token0")}) AS balance0, coalesce(reserve1, ${balance("token1")}) AS balance1) AS held
    LEFT JOIN LATERAL (SELECT block_number, "timestamp" FROM dex_trades WHERE pool_address = value ORDER BY record_index DESC LIMIT 1) AS swap ON true
    ${inForce("price0", "$2", "token0")} ${inForce("price1", "$2", "token1")}`,
  values: ({ pool_address }, now) => [addresses(pool_address), now],
};

const sum = (column: string, side: string) => `coalesce(sum(${column}) FILTER (WHERE side = '${side}'), 0)`;

/**
 * The query for positions. It does not apply the rule that a balance is never negative, which needs long SQL,
 * so PostgreSQL does less work than the service.
 */
const POSITIONS = `SELECT trader_address, token_address, count(*)::integer AS trades, ${sum("amount_token", "buy")} AS bought,
    ${sum("amount_usd", "buy")} AS buy_volume, ${sum("amount_token", "sell")} AS sold, ${sum("amount_usd", "sell")} AS sell_volume,
    min("timestamp") AS first_trade_timestamp, max("timestamp") AS last_trade_timestamp
  FROM dex_trades WHERE trader_address = ANY($1::bytea[]) GROUP BY trader_address, token_address`;

const wallets: PostgresRoute = {
  text: `SELECT ${hex("trader_address")} AS wallet_address, sum(trades)::integer AS total_trades, sum(buy_volume) AS total_buy_volume,
    sum(sell_volume) AS total_sell_volume, sum(greatest(bought - sold, 0) * price) AS balance_usd
    FROM (${POSITIONS}) AS positions LEFT JOIN latest USING (token_address) GROUP BY trader_address`,
  values: ({ wallet_address }) => [addresses(wallet_address)],
};

const perToken: PostgresRoute = {
  text: `SELECT ${hex("token_address")} AS token_address, token_symbol, token_name, trades AS total_trades, bought, buy_volume, sold,
    sell_volume, first_trade_timestamp, last_trade_timestamp, price AS current_price
    FROM (${POSITIONS}) AS positions LEFT JOIN latest USING (token_address)`,
  values: ({ wallet_address }) => [addresses(wallet_address)],
};

const newestOf = (table: "dex_trades" | "erc20", column: string, order: string): PostgresRoute => ({
  text: `SELECT ${shownColumns(table, "records")} FROM ${asked} CROSS JOIN LATERAL
    (SELECT * FROM ${table} WHERE ${column} = value ${order} LIMIT $2) AS records`,
  values: ({ eq, size }) => [addresses(eq), Number(size)],
});

const CHAIN_ORDER = "ORDER BY record_index DESC";

const mostTraded: PostgresRoute = {
  text: `SELECT ${hex("token_address")} AS token_address, sum(amount_usd) AS volume_usd, count(*)::integer AS trades,
    count(DISTINCT trader_address)::integer AS traders FROM dex_trades WHERE "timestamp" > $1
    GROUP BY token_address ORDER BY volume_usd DESC LIMIT 50`,
  values: (_, now) => [now - DAY_SECONDS],
};

const status: PostgresRoute = { text: "SELECT * FROM row_counts", values: () => [] };

/** Routes by path and, for top records, by `groupby`. */
export const POSTGRES_ROUTES: Record<string, PostgresRoute> = {
  "/v1/price-api/batch-latest-token-prices": latest,
  "/v1/price-api/batch-all-time-ohlc": allTime,
  "/v1/price-api/batch-latest-price-change": change,
  "/v1/price/historical/ohlc": ohlc,
  "/v1/price/historical/tick": ticks,
  "/v1/market-api/batch-latest-pool-tvl": tvl,
  "/v1/wallet-api/latest-total-performance": wallets,
  "/v1/wallet-api/batch-latest-total-performance": wallets,
  "/v1/wallet-api/latest-performance-per-token": perToken,
  "/v1/topk-api/dex-trades token_address": newestOf("dex_trades", "token_address", NEWEST),
  "/v1/topk-api/dex-trades trader_address": newestOf("dex_trades", "trader_address", CHAIN_ORDER),
  "/v1/topk-api/erc20 to_address": newestOf("erc20", "to_address", CHAIN_ORDER),
  "/v1/screener": mostTraded,
  "/v1/status": status,
};
