import { hexBytesArray, hexText, identifier, integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { partsOf } from "../../lib/parts.ts";
import type { Token } from "../../schema/swap.ts";
import type { RowOf } from "../../schema/tables.ts";
import type { Engine } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import { Knowledge } from "./block-scoped-cache.ts";

/** Addresses in one look-up: keeps the query text far below the engine's bound. */
const LOOKUP_SIZE = 4_000;

/** Known tokens: a cache over `token_metadata`. */
export class TokenBook {
  readonly #tokens = new Knowledge<Token>();
  readonly #stored = new Set<Hex>();
  readonly #born = new Set<Hex>();

  get size(): number {
    return this.#tokens.size;
  }

  /** From now on tokens are learned from blocks up to this one. */
  learnUpTo(block: number): void {
    this.#tokens.learnUpTo(block);
  }

  get(address: Hex): Token {
    return this.#tokens.get(address) ?? { address, symbol: null, name: null, decimals: null };
  }

  /** The addresses, without duplicates, of which nothing is in memory. */
  missing(addresses: Iterable<Hex>): Hex[] {
    return [...new Set(addresses)].filter((address) => !this.#tokens.has(address));
  }

  add(tokens: readonly Token[]): void {
    for (const token of tokens) this.#tokens.set(token.address, token);
  }

  /** Takes from the store what it knows of some tokens. */
  async load(engine: Engine, chain: string, lookup: { addresses: Hex[]; bound: number }): Promise<void> {
    for (const addresses of partsOf(lookup.addresses, LOOKUP_SIZE)) {
      const found = await engine.query<StoredToken>(storedTokensQuery(chain, addresses, lookup.bound));
      for (const { isBorn, ...token } of found) {
        this.#tokens.set(token.address, token);
        this.#stored.add(token.address);
        if (isBorn === 1) this.#born.add(token.address);
      }
    }
  }

  /** True the first time that a token is seen, when its row is still to be written. */
  isNew(address: Hex): boolean {
    if (this.#stored.has(address)) return false;
    this.#stored.add(address);
    return true;
  }

  /** Notes that a token's contract was created in the block in which it is first seen: nobody held it before. */
  bear(address: Hex): void {
    this.#born.add(address);
  }

  isBorn(address: Hex): boolean {
    return this.#born.has(address);
  }

  /** Forgets the tokens that blocks above the given one may have taught. */
  rollback(block: number): void {
    for (const address of this.#tokens.rollback(block)) {
      this.#stored.delete(address);
      this.#born.delete(address);
    }
  }

  forget(): void {
    this.#tokens.clear();
    this.#stored.clear();
    this.#born.clear();
  }
}

interface StoredToken extends Token {
  isBorn: 0 | 1;
}

function storedTokensQuery(chain: string, addresses: Hex[], bound: number): Sql {
  return sql`SELECT ${hexText(sql`token_address`)} AS address, token_symbol AS symbol,
    token_name AS name, decimals, is_born AS isBorn
    FROM ${engineTable(chain, "token_metadata")}
    WHERE ${identifier("first_seen_block_number")} <= ${integer(bound)}
    AND token_address IN ${hexBytesArray(addresses, 20)}`;
}

/** The row of a token that is first seen in a block. */
export function tokenRow(token: Token, seen: FirstSeen): RowOf<"token_metadata"> {
  return {
    token_address: token.address,
    token_symbol: token.symbol,
    token_name: token.name,
    decimals: token.decimals,
    first_seen_block_number: seen.block,
    record_index: seen.recordIndex,
    is_born: seen.isBorn ? 1 : 0,
  };
}

interface FirstSeen {
  block: number;
  recordIndex: number;
  /** Its contract was created in this block. */
  isBorn: boolean;
}
