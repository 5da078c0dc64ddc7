import { quarry } from "../service/client.ts";
import { settledQuery } from "../service/live-query.ts";
import { listOf, type SqlText, sqlText, table } from "../service/sql.ts";

export const MAX_HOLDERS = 100;

export interface Holder {
  wallet: string;
  /** In the token's smallest unit. */
  base: string;
  isPool: boolean;
  changedAt: string;
}

export interface Holders {
  /** Sorted by balance, highest first. */
  holders: Holder[];
  /** Number of addresses with a balance above zero. */
  count: number;
  /** Number of addresses whose balance cannot be derived from transfers. */
  unknown: number;
  /** Sum of all known balances in the token's smallest unit; null if there are none. */
  sum: string | null;
}

interface HolderRow {
  wallet_address: string;
  balance_base: string;
  timestamp: string;
}

/**
 * Reads the largest holders of a token. Refreshed after each rollback, but not with each block, because it
 * reads all balances.
 */
export function tokenHoldersQuery(chain: string, token: string, rollbacks: number) {
  return settledQuery(["token holders", chain, token, rollbacks], async (signal): Promise<Holders> => {
    const [largest, figures] = await Promise.all([
      quarry.sql<HolderRow>(holdersSql(chain, token).sql, { signal }),
      quarry.sql<{ count: number; unknown: number; total: string | null }>(figuresSql(chain, token).sql, {
        signal,
      }),
    ]);
    const wallets = largest.rows.map(({ wallet_address }) => wallet_address);
    const pools = await readPoolsAmong(chain, wallets, signal);
    const holders = largest.rows.map(
      (row): Holder => ({
        wallet: row.wallet_address,
        base: row.balance_base,
        isPool: pools.has(row.wallet_address),
        changedAt: row.timestamp,
      }),
    );
    const [found] = figures.rows;
    return { holders, count: found?.count ?? 0, unknown: found?.unknown ?? 0, sum: found?.total ?? null };
  });
}

/** Returns the SQL that reads the largest balances. */
export function holdersSql(chain: string, token: string): SqlText {
  return sqlText`SELECT wallet_address, balance_base, timestamp FROM ${table(chain, "token_balances")}
WHERE token_address = ${token} AND balance_base > 0
ORDER BY balance_base DESC LIMIT ${MAX_HOLDERS}`;
}

function figuresSql(chain: string, token: string): SqlText {
  return sqlText`SELECT COUNT(CASE WHEN balance_base > 0 THEN 1 END) AS count,
COUNT(CASE WHEN balance_base IS NULL THEN 1 END) AS unknown, SUM(balance_base) AS total
FROM ${table(chain, "token_balances")} WHERE token_address = ${token}`;
}

async function readPoolsAmong(chain: string, wallets: readonly string[], signal: AbortSignal) {
  if (wallets.length === 0) return new Set<string>();
  const { sql } = sqlText`SELECT pool_address FROM ${table(chain, "pool_metadata")}
WHERE pool_address IN (${listOf(wallets)}) LIMIT ${MAX_HOLDERS}`;
  const { rows } = await quarry.sql<{ pool_address: string }>(sql, { signal });
  return new Set(rows.map(({ pool_address }) => pool_address));
}
