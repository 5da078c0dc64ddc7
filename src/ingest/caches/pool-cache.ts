import type { KnownPools } from "../../decode/blocks/decode-block.ts";
import { hexBytesArray, hexText, integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { partsOf } from "../../lib/collections/parts.ts";
import type { Hex } from "../../lib/hex.ts";
import { poolTokens } from "../../schema/pool-tokens.ts";
import type { Pool } from "../../schema/swap.ts";
import type { Engine } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import type { BlockScopedCache, BlockTime } from "./block-scoped-cache.ts";
import { BlockScopedMap } from "./block-scoped-map.ts";

/** Maximum number of addresses in one query, whose text must stay far below the engine's limit. */
const QUERY_SIZE = 4_000;

/** Time before the PositionManager is called again for a pool that it did not know. */
const LOOKUP_INTERVAL_MS = 600_000;

/**
 * Maximum number of remembered lookups: a few megabytes. At this number, all lookups are forgotten, so they
 * may be repeated.
 */
const MAX_LOOKUPS = 50_000;

/**
 * Known pools: a cache over `pool_metadata`. A null value marks a contract that is known not to be a genuine
 * pool.
 */
export class PoolCache implements BlockScopedCache, KnownPools {
  readonly #limit: number;
  readonly #pools = new BlockScopedMap<Pool | null>();
  /**
   * Pools whose row is stored or prepared, each with the block of the row. The pool itself may be known from
   * an earlier block, so a reorg may remove only the row.
   */
  readonly #recorded = new BlockScopedMap<true>();
  readonly #lookedUpAt = new Map<Hex, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#pools.size > this.#limit;
  }

  get(address: Hex): Pool | null | undefined {
    return this.#pools.get(address);
  }

  set(address: Hex, pool: Pool | null): void {
    this.#pools.set(address, pool);
  }

  addAll(pools: ReadonlyMap<Hex, Pool | null>): void {
    for (const [address, pool] of pools) this.#pools.set(address, pool);
  }

  /** Returns the addresses that are not in the cache, without duplicates. */
  missing(addresses: Iterable<Hex>): Hex[] {
    return [...new Set(addresses)].filter((address) => !this.#pools.has(address));
  }

  /**
   * Adds the stored pools with these addresses. Rows of blocks up to `lastBlock` count as stored; -1: none.
   * When earlier blocks are derived again, a singleton's pool that was created before the first block may be
   * stored only in a row of a later block, and perhaps no endpoint can reveal it any more. Such a pool is
   * added, but its row must still be written.
   */
  async load(engine: Engine, chain: string, addresses: readonly Hex[], lastBlock: number): Promise<void> {
    const isKnown = sql`firstSeen <= ${integer(lastBlock)}
      OR (length(pool_address) = ${integer(ID_BYTES)} AND ${IS_OLDER})`;
    for await (const [pool, firstSeen] of storedPools(engine, chain, addresses, isKnown)) {
      this.#pools.set(pool.address, pool);
      if (firstSeen <= lastBlock) this.#recorded.setAt(firstSeen, pool.address, true);
    }
  }

  /**
   * Adds the pools with these addresses that another chain has stored and whose creation is not indexed.
   * Their rows must still be written.
   */
  async loadOlder(engine: Engine, chain: string, addresses: readonly Hex[]): Promise<void> {
    for await (const [pool] of storedPools(engine, chain, addresses, IS_OLDER))
      this.#pools.set(pool.address, pool);
  }

  /** Marks a pool as recorded in a block. Returns true the first time, when its row must be written. */
  markRecorded(address: Hex, block: number): boolean {
    if (this.#recorded.has(address)) return false;
    this.#recorded.setAt(block, address, true);
    return true;
  }

  /**
   * Records that a pool's key is being looked up. Returns false, and records nothing, if the last lookup is
   * too recent to be repeated.
   */
  startLookup(id: Hex, nowMs: number): boolean {
    const isDue = nowMs - (this.#lookedUpAt.get(id) ?? Number.NEGATIVE_INFINITY) > LOOKUP_INTERVAL_MS;
    if (!isDue) return false;
    if (this.#lookedUpAt.size >= MAX_LOOKUPS) this.#lookedUpAt.clear();
    this.#lookedUpAt.set(id, nowMs);
    return true;
  }

  /** Returns true for a pool whose creation is indexed, in this block or an earlier one. */
  wasCreatedBy(address: Hex, block: number): boolean {
    const createdBlock = this.#pools.get(address)?.createdBlock ?? null;
    return createdBlock !== null && createdBlock <= block;
  }

  advanceTo(lastBlock: number): void {
    this.#pools.advanceTo(lastBlock);
  }

  rollbackTo({ number }: Pick<BlockTime, "number">): void {
    for (const address of this.#pools.rollbackTo(number)) this.#lookedUpAt.delete(address);
    this.#recorded.rollbackTo(number);
  }

  clear(): void {
    this.#pools.clear();
    this.#lookedUpAt.clear();
    this.#recorded.clear();
  }
}

interface StoredPool extends Omit<Pool, "tokens" | "underlying"> {
  tokenAddresses: string;
  underlyingAddresses: string;
  firstSeen: number;
}

const ID_BYTES = 32;

const IS_OLDER = sql`block_number_created IS NULL`;

/** Reads stored pools, each with the block in which it was first seen. */
async function* storedPools(
  engine: Engine,
  chain: string,
  addresses: readonly Hex[],
  where: Sql,
): AsyncGenerator<[Pool, number]> {
  for (const part of partsOf(addresses, QUERY_SIZE)) {
    const rows = await engine.query<StoredPool>(storedPoolsQuery(chain, part, where));
    for (const { firstSeen, tokenAddresses, underlyingAddresses, ...pool } of rows) {
      const [tokens, underlying] = [poolTokens(tokenAddresses), poolTokens(underlyingAddresses)];
      yield [{ ...pool, tokens, underlying }, firstSeen];
    }
  }
}

function storedPoolsQuery(chain: string, addresses: readonly Hex[], where: Sql): Sql {
  return sql`SELECT ${hexText(sql`pool_address`)} AS address, family, protocol,
    ${hexText(sql`factory_address`)} AS factory,
    ${hexText(sql`token_0_address`)} AS token0, ${hexText(sql`token_1_address`)} AS token1,
    token_addresses AS tokenAddresses, underlying_token_addresses AS underlyingAddresses,
    fee, ${hexText(sql`hooks_address`)} AS hooks, hooks_flags AS hookFlags, block_number_created AS createdBlock, toUnixTimestamp(timestamp_created) AS createdTimestamp,
    first_seen_block_number AS firstSeen
    FROM ${engineTable(chain, "pool_metadata")}
    WHERE (${where}) AND pool_address IN ${hexBytesArray(addresses)}`;
}
