import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { shortHex } from "../../format/hex.ts";
import { formatCount } from "../../format/number.ts";
import { poolName, protocolName } from "../../format/pool.ts";
import { formatTime, parseTime } from "../../format/time.ts";
import { indexedTime } from "../chain/status.ts";
import { POOL_ROW_COLUMNS, type PoolRow, tokensOf } from "../pool/pool-row.ts";
import { columnsOf, type SqlText, sqlText, table } from "../service/sql.ts";
import { readSymbols } from "../token/symbols.ts";
import { findPairs } from "./find-pairs.ts";
import { findTokens, tokensAt } from "./find-tokens.ts";
import { rowsOf, type SearchScope } from "./scope.ts";
import type { SearchResult } from "./search-result.ts";
import { parsePair, parseSearchTerm, type SearchTerm } from "./search-term.ts";

/** How long results are reused without another request. */
const FRESH_MS = 30_000;

/** A chain's results for the typed text, most likely first. */
export function searchQuery(chain: string, typed: string) {
  const term = parseSearchTerm(typed);
  return queryOptions({
    queryKey: ["search", chain, term],
    queryFn: async ({ signal, client }: { signal: AbortSignal; client: QueryClient }) => {
      if (term === null) return [];
      return find(term, { chain, until: await indexedTime(client, chain), signal });
    },
    staleTime: FRESH_MS,
    enabled: term !== null,
  });
}

async function find(term: SearchTerm, scope: SearchScope): Promise<SearchResult[]> {
  switch (term.kind) {
    case "address":
      return findAddress(term.address, scope);
    case "hash":
      return findHash(term.hash, scope);
    case "block":
      return (await Promise.all([findBlock(term.number, scope), findTokens(term.text, scope)])).flat();
    case "name":
      return findNamed(term.text, scope);
  }
}

/** Two words may be a pair of tokens or one name. */
async function findNamed(text: string, scope: SearchScope): Promise<SearchResult[]> {
  const pair = parsePair(text);
  return (await Promise.all([pair === null ? [] : findPairs(pair, scope), findTokens(text, scope)])).flat();
}

async function findAddress(address: string, scope: SearchScope): Promise<SearchResult[]> {
  // Many pools are also the token of their own shares; the pool comes first.
  const found = await Promise.all([poolsAt(address, scope), tokensAt(address, scope)]);
  const contracts = found.flat();
  return [...contracts, ...(await walletsAt(address, { scope, isContract: contracts.length > 0 }))];
}

async function poolsAt(address: string, scope: SearchScope): Promise<SearchResult[]> {
  const { chain, signal } = scope;
  const columns = columnsOf(POOL_ROW_COLUMNS);
  const [pool] = await rowsOf<PoolRow>(
    sqlText`SELECT ${columns} FROM ${table(chain, "pool_metadata")} WHERE pool_address = ${address} LIMIT 1`,
    scope,
  );
  if (pool === undefined) return [];
  const tokens = tokensOf(pool);
  const symbols = await readSymbols(chain, tokens, signal);
  const title = poolName(tokens.map((token) => ({ address: token, symbol: symbols.get(token) ?? null })));
  return [{ kind: "pool", chain, id: address, title, detail: protocolName(pool.protocol), volumeUsd: null }];
}

/**
 * An address counts as a wallet if it sent a transaction, or holds tokens and is neither a token nor a pool.
 */
async function walletsAt(
  address: string,
  { scope, isContract }: { scope: SearchScope; isContract: boolean },
): Promise<SearchResult[]> {
  const { chain } = scope;
  const [sent, held] = await Promise.all([
    rowsOf(
      sqlText`SELECT transaction_hash FROM ${table(chain, "transactions")} WHERE from_address = ${address} LIMIT 1`,
      scope,
    ),
    rowsOf(
      sqlText`SELECT token_address FROM ${table(chain, "token_balances")} WHERE wallet_address = ${address} LIMIT 1`,
      scope,
    ),
  ]);
  if (sent.length === 0 && (held.length === 0 || isContract)) return [];
  const detail = sent.length > 0 ? "sent transactions" : "holds tokens";
  return [{ kind: "wallet", chain, id: address, title: shortHex(address), detail, volumeUsd: null }];
}

async function findHash(hash: string, scope: SearchScope): Promise<SearchResult[]> {
  const found = await Promise.all([
    transactionsAt(hash, scope),
    poolsAt(hash, scope),
    blocksWhere(sqlText`block_hash = ${hash}`, scope),
  ]);
  return found.flat();
}

async function transactionsAt(hash: string, scope: SearchScope): Promise<SearchResult[]> {
  const { chain } = scope;
  const [transaction] = await rowsOf<{ block_number: number; timestamp: string }>(
    sqlText`SELECT block_number, timestamp FROM ${table(chain, "transactions")}
      WHERE transaction_hash = ${hash} LIMIT 1`,
    scope,
  );
  if (transaction === undefined) return [];
  const detail = `block ${formatCount(transaction.block_number)}, ${timeOf(transaction.timestamp)}`;
  return [{ kind: "transaction", chain, id: hash, title: shortHex(hash), detail, volumeUsd: null }];
}

function findBlock(number: number, scope: SearchScope): Promise<SearchResult[]> {
  return blocksWhere(sqlText`block_number = ${number}`, scope);
}

async function blocksWhere(condition: SqlText, scope: SearchScope): Promise<SearchResult[]> {
  const blocks = await rowsOf<{ block_number: number; block_hash: string; timestamp: string }>(
    sqlText`SELECT block_number, block_hash, timestamp FROM ${table(scope.chain, "blocks")}
      WHERE ${condition} LIMIT 1`,
    scope,
  );
  return blocks.map(({ block_number, block_hash, timestamp }) => ({
    kind: "block",
    chain: scope.chain,
    id: String(block_number),
    title: formatCount(block_number),
    detail: `${shortHex(block_hash)}, ${timeOf(timestamp)}`,
    volumeUsd: null,
  }));
}

function timeOf(timestamp: string): string {
  return `${formatTime(parseTime(timestamp))} UTC`;
}
