import { vaultPoolOf } from "../schema/events/vault-events.ts";
import type { Rows, TableName } from "../schema/tables.ts";

/** The columns that contain the tokens and pools whose prices or state a row may change. */
const SUBJECTS = [
  ["dex_trades", "token_address"],
  ["dex_trades", "pool_address"],
  ["token_balances", "wallet_address"],
  ["logs", "address"],
  ["singleton_logs", "topic_1"],
  ["pool_metadata", "pool_address"],
  ["token_metadata", "token_address"],
] as const satisfies readonly [TableName, string][];

/**
 * Returns the addresses and pool ids whose prices, candles or state the rows of a commit may have changed.
 */
export function subjectsOf(rows: Rows): ReadonlySet<unknown> {
  const subjects = new Set<unknown>();
  for (const [table, column] of SUBJECTS) {
    const listed: readonly Readonly<Record<string, unknown>>[] = rows[table] ?? [];
    for (const row of listed) subjects.add(row[column]);
  }
  // A Vault emits the events of its pools, so the address of such a log is the Vault's, not the pool's.
  for (const row of rows.logs ?? []) {
    const pool = vaultPoolOf(row);
    if (pool !== null) subjects.add(pool);
  }
  return subjects;
}
