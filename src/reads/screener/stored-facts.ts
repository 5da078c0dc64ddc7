import { hexBytes, hexText, integer, join, sql } from "../../engine-sql/sql-text.ts";
import { partsOf } from "../../lib/collections/parts.ts";
import type { Hex } from "../../lib/hex.ts";
import { knownTokens } from "../../schema/pool-tokens.ts";
import { readPoolTvls } from "../pools/pool-tvl.ts";
import { type PriceChange, readPriceChanges } from "../prices/price-changes.ts";
import { readSpam } from "../search/spam.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { readTokenFacts } from "../trades/token-facts.ts";
import { readFirstSeen } from "./creations.ts";
import type { PoolListing, ScreenFacts, TokenListing } from "./screen-facts.ts";
import type { ScreenRow } from "./screen-list.ts";
import type { ScreenQuery } from "./screen-query.ts";

const ROBUST = "price_token_usd_robust_tick_1";

/**
 * Maximum number of pools whose balances are read at once. With more, the liquidity of busy pools would take
 * too much memory.
 */
const POOLS_PER_READ = 50;

/** Facts about candidates. They must be read from the store before they are used. */
export class StoredFacts implements ScreenFacts {
  readonly #snapshot: Snapshot;
  readonly #query: ScreenQuery;
  readonly #tokens = new Map<Hex, TokenListing>();
  readonly #pools = new Map<Hex, PoolListing>();
  readonly #changes = new Map<Hex, PriceChange | null>();
  readonly #liquidity = new Map<Hex, number | null>();

  constructor(snapshot: Snapshot, query: ScreenQuery) {
    this.#snapshot = snapshot;
    this.#query = query;
  }

  token(token: Hex): TokenListing | null {
    return this.#tokens.get(token) ?? null;
  }

  pool(pool: Hex): PoolListing | null {
    return this.#pools.get(pool) ?? null;
  }

  change(token: Hex): PriceChange | null {
    return this.#changes.get(token) ?? null;
  }

  liquidityUsd(pool: Hex): number | null {
    return this.#liquidity.get(pool) ?? null;
  }

  /** Reads the listings of tokens and pools. */
  async readListings(subjects: readonly Hex[]): Promise<void> {
    if (this.#query.kind === "token") return this.#readTokens(subjects);
    for (const [pool, listing] of await readPoolListings(this.#snapshot, subjects))
      this.#pools.set(pool, listing);
    return this.#readTokens([...this.#pools.values()].flatMap(({ tokens }) => tokens));
  }

  /** Reads the prices of rows at both ends of the window. */
  async readChanges(rows: readonly ScreenRow[]): Promise<void> {
    const tokens = rows.flatMap(({ priced }) => priced ?? []).filter((token) => !this.#changes.has(token));
    if (tokens.length === 0) return;
    const until = this.#snapshot.commit.timestamp;
    const period = { priceType: ROBUST, from: until - this.#query.windowSeconds, until } as const;
    const changes = await readPriceChanges(this.#snapshot, { ...period, tokens: [...new Set(tokens)] });
    for (const token of tokens) this.#changes.set(token, changes.get(token) ?? null);
  }

  /** Reads the value of each row's main pool. */
  async readLiquidity(rows: readonly ScreenRow[]): Promise<void> {
    const pools = rows.flatMap(({ mainPool }) => mainPool ?? []).filter((pool) => !this.#liquidity.has(pool));
    for (const part of partsOf([...new Set(pools)], POOLS_PER_READ)) {
      const tvls = await readPoolTvls(this.#snapshot, part, ROBUST, this.#snapshot.commit.timestamp);
      for (const pool of part) this.#liquidity.set(pool, tvls.get(pool)?.tvlUsd ?? null);
    }
  }

  async #readTokens(tokens: readonly Hex[]): Promise<void> {
    const listings = await readTokenListings(this.#snapshot, [...new Set(tokens)]);
    for (const [token, listing] of listings) this.#tokens.set(token, listing);
  }
}

/** Reads symbol, name, age and spam verdict of tokens; unknown tokens are left out. */
async function readTokenListings(
  snapshot: Snapshot,
  tokens: readonly Hex[],
): Promise<Map<Hex, TokenListing>> {
  if (tokens.length === 0) return new Map();
  const [facts, firstSeen, spam] = await Promise.all([
    readTokenFacts(snapshot, tokens),
    readFirstSeen(snapshot, tokens),
    readSpam(snapshot, tokens),
  ]);
  return new Map(
    [...facts].map(([token, { tokenSymbol: symbol, tokenName: name }]) => {
      const createdAt = firstSeen.get(token) ?? null;
      return [token, { symbol, name, createdAt, spamReasons: spam.get(token) ?? null }];
    }),
  );
}

/** Reads protocol, fee, tokens and age of pools; unknown pools are left out. */
async function readPoolListings(
  { commit, query, table }: Snapshot,
  pools: readonly Hex[],
): Promise<Map<Hex, PoolListing>> {
  if (pools.length === 0) return new Map();
  const rows = await query<Omit<PoolListing, "tokens"> & { pool: Hex; tokens: string }>(
    sql`SELECT ${hexText(sql`pool_address`)} AS pool, protocol, fee, token_addresses AS tokens,
      toUnixTimestamp(timestamp_created) AS createdAt FROM ${table("pool_metadata")}
      WHERE pool_address IN (${join(pools.map(hexBytes))})
      AND first_seen_block_number <= ${integer(commit.blockNumber)}`,
  );
  return new Map(
    rows.map(({ pool, tokens, ...listing }) => [pool, { ...listing, tokens: knownTokens(tokens) }]),
  );
}
