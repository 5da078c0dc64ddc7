import type { ScreenedPool, ScreenedToken, ScreenerParams } from "@quarry/sdk";
import { keepPreviousData } from "@tanstack/react-query";
import { visibleText } from "../../format/visible-text.ts";
import { quarry } from "../service/client.ts";
import { liveQuery } from "../service/live-query.ts";

export const SCREEN_KINDS = ["token", "pool"] as const;
export const SCREEN_WINDOWS = ["5m", "1h", "6h", "24h", "7d"] as const;
export const SCREEN_SORTS = [
  "volume_usd",
  "trades",
  "traders",
  "price_change_pct",
  "liquidity_usd",
  "created_timestamp",
] as const;

export type ScreenKind = (typeof SCREEN_KINDS)[number];
export type ScreenWindow = (typeof SCREEN_WINDOWS)[number];
export type ScreenSort = (typeof SCREEN_SORTS)[number];

/** Maximum number of rows shown in a list. */
export const SCREEN_ROWS = 50;

/** A token or pool in a list. */
export interface ScreenRow {
  kind: ScreenKind;
  address: string;
  rank: number;
  /** The token, or the tokens of the pool. */
  tokens: readonly { address: string; symbol: string | null }[];
  /** Name of a token; null for a pool. */
  name: string | null;
  /** Protocol and fee of a pool; null for a token. */
  pool: { protocol: string; fee: number | null } | null;
  priceUsd: number | null;
  changePct: number | null;
  volumeUsd: number | null;
  trades: number;
  traders: number;
  liquidityUsd: number | null;
  createdAt: number | null;
  isSpam: boolean;
}

/** The shown rows of a list, and the counts of all rows and of hidden rows. */
export interface Screen {
  rows: ScreenRow[];
  /** Number of rows in the whole list. */
  total: number;
  hiddenSpam: number;
  hiddenWash: number;
  /** Whether more tokens or pools match than a list can have. */
  isLimited: boolean;
}

/** Reads a list of a chain with each block. The previous list stays until the next one is loaded. */
export function screenerQuery(chain: string, parameters: ScreenerParams) {
  const query = liveQuery(["screener", chain, parameters], async (signal): Promise<Screen> => {
    const { tokens, pools, total, limited, ...hidden } = await quarry.screener(
      { ...parameters, chain },
      { signal },
    );
    const rows = [...tokens.map(tokenRow), ...pools.map(poolRow)];
    return {
      rows: rows.map((row, i) => ({ ...row, rank: i + 1 })),
      ...{ total, hiddenSpam: hidden.hidden_spam, hiddenWash: hidden.hidden_wash, isLimited: limited },
    };
  });
  return { ...query, placeholderData: keepPreviousData };
}

type UnrankedRow = Omit<ScreenRow, "rank">;

function tokenRow(token: ScreenedToken): UnrankedRow {
  const { token_address: address, token_symbol: symbol, token_name } = token;
  const name = token_name === null ? null : visibleText(token_name);
  return { kind: "token", address, tokens: [{ address, symbol }], name, pool: null, ...figuresOf(token) };
}

function poolRow(pool: ScreenedPool): UnrankedRow {
  const { pool_address: address, protocol, fee, token_addresses, token_symbols } = pool;
  const tokens = token_addresses.map((token, i) => ({ address: token, symbol: token_symbols[i] ?? null }));
  return { kind: "pool", address, tokens, name: null, pool: { protocol, fee }, ...figuresOf(pool) };
}

function figuresOf(row: ScreenedToken | ScreenedPool) {
  return {
    ...{ priceUsd: row.price_usd, changePct: row.price_change_pct },
    ...{ volumeUsd: row.volume_usd, trades: row.trades, traders: row.traders },
    ...{ liquidityUsd: row.liquidity_usd, createdAt: row.created_timestamp },
    isSpam: row.spam_reasons !== null,
  };
}
