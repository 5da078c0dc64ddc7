import { hexBytesArray, hexText, integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { partsOf } from "../../lib/collections/parts.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Token } from "../../schema/swap.ts";
import type { Engine } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import type { BlockScopedCache, BlockTime } from "./block-scoped-cache.ts";
import { BlockScopedMap } from "./block-scoped-map.ts";

/** Maximum number of addresses in one query, whose text must stay far below the engine's limit. */
const QUERY_SIZE = 4_000;

/** Known tokens: a cache over `token_metadata`. */
export class TokenCache implements BlockScopedCache {
  readonly #limit: number;
  readonly #tokens = new BlockScopedMap<Token>();
  /**
   * Tokens whose row is stored or prepared, each with the block of the row. The token itself may have been
   * loaded for an earlier block, so a reorg may remove only the row.
   */
  readonly #recorded = new BlockScopedMap<true>();
  readonly #created = new BlockScopedMap<true>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#tokens.size > this.#limit;
  }

  get(address: Hex): Token {
    return this.#tokens.get(address) ?? { address, symbol: null, name: null, decimals: null };
  }

  /** Returns the addresses that are not in the cache, without duplicates. */
  missing(addresses: Iterable<Hex>): Hex[] {
    return [...new Set(addresses)].filter((address) => !this.#tokens.has(address));
  }

  addAll(tokens: readonly Token[]): void {
    for (const token of tokens) this.#tokens.set(token.address, token);
  }

  /** Adds the stored tokens with these addresses that were first seen in blocks up to `lastBlock`. */
  async load(engine: Engine, chain: string, addresses: readonly Hex[], lastBlock: number): Promise<void> {
    for (const part of partsOf(addresses, QUERY_SIZE)) {
      const rows = await engine.query<StoredToken>(storedTokensQuery(chain, part, lastBlock));
      for (const { wasCreated, firstSeen, ...token } of rows) {
        this.#tokens.set(token.address, token);
        this.#recorded.setAt(firstSeen, token.address, true);
        if (wasCreated === 1) this.markCreated(token.address, firstSeen);
      }
    }
  }

  /** Marks a token as recorded in a block. Returns true the first time, when its row must be written. */
  markRecorded(address: Hex, block: number): boolean {
    if (this.#recorded.has(address)) return false;
    this.#recorded.setAt(block, address, true);
    return true;
  }

  /**
   * Marks a token whose contract was created in the block where it is first seen. It therefore had no earlier
   * holder.
   */
  markCreated(address: Hex, block: number): void {
    this.#created.setAt(block, address, true);
  }

  wasCreated(address: Hex): boolean {
    return this.#created.has(address);
  }

  advanceTo(lastBlock: number): void {
    this.#tokens.advanceTo(lastBlock);
  }

  rollbackTo({ number }: Pick<BlockTime, "number">): void {
    for (const entries of [this.#tokens, this.#recorded, this.#created]) entries.rollbackTo(number);
  }

  clear(): void {
    this.#tokens.clear();
    this.#recorded.clear();
    this.#created.clear();
  }
}

/** Reads the tokens with these addresses that a chain has stored. */
export async function storedTokens(
  engine: Engine,
  chain: string,
  addresses: readonly Hex[],
): Promise<Token[]> {
  const tokens: Token[] = [];
  for (const part of partsOf(addresses, QUERY_SIZE)) {
    const rows = await engine.query<StoredToken>(storedTokensQuery(chain, part, Number.MAX_SAFE_INTEGER));
    tokens.push(...rows.map(({ address, symbol, name, decimals }) => ({ address, symbol, name, decimals })));
  }
  return tokens;
}

interface StoredToken extends Token {
  wasCreated: 0 | 1;
  /** Block of the token's row. */
  firstSeen: number;
}

function storedTokensQuery(chain: string, addresses: readonly Hex[], lastBlock: number): Sql {
  return sql`SELECT ${hexText(sql`token_address`)} AS address, token_symbol AS symbol,
    token_name AS name, decimals, is_born AS wasCreated, first_seen_block_number AS firstSeen
    FROM ${engineTable(chain, "token_metadata")}
    WHERE first_seen_block_number <= ${integer(lastBlock)}
    AND token_address IN ${hexBytesArray(addresses, 20)}`;
}
