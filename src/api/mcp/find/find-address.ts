import { type ChainSearch, sqlText } from "./chain-search.ts";
import { poolFound, tokenFound } from "./find-named.ts";
import { type Found, found } from "./found.ts";

/**
 * Finds out what an address is: a pool, a token, a wallet, or several of them; many pools are the token of
 * their own shares.
 */
export async function findAddress(address: string, search: ChainSearch): Promise<Found[]> {
  const { pools, tokens } = await search.matches(address, "all");
  const contracts = [...pools.map(poolFound), ...tokens.map(tokenFound)].filter(({ id }) => id === address);
  return [...contracts, ...(await walletsAt(address, contracts.length > 0, search))];
}

/** Finds the pool at an address, then the pools of the token at that address. */
export async function findPoolsOf(address: string, search: ChainSearch): Promise<Found[]> {
  const pools = (await search.matches(address, "pool")).pools.map(poolFound);
  return [...pools.filter(({ id }) => id === address), ...pools.filter(({ id }) => id !== address)];
}

/** Finds out what a 32-byte hash is: the id of a pool, or the hash of a transaction. */
export async function findHash(hash: string, search: ChainSearch): Promise<Found[]> {
  const [{ pools }, transactions] = await Promise.all([
    search.matches(hash, "pool"),
    search.rows<{ block_number: number; timestamp: string }>(
      sqlText`SELECT block_number, timestamp FROM ${search.table("transactions")}
        WHERE transaction_hash = ${hash} LIMIT 1`,
    ),
  ]);
  const sent = transactions.map(({ block_number, timestamp }) =>
    found("transaction", hash, { detail: `block ${block_number}, ${timestamp}` }),
  );
  return [...pools.map(poolFound), ...sent];
}

/**
 * Finds wallets: an address counts as one if it sent a transaction, or holds tokens and is neither a token
 * nor a pool.
 */
async function walletsAt(address: string, isContract: boolean, search: ChainSearch): Promise<Found[]> {
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
