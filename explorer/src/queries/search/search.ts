import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { shortHex } from "../../format/hex.ts";
import { formatCount } from "../../format/number.ts";
import { protocolName } from "../../format/pool.ts";
import { formatTime, parseTime } from "../../format/time.ts";
import { indexedTime } from "../chain/status.ts";
import { type SqlText, sqlText, table } from "../service/sql.ts";
import { findPairs } from "./find-pairs.ts";
import { findTokens, tokensAt } from "./find-tokens.ts";
import { type Place, rowsOf } from "./scope.ts";
import type { Found } from "./search-result.ts";
import { parsePair, parseSearchTerm, type Subject } from "./search-term.ts";

/** How long what was found is shown again without asking. */
const FRESH_MS = 30_000;

/** Whatever a chain has of what was typed, the likeliest first. */
export function searchQuery(chain: string, typed: string) {
  const subject = parseSearchTerm(typed);
  return queryOptions({
    queryKey: ["search", chain, subject],
    queryFn: async ({ signal, client }: { signal: AbortSignal; client: QueryClient }) => {
      if (subject === null) return [];
      return find(subject, { chain, until: await indexedTime(client, chain), signal });
    },
    staleTime: FRESH_MS,
    enabled: subject !== null,
  });
}

async function find(subject: Subject, place: Place): Promise<Found[]> {
  switch (subject.kind) {
    case "address":
      return findAddress(subject.address, place);
    case "hash":
      return findHash(subject.hash, place);
    case "block":
      return (await Promise.all([findBlock(subject.number, place), findTokens(subject.text, place)])).flat();
    case "name":
      return findNamed(subject.text, place);
  }
}

/** Who writes two words may mean the pools of two tokens, or a name of two words. */
async function findNamed(text: string, place: Place): Promise<Found[]> {
  const pair = parsePair(text);
  return (await Promise.all([pair === null ? [] : findPairs(pair, place), findTokens(text, place)])).flat();
}

async function findAddress(address: string, place: Place): Promise<Found[]> {
  // Many a pool is a token too, of its shares: who has its address asks for the pool.
  const found = await Promise.all([poolsAt(address, place), tokensAt(address, place)]);
  const contracts = found.flat();
  return [...contracts, ...(await walletsAt(address, { place, isContract: contracts.length > 0 }))];
}

async function poolsAt(address: string, place: Place): Promise<Found[]> {
  interface Pool {
    protocol: string;
    token_0_address: string;
    token_1_address: string;
  }
  const [pool] = await rowsOf<Pool>(
    sqlText`SELECT protocol, token_0_address, token_1_address FROM ${table(place.chain, "pool_metadata")}
      WHERE pool_address = ${address} LIMIT 1`,
    place,
  );
  if (pool === undefined) return [];
  const sides = await Promise.all(
    [pool.token_0_address, pool.token_1_address].map((side) => tokensAt(side, place)),
  );
  const title = sides.map(([token]) => token?.title ?? "?").join(" / ");
  const detail = protocolName(pool.protocol);
  return [{ kind: "pool", chain: place.chain, id: address, title, detail, volumeUsd: null }];
}

/** A wallet is what sent a transaction; also what holds tokens and is neither a token nor a pool. */
async function walletsAt(
  address: string,
  { place, isContract }: { place: Place; isContract: boolean },
): Promise<Found[]> {
  const { chain } = place;
  const [sent, held] = await Promise.all([
    rowsOf(
      sqlText`SELECT transaction_hash FROM ${table(chain, "transactions")} WHERE from_address = ${address} LIMIT 1`,
      place,
    ),
    rowsOf(
      sqlText`SELECT token_address FROM ${table(chain, "token_balances")} WHERE wallet_address = ${address} LIMIT 1`,
      place,
    ),
  ]);
  if (sent.length === 0 && (held.length === 0 || isContract)) return [];
  const detail = sent.length > 0 ? "sent transactions" : "holds tokens";
  return [{ kind: "wallet", chain, id: address, title: shortHex(address), detail, volumeUsd: null }];
}

async function findHash(hash: string, place: Place): Promise<Found[]> {
  const found = await Promise.all([
    transactionsAt(hash, place),
    poolsAt(hash, place),
    blocksWhere(sqlText`block_hash = ${hash}`, place),
  ]);
  return found.flat();
}

async function transactionsAt(hash: string, place: Place): Promise<Found[]> {
  const { chain } = place;
  const [transaction] = await rowsOf<{ block_number: number; timestamp: string }>(
    sqlText`SELECT block_number, timestamp FROM ${table(chain, "transactions")}
      WHERE transaction_hash = ${hash} LIMIT 1`,
    place,
  );
  if (transaction === undefined) return [];
  const detail = `block ${formatCount(transaction.block_number)}, ${timeOf(transaction.timestamp)}`;
  return [{ kind: "transaction", chain, id: hash, title: shortHex(hash), detail, volumeUsd: null }];
}

function findBlock(number: number, place: Place): Promise<Found[]> {
  return blocksWhere(sqlText`block_number = ${number}`, place);
}

async function blocksWhere(condition: SqlText, place: Place): Promise<Found[]> {
  const blocks = await rowsOf<{ block_number: number; block_hash: string; timestamp: string }>(
    sqlText`SELECT block_number, block_hash, timestamp FROM ${table(place.chain, "blocks")}
      WHERE ${condition} LIMIT 1`,
    place,
  );
  return blocks.map(({ block_number, block_hash, timestamp }) => ({
    kind: "block",
    chain: place.chain,
    id: String(block_number),
    title: formatCount(block_number),
    detail: `${shortHex(block_hash)}, ${timeOf(timestamp)}`,
    volumeUsd: null,
  }));
}

function timeOf(timestamp: string): string {
  return `${formatTime(parseTime(timestamp))} UTC`;
}
