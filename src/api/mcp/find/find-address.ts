import { poolsAt } from "./find-pools.ts";
import { type Found, found } from "./found.ts";
import { type Search, sqlText } from "./sql-text.ts";

/** What an address is: a pool, a token, a wallet, or several of them; many pools are the token of their shares. */
export async function findAddress(address: string, search: Search): Promise<Found[]> {
  const [pools, tokens] = await Promise.all([poolsAt(address, search), tokensAt(address, search)]);
  const contracts = [...pools, ...tokens];
  return [...contracts, ...(await walletsAt(address, contracts.length > 0, search))];
}

/** What a 32-byte hash is: the id of a pool, or a transaction. */
export async function findHash(hash: string, search: Search): Promise<Found[]> {
  const [pools, transactions] = await Promise.all([
    poolsAt(hash, search),
    search.rows<{ block_number: number; timestamp: string }>(
      sqlText`SELECT block_number, timestamp FROM ${search.table("transactions")}
        WHERE transaction_hash = ${hash} LIMIT 1`,
    ),
  ]);
  const sent = transactions.map(({ block_number, timestamp }) =>
    found("transaction", hash, { detail: `block ${block_number}, ${timestamp}` }),
  );
  return [...pools, ...sent];
}

async function tokensAt(address: string, search: Search): Promise<Found[]> {
  const rows = await search.rows<{ symbol: string | null; name: string | null; spam: string | null }>(
    sqlText`SELECT token_symbol AS symbol, token_name AS name, spam_reasons AS spam
      FROM ${search.table("token_metadata")} WHERE token_address = ${address} LIMIT 1`,
  );
  return rows.map((row) => found("token", address, row));
}

/** An address counts as a wallet if it sent a transaction, or holds tokens and is neither token nor pool. */
async function walletsAt(address: string, isContract: boolean, search: Search): Promise<Found[]> {
  const [sent, held] = await Promise.all([
    search.rows(
      sqlText`SELECT transaction_hash FROM ${search.table("transactions")}
        WHERE from_address = ${address} LIMIT 1`,
    ),
    search.rows(
      sqlText`SELECT token_address FROM ${search.table("token_balances")}
        WHERE wallet_address = ${address} LIMIT 1`,
    ),
  ]);
  if (sent.length === 0 && (held.length === 0 || isContract)) return [];
  return [found("wallet", address, { detail: sent.length > 0 ? "sent transactions" : "holds tokens" })];
}
