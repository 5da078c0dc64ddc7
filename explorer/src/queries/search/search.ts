import { queryOptions } from "@tanstack/react-query";
import { shortHex } from "../../format/hex.ts";
import { formatCount } from "../../format/number.ts";
import { formatTime, parseTime } from "../../format/time.ts";
import { hasTradesOnly, isKept } from "../chain/stored-rows.ts";
import { quarry } from "../service/client.ts";
import { columnsOf, type SqlText, sqlText, table } from "../service/sql.ts";
import { findNamed } from "./find-named.ts";
import { rowsOf, type SearchScope } from "./scope.ts";
import type { SearchResult } from "./search-result.ts";
import { parsePair, parseSearchTerm, type SearchTerm } from "./search-term.ts";

/** How long results are reused without another request, in ms. */
const FRESH_MS = 30_000;

/** Searches a chain for the typed text. The most likely results come first. */
export function searchQuery(chain: string, typed: string) {
  const term = parseSearchTerm(typed);
  return queryOptions({
    queryKey: ["search", chain, term],
    queryFn: ({ signal }: { signal: AbortSignal }) => (term === null ? [] : find(term, { chain, signal })),
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
      return (await Promise.all([findBlock(term.number, scope), findText(term.text, scope)])).flat();
    case "name":
      return findText(term.text, scope);
  }
}

/**
 * Finds tokens and pools by name. Two words may be a pair of tokens or the name of one token, so tokens with
 * that name come first.
 */
async function findText(text: string, scope: SearchScope): Promise<SearchResult[]> {
  const { pools, tokens } = await findNamed(text, parsePair(text) === null ? "token" : "all", scope);
  return [...tokens, ...pools];
}

async function findAddress(address: string, scope: SearchScope): Promise<SearchResult[]> {
  const { pools, tokens } = await findNamed(address, "all", scope);
  // Many pools are also the token of their own shares, so the pool comes first. Pools that only contain the
  // token are left out, because the token's page lists them.
  const contracts = [...pools, ...tokens].filter(({ id }) => id === address).map(notHidden);
  return [...contracts, ...(await walletsAt(address, { scope, isContract: contracts.length > 0 }))];
}

/** Removes the spam mark: a result that was requested by its whole address is shown even if it is spam. */
function notHidden({ isSpam: _, ...result }: SearchResult): SearchResult {
  return result;
}

/**
 * Finds the wallet at an address. An address counts as a wallet if it sent a transaction, or if it holds
 * tokens and is neither a token nor a pool. If the index does not store all transactions, senders are also
 * found by their trades.
 */
async function walletsAt(
  address: string,
  { scope, isContract }: { scope: SearchScope; isContract: boolean },
): Promise<SearchResult[]> {
  const { chain } = scope;
  const sentIn = { transactions: "from_address", dex_trades: "trader_address" } as const;
  const [sent, held] = await Promise.all([
    firstOf(scope, (name) =>
      rowsOf(
        sqlText`SELECT transaction_hash FROM ${table(chain, name)}
          WHERE ${columnsOf([sentIn[name]])} = ${address} LIMIT 1`,
        scope,
      ),
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
  const [transactions, { pools }, blocks] = await Promise.all([
    transactionsAt(hash, scope),
    findNamed(hash, "pool", scope),
    blocksWhere(sqlText`block_hash = ${hash}`, scope),
  ]);
  return [...transactions, ...pools.map(notHidden), ...blocks];
}

/** Tables with the hashes and senders of transactions. */
type TransactionTable = "transactions" | "dex_trades";

/**
 * Returns the matching transactions, or if there are none and the index does not store all transactions, the
 * matching trades.
 */
async function firstOf<Row>(
  { chain, signal }: SearchScope,
  read: (name: TransactionTable) => Promise<Row[]>,
): Promise<Row[]> {
  const { chains } = await quarry.status({ signal });
  const status = chains.find((one) => one.chain === chain);
  const rows = status === undefined || isKept(status, "transactions") ? await read("transactions") : [];
  return rows.length > 0 || status === undefined || !hasTradesOnly(status) ? rows : read("dex_trades");
}

async function transactionsAt(hash: string, scope: SearchScope): Promise<SearchResult[]> {
  const { chain } = scope;
  const [transaction] = await firstOf(scope, (name) =>
    rowsOf<{ block_number: number; timestamp: string }>(
      sqlText`SELECT block_number, timestamp FROM ${table(chain, name)}
        WHERE transaction_hash = ${hash} LIMIT 1`,
      scope,
    ),
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
