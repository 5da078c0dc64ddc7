import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { DAY_SECONDS } from "../../format/time.ts";
import { ROBUST_PRICE } from "../market/robust-price.ts";
import { POOL_ROW_COLUMNS, type PoolRow, tokensOf } from "../pool/pool-row.ts";
import { type PairTrades, swapTotals } from "../pool/swap-totals.ts";
import { quarry } from "../service/client.ts";
import { columnsOf, listOf, type SqlText, sqlText, table } from "../service/sql.ts";
import { readSymbols } from "./symbols.ts";

/** Maximum number of pools read per token: first the most traded of the day, then the oldest. */
export const MAX_POOLS = 100;

export interface TokenPool {
  address: string;
  protocol: string;
  /** In millionths; null if unknown. */
  fee: number | null;
  /** The pool's tokens, the page's token first. */
  tokens: PoolToken[];
  tvlUsd: number | null;
  liquidityUsd: number | null;
  /** Volume of the pool's swaps within 24 hours. */
  volumeUsd: number | null;
  trades: number;
  /**
   * Whether all trades of the day count as trades of the other token, because the page's token is only the
   * payment.
   */
  isPaidWith: boolean;
}

export interface PoolToken {
  address: string;
  symbol: string | null;
}

export interface TokenPools {
  /** Sorted by TVL, highest first. */
  pools: TokenPool[];
  /** Number of pools of the token, including pools that are not listed. */
  count: number;
}

interface VolumeRow extends PairTrades {
  pool_address: string;
}

interface PoolsOptions {
  chain: string;
  token: string;
  until: number;
  signal: AbortSignal;
}

/** Reads a token's pools with their TVL and 24-hour volume as of a time. */
export function tokenPoolsQuery(chain: string, token: string, until: number) {
  return queryOptions({
    queryKey: ["token pools", chain, token, until],
    queryFn: ({ signal }) => readPools({ chain, token, until, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

async function readPools(options: PoolsOptions): Promise<TokenPools> {
  const { chain, signal } = options;
  const [rows, count] = await Promise.all([readMetadata(options), countPools(options)]);
  if (rows.length === 0) return { pools: [], count };
  const pool_address = rows.map((row) => row.pool_address);
  const tokens = new Set(rows.flatMap(tokensOf));
  const tvlRequest = { chain, pool_address, timestamp: options.until, price_type: ROBUST_PRICE };
  const [tvls, volumes, symbols] = await Promise.all([
    quarry.poolTvls(tvlRequest, { signal }),
    readVolumes(options, pool_address),
    readSymbols(chain, [...tokens], signal),
  ]);
  const tvlOf = new Map(tvls.pools.map((tvl) => [tvl.pool_address, tvl]));
  const pools = rows.map((row): TokenPool => {
    const others = tokensOf(row).filter((address) => address !== options.token);
    const labelOf = (address: string) => ({ address, symbol: symbols.get(address) ?? null });
    return {
      address: row.pool_address,
      protocol: row.protocol,
      fee: row.fee,
      tokens: [options.token, ...others].map(labelOf),
      tvlUsd: tvlOf.get(row.pool_address)?.tvl_usd ?? null,
      liquidityUsd: tvlOf.get(row.pool_address)?.liquidity_usd ?? null,
      ...volumeOf(row.pool_address, volumes, options.token),
    };
  });
  return { pools: pools.toSorted((a, b) => (b.tvlUsd ?? -1) - (a.tvlUsd ?? -1)), count };
}

async function readMetadata(options: PoolsOptions): Promise<PoolRow[]> {
  const { chain, token, signal } = options;
  const busiest = await readBusiest(options);
  const columns = columnsOf(POOL_ROW_COLUMNS);
  const pools = table(chain, "pool_metadata");
  const byVolume = sqlText`SELECT ${columns} FROM ${pools} WHERE pool_address IN (${listOf(busiest)}) LIMIT ${MAX_POOLS}`;
  const oldest = sqlText`SELECT ${columns} FROM ${pools}
WHERE ${hasToken(token)} ORDER BY record_index LIMIT ${MAX_POOLS}`;
  const parts = await Promise.all([
    busiest.length === 0 ? { rows: [] } : quarry.sql<PoolRow>(byVolume.sql, { signal }),
    quarry.sql<PoolRow>(oldest.sql, { signal }),
  ]);
  const byAddress = new Map(parts.flatMap(({ rows }) => rows).map((row) => [row.pool_address, row]));
  return [...byAddress.values()].slice(0, MAX_POOLS);
}

/**
 * Reads the most traded pools. All swaps in a pool count, including swaps in which the token is the payment.
 */
async function readBusiest({ chain, token, signal }: PoolsOptions): Promise<string[]> {
  const { pools } = await quarry.screener(
    { chain, kind: "pool", window: "24h", token_address: [token], size: MAX_POOLS, show_spam: true },
    { signal },
  );
  return pools.map(({ pool_address }) => pool_address);
}

async function countPools({ chain, token, signal }: PoolsOptions): Promise<number> {
  const { sql } = sqlText`SELECT COUNT(*) AS count FROM ${table(chain, "pool_metadata")}
WHERE ${hasToken(token)}`;
  return (await quarry.sql<{ count: number }>(sql, { signal })).rows[0]?.count ?? 0;
}

/** Returns the condition for pools with a token. The column lists all tokens of a pool, in lower case. */
function hasToken(token: string): SqlText {
  return sqlText`token_addresses LIKE ${`%${token}%`}`;
}

/**
 * Maximum number of token pairs read; pairs with the highest volume come first. Most pools have at most two.
 */
const MAX_PAIRS = 50 * MAX_POOLS;

async function readVolumes(
  { chain, until, signal }: PoolsOptions,
  pools: readonly string[],
): Promise<VolumeRow[]> {
  const { sql } =
    sqlText`SELECT pool_address, token_address, quote_address, SUM(amount_usd) AS volume_usd, COUNT(*) AS trades
FROM ${table(chain, "dex_trades")}
WHERE pool_address IN (${listOf(pools)}) AND timestamp > ${until - DAY_SECONDS} AND timestamp <= ${until}
GROUP BY pool_address, token_address, quote_address ORDER BY volume_usd DESC LIMIT ${MAX_PAIRS}`;
  return (await quarry.sql<VolumeRow>(sql, { signal })).rows;
}

function volumeOf(pool: string, volumes: readonly VolumeRow[], token: string) {
  const pairs = volumes.filter(({ pool_address }) => pool_address === pool);
  const isPaidWith = pairs.length > 0 && pairs.every(({ token_address }) => token_address !== token);
  return { ...swapTotals(pairs), isPaidWith };
}
