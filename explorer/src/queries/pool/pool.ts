import type { PoolTvl } from "@quarry/sdk";
import { ZERO_ADDRESS } from "../../format/hex.ts";
import { DAY_SECONDS, HOUR_SECONDS, parseTime } from "../../format/time.ts";
import { indexedTime } from "../chain/status.ts";
import { ROBUST_PRICE } from "../market/robust-price.ts";
import { quarry } from "../service/client.ts";
import { liveQuery, settledQuery } from "../service/live-query.ts";
import { columnsOf, listOf, sqlText, table } from "../service/sql.ts";
import { addressesIn, POOL_ROW_COLUMNS, type PoolRow, tokensOf } from "./pool-row.ts";
import type { PairTrades } from "./swap-totals.ts";

export interface PoolToken {
  address: string;
  symbol: string | null;
  /** Null if the token does not report them. */
  decimals: number | null;
}

/** The tokens of a pool: at least two. */
export type PoolTokens = readonly [PoolToken, PoolToken, ...PoolToken[]];

export interface Pool {
  chain: string;
  address: string;
  protocol: string;
  /** In millionths; null if unknown. */
  fee: number | null;
  /** Null for a pool created before the first indexed block. */
  created: { block: number; timestamp: number } | null;
  /** The known tokens: the two that every pool has, then the others. */
  tokens: PoolTokens;
  /** Whether the pool has tokens that are not known yet. */
  hasUnknownTokens: boolean;
  /** Tokens that swaps may exchange instead of the pool's own tokens. */
  underlying: readonly PoolToken[];
  /** Null if the pool has no hook. */
  hook: Hook | null;
}

/** A contract that a pool calls, for example before or after its swaps: a hook, or an Ekubo extension. */
export interface Hook {
  address: string;
  /** The permissions of the hook, as the bits that Uniswap V4 defines. */
  flags: number;
}

interface MetadataRow extends PoolRow {
  block_number_created: number | null;
  timestamp_created: string | null;
  underlying_token_addresses: string;
  hooks_address: string | null;
  hooks_flags: number | null;
}

interface TokenRow {
  token_address: string;
  token_symbol: string | null;
  decimals: number | null;
}

const COLUMNS = [
  ...POOL_ROW_COLUMNS,
  "block_number_created",
  "timestamp_created",
  "underlying_token_addresses",
  "hooks_address",
  "hooks_flags",
] as const satisfies readonly (keyof MetadataRow)[];

/** Reads a pool and its tokens; null if the pool is not indexed. */
export function poolQuery(chain: string, address: string) {
  return liveQuery(["pool", chain, address], async (signal): Promise<Pool | null> => {
    const metadata = sqlText`SELECT ${columnsOf(COLUMNS)}
FROM ${table(chain, "pool_metadata")} WHERE pool_address = ${address} LIMIT 1`;
    const [row] = (await quarry.sql<MetadataRow>(metadata.sql, { signal })).rows;
    if (row === undefined) return null;
    const [first, second, ...others] = tokensOf(row);
    const underlying = addressesIn(row.underlying_token_addresses);
    const tokenOf = await readTokens(chain, [first, second, ...others, ...underlying], signal);
    return {
      ...{ chain, address, protocol: row.protocol, fee: row.fee, created: createdIn(row) },
      tokens: [tokenOf(first), tokenOf(second), ...others.map(tokenOf)],
      hasUnknownTokens: row.token_addresses.split(",").includes(""),
      underlying: underlying.map(tokenOf),
      hook: hookIn(row),
    };
  });
}

async function readTokens(chain: string, addresses: readonly string[], signal: AbortSignal) {
  const { sql } = sqlText`SELECT token_address, token_symbol, decimals FROM ${table(chain, "token_metadata")}
WHERE token_address IN (${listOf(addresses)}) LIMIT ${addresses.length}`;
  const { rows } = await quarry.sql<TokenRow>(sql, { signal });
  const byAddress = new Map(rows.map((row) => [row.token_address, row]));
  return (address: string): PoolToken => {
    const { token_symbol: symbol = null, decimals = null } = byAddress.get(address) ?? {};
    return { address, symbol, decimals };
  };
}

function createdIn({ block_number_created: block, timestamp_created: time }: MetadataRow): Pool["created"] {
  return block === null || time === null ? null : { block, timestamp: parseTime(time) };
}

/** Returns null for a pool without a hook, whose hook address is zero. */
function hookIn({ hooks_address: address, hooks_flags: flags }: MetadataRow): Hook | null {
  return address === null || flags === null || address === ZERO_ADDRESS ? null : { address, flags };
}

/** Reads the pool's current balances and their value. */
export function poolTvlQuery(chain: string, pool: string) {
  return liveQuery(["pool-tvl", chain, pool], async (signal): Promise<PoolTvl | null> => {
    const body = { chain, pool_address: [pool], price_type: ROBUST_PRICE };
    return (await quarry.poolTvls(body, { signal })).pools[0] ?? null;
  });
}

/** How far back from the pool's newest trade to search for traded tokens, in seconds. */
const TRADED_SECONDS = HOUR_SECONDS;

/** Maximum number of traded tokens read. The most traded one is enough to choose what a page shows. */
const MAX_TRADED = 8;

/**
 * Reads which of the pool's tokens have trades in it, the most traded first. In a pool of two tokens, these
 * are both tokens, or only the one that is not cash.
 */
export function tradedTokensQuery(
  { chain, address }: Pick<Pool, "chain" | "address">,
  newestTrade: number,
  rollbacks: number,
) {
  const hour = newestTrade - (newestTrade % TRADED_SECONDS);
  return settledQuery(
    ["pool-tokens-traded", chain, address, hour, rollbacks],
    async (signal): Promise<string[]> => {
      const { sql } = sqlText`SELECT token_address, COUNT(*) AS trades FROM ${table(chain, "dex_trades")}
WHERE pool_address = ${address} AND timestamp > ${newestTrade - TRADED_SECONDS}
GROUP BY token_address ORDER BY trades DESC, token_address LIMIT ${MAX_TRADED}`;
      const { rows } = await quarry.sql<{ token_address: string }>(sql, { signal });
      return rows.map(({ token_address }) => token_address);
    },
  );
}

/** Trades of a pool within 24 hours, by pair. */
export interface DayTrades extends PairTrades {
  buys: number;
}

/**
 * Maximum number of pairs read; pairs with the highest volume come first. A pool of a vault has up to 51
 * tokens, so it cannot have more pairs. A market maker can.
 */
export const MAX_PAIRS = 2_550;

/**
 * Reads the pool's trades of the last 24 hours by pair, sorted by volume, highest first. Because of the
 * condition on the tokens, the service need not read trades of other tokens.
 */
export function poolDayQuery({ chain, address, tokens, underlying }: Pool) {
  return liveQuery(["pool-day", chain, address], async (signal, client): Promise<DayTrades[]> => {
    const until = await indexedTime(client, chain);
    const traded = listOf([...tokens, ...underlying].map((token) => token.address));
    const { sql } =
      sqlText`SELECT token_address, quote_address, COUNT(*) AS trades, SUM(amount_usd) AS volume_usd,
SUM(CASE WHEN side = 'buy' THEN 1 ELSE 0 END) AS buys FROM ${table(chain, "dex_trades")}
WHERE token_address IN (${traded}) AND pool_address = ${address} AND timestamp > ${until - DAY_SECONDS}
GROUP BY token_address, quote_address ORDER BY volume_usd DESC LIMIT ${MAX_PAIRS}`;
    return (await quarry.sql<DayTrades>(sql, { signal })).rows;
  });
}
