import type { Hex } from "../lib/hex.ts";
import { hexBytesArray, identifier, integer, type Sql, sql } from "../lib/sql-text.ts";
import type { Token } from "../schema/swap.ts";
import type { RowOf } from "../schema/tables.ts";
import { engineTable } from "../storage/ddl.ts";
import type { Engine } from "../storage/store.ts";
import { Knowledge } from "./knowledge.ts";

/** Addresses in one look-up: keeps the query text far below the engine's bound. */
const LOOKUP_SIZE = 4_000;

/** Known tokens: a cache over `token_metadata`. */
export class TokenBook {
  readonly #tokens = new Knowledge<Token>();
  readonly #stored = new Set<Hex>();

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
    for (let at = 0; at < lookup.addresses.length; at += LOOKUP_SIZE) {
      const addresses = lookup.addresses.slice(at, at + LOOKUP_SIZE);
      const found = await engine.query<Token>(storedTokensQuery(chain, addresses, lookup.bound));
      this.add(found);
      for (const token of found) this.#stored.add(token.address);
    }
  }

  /** True the first time that a token is seen, when its row is still to be written. */
  isNew(address: Hex): boolean {
    if (this.#stored.has(address)) return false;
    this.#stored.add(address);
    return true;
  }

  /** Forgets the tokens that blocks above the given one may have taught. */
  rollback(block: number): void {
    for (const address of this.#tokens.rollback(block)) this.#stored.delete(address);
  }

  forget(): void {
    this.#tokens.clear();
    this.#stored.clear();
  }
}

function storedTokensQuery(chain: string, addresses: Hex[], bound: number): Sql {
  return sql`SELECT concat('0x', lower(hex(token_address))) AS address, token_symbol AS symbol,
    token_name AS name, decimals
    FROM ${engineTable(chain, "token_metadata")}
    WHERE ${identifier("first_seen_block_number")} <= ${integer(bound)}
    AND token_address IN ${hexBytesArray(addresses, 20)}`;
}

/** The row of a token that is first seen in a block. */
export function tokenRow(token: Token, firstSeenBlock: number, recordIndex: number): RowOf<"token_metadata"> {
  return {
    token_address: token.address,
    token_symbol: token.symbol,
    token_name: token.name,
    decimals: token.decimals,
    first_seen_block_number: firstSeenBlock,
    record_index: recordIndex,
  };
}
