import { hexBytesArray, hexText, identifier, integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
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
  /** Tokens whose row is stored or prepared. */
  readonly #recorded = new Set<Hex>();
  readonly #created = new Set<Hex>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get isFull(): boolean {
    return this.#tokens.size > this.#limit;
  }

  get(address: Hex): Token {
    return this.#tokens.get(address) ?? { address, symbol: null, name: null, decimals: null };
  }

  /** The addresses, without duplicates, that are not in the cache. */
  missing(addresses: Iterable<Hex>): Hex[] {
    return [...new Set(addresses)].filter((address) => !this.#tokens.has(address));
  }

  addAll(tokens: readonly Token[]): void {
    for (const token of tokens) this.#tokens.set(token.address, token);
  }

  /** Adds the tokens among some addresses that are stored in blocks up to `lastBlock`. */
  async load(engine: Engine, chain: string, addresses: readonly Hex[], lastBlock: number): Promise<void> {
    for (const part of partsOf(addresses, QUERY_SIZE)) {
      const rows = await engine.query<StoredToken>(storedTokensQuery(chain, part, lastBlock));
      for (const { wasCreated, ...token } of rows) {
        this.#tokens.set(token.address, token);
        this.#recorded.add(token.address);
        if (wasCreated === 1) this.#created.add(token.address);
      }
    }
  }

  /** Marks a token as recorded. Returns true the first time, when its row must be written. */
  markRecorded(address: Hex): boolean {
    if (this.#recorded.has(address)) return false;
    this.#recorded.add(address);
    return true;
  }

  /**
   * Marks a token whose contract was created in the block where it is first seen, so that it had no earlier
   * holder.
   */
  markCreated(address: Hex): void {
    this.#created.add(address);
  }

  wasCreated(address: Hex): boolean {
    return this.#created.has(address);
  }

  advanceTo(lastBlock: number): void {
    this.#tokens.advanceTo(lastBlock);
  }

  rollbackTo({ number }: Pick<BlockTime, "number">): void {
    for (const address of this.#tokens.rollbackTo(number)) {
      this.#recorded.delete(address);
      this.#created.delete(address);
    }
  }

  clear(): void {
    this.#tokens.clear();
    this.#recorded.clear();
    this.#created.clear();
  }
}

/** Reads the tokens among some addresses that a chain has stored. */
export async function storedTokens(
  engine: Engine,
  chain: string,
  addresses: readonly Hex[],
): Promise<Token[]> {
  const tokens: Token[] = [];
  for (const part of partsOf(addresses, QUERY_SIZE)) {
    const rows = await engine.query<StoredToken>(storedTokensQuery(chain, part, Number.MAX_SAFE_INTEGER));
    tokens.push(...rows.map(({ wasCreated: _, ...token }) => token));
  }
  return tokens;
}

interface StoredToken extends Token {
  wasCreated: 0 | 1;
}

function storedTokensQuery(chain: string, addresses: readonly Hex[], lastBlock: number): Sql {
  return sql`SELECT ${hexText(sql`token_address`)} AS address, token_symbol AS symbol,
    token_name AS name, decimals, is_born AS wasCreated
    FROM ${engineTable(chain, "token_metadata")}
    WHERE ${identifier("first_seen_block_number")} <= ${integer(lastBlock)}
    AND token_address IN ${hexBytesArray(addresses, 20)}`;
}
