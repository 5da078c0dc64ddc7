import { hexBytesArray, hexText, integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { partsOf } from "../../lib/parts.ts";
import type { Pool } from "../../schema/swap.ts";
import type { RowOf } from "../../schema/tables.ts";
import type { Engine } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import { Knowledge } from "./block-scoped-cache.ts";

/** Addresses in one look-up: keeps the query text far below the engine's bound. */
const LOOKUP_SIZE = 4_000;

/** Endpoints that refuse to tell the past are asked again after so long. */
const ASK_AGAIN_MS = 600_000;

/** Some megabytes; beyond it all are asked for again. */
const MAX_ASKED = 50_000;

/** Known pools: a cache over `pool_metadata`. null stands for a contract known not to be a genuine pool. */
export class PoolBook {
  readonly pools = new Knowledge<Pool | null>();
  readonly #stored = new Set<Hex>();
  readonly #askedAt = new Map<Hex, number>();

  /**
   * Takes from the store what it knows of some addresses up to a block. Where earlier blocks are derived again, later
   * ones may know of a singleton's older pool what no endpoint tells any more; its row is still to be written then.
   */
  async load(engine: Engine, chain: string, { addresses, bound }: Lookup): Promise<void> {
    for (const part of partsOf(addresses, LOOKUP_SIZE)) {
      const found = await engine.query<Pool & FirstSeen>(storedPoolsQuery(chain, part, bound));
      for (const { firstSeen, ...pool } of found) {
        this.pools.set(pool.address, pool);
        if (firstSeen <= bound) this.#stored.add(pool.address);
      }
    }
  }

  /** True the first time that a pool is seen, when its row is still to be written. */
  isNew(pool: Pool): boolean {
    if (this.#stored.has(pool.address)) return false;
    this.#stored.add(pool.address);
    return true;
  }

  /** True unless the past was asked for a pool's creation of late; it counts as asked from then on. */
  isToBeAskedFor(id: Hex, nowMs: number): boolean {
    const isDue = nowMs - (this.#askedAt.get(id) ?? 0) > ASK_AGAIN_MS;
    if (!isDue) return false;
    if (this.#askedAt.size >= MAX_ASKED) this.#askedAt.clear();
    this.#askedAt.set(id, nowMs);
    return true;
  }

  /** True for a pool whose creation is indexed, no later than in this block. */
  isBornBy(address: Hex, block: number): boolean {
    const createdBlock = this.pools.get(address)?.createdBlock ?? null;
    return createdBlock !== null && createdBlock <= block;
  }

  /** Forgets the pools that blocks above the given one may have taught, so that they are to be asked for again. */
  rollback(block: number): void {
    for (const address of this.pools.rollback(block)) {
      this.#stored.delete(address);
      this.#askedAt.delete(address);
    }
  }

  forget(): void {
    this.pools.clear();
    this.#askedAt.clear();
    this.#stored.clear();
  }
}

interface Lookup {
  addresses: Hex[];
  /** Newest block whose rows count as stored; -1: none. */
  bound: number;
}

interface FirstSeen {
  firstSeen: number;
}

const ID_BYTES = 32;

function storedPoolsQuery(chain: string, addresses: Hex[], bound: number): Sql {
  return sql`SELECT ${hexText(sql`pool_address`)} AS address, family, protocol,
    ${hexText(sql`factory_address`)} AS factory,
    ${hexText(sql`token_0_address`)} AS token0, ${hexText(sql`token_1_address`)} AS token1,
    fee, block_number_created AS createdBlock, toUnixTimestamp(timestamp_created) AS createdTimestamp,
    first_seen_block_number AS firstSeen
    FROM ${engineTable(chain, "pool_metadata")}
    WHERE (firstSeen <= ${integer(bound)}
      OR (length(pool_address) = ${integer(ID_BYTES)} AND block_number_created IS NULL))
    AND pool_address IN ${hexBytesArray(addresses)}`;
}

/** The row of a pool that is first seen in a block. */
export function poolRow(pool: Pool, firstSeenBlock: number, recordIndex: number): RowOf<"pool_metadata"> {
  return {
    block_number_created: pool.createdBlock,
    pool_address: pool.address,
    protocol: pool.protocol,
    timestamp_created: pool.createdTimestamp,
    token_0_address: pool.token0,
    token_1_address: pool.token1,
    fee: pool.fee,
    factory_address: pool.factory,
    record_index: recordIndex,
    family: pool.family,
    first_seen_block_number: firstSeenBlock,
  };
}
