import type { TableName } from "../../../schema/tables.ts";
import { type ChainSearch, type SqlText, sqlText } from "./chain-search.ts";
import { poolFound, tokenFound } from "./find-named.ts";
import { type Found, found } from "./found.ts";

/**
 * Identifies an address: as a pool, a token, a wallet, or several of these. Many pools are also the token of
 * their own shares.
 */
export async function findAddress(address: string, search: ChainSearch): Promise<Found[]> {
  const { pools, tokens } = await search.matches(address, "all");
  const contracts = [...pools.map(poolFound), ...tokens.map(tokenFound)].filter(({ id }) => id === address);
  return [...contracts, ...(await walletsAt(address, contracts.length > 0, search))];
}

/** Returns the pool at an address, then the pools of the token at that address. */
export async function findPoolsOf(address: string, search: ChainSearch): Promise<Found[]> {
  const pools = (await search.matches(address, "pool")).pools.map(poolFound);
  return [...pools.filter(({ id }) => id === address), ...pools.filter(({ id }) => id !== address)];
}

/** Identifies a 32-byte hash: as the id of a pool, or the hash of a transaction. */
export async function findHash(hash: string, search: ChainSearch): Promise<Found[]> {
  const [{ pools }, transactions] = await Promise.all([
    search.matches(hash, "pool"),
    firstRow<{ block_number: number; timestamp: string }>(search, ["transactions", "dex_trades"], (table) => {
      return sqlText`SELECT block_number, timestamp FROM ${table} WHERE transaction_hash = ${hash} LIMIT 1`;
    }),
  ]);
  const sent = transactions.map(({ block_number, timestamp }) =>
    found("transaction", hash, { detail: `block ${block_number}, ${timestamp}` }),
  );
  return [...pools.map(poolFound), ...sent];
}

/**
 * Returns the first row of the first table in which the query finds one, or no row. Skips tables that are not
 * stored.
 */
async function firstRow<Row>(
  search: ChainSearch,
  tables: readonly TableName[],
  query: (table: SqlText) => SqlText,
): Promise<Row[]> {
  for (const table of tables) {
    const rows = (await search.isKept(table)) ? await search.rows<Row>(query(search.table(table))) : [];
    if (rows.length > 0) return rows;
  }
  return [];
}

/**
 * Returns the address if it is a wallet: if it sent a transaction, or if it holds tokens and is neither a
 * token nor a pool. If transactions are not stored, only trades show that it sent one.
 */
async function walletsAt(address: string, isContract: boolean, search: ChainSearch): Promise<Found[]> {
  const [sent, traded, held] = await Promise.all([
    firstRow(search, ["transactions"], (table) => {
      return sqlText`SELECT transaction_hash FROM ${table} WHERE from_address = ${address} LIMIT 1`;
    }),
    firstRow(search, ["dex_trades"], (table) => {
      return sqlText`SELECT transaction_hash FROM ${table} WHERE trader_address = ${address} LIMIT 1`;
    }),
    search.rows(
      sqlText`SELECT token_address FROM ${search.table("token_balances")}
        WHERE wallet_address = ${address} LIMIT 1`,
    ),
  ]);
  const hasSent = sent.length > 0 || traded.length > 0;
  if (!hasSent && (held.length === 0 || isContract)) return [];
  return [found("wallet", address, { detail: hasSent ? "sent transactions" : "holds tokens" })];
}
