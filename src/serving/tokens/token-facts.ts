import type { Rows } from "../../schema/tables.ts";
import { KeyedCache } from "../cache/keyed-cache.ts";
import type { Fold } from "../fold.ts";

/** What a token's contract reports about itself. */
export interface TokenFacts {
  tokenSymbol: string | null;
  tokenName: string | null;
  decimals: number | null;
}

/** Memory of the object itself, and of a string without its characters. */
const OBJECT_BYTES = 56;
const TEXT_BYTES = 24;

/** Metadata of tokens, from the block in which each token was first seen. */
export class KnownTokens implements Fold {
  readonly cache: KeyedCache<TokenFacts>;

  constructor(maxBytes: number) {
    this.cache = new KeyedCache(maxBytes, factsBytes);
  }

  extend({ token_metadata = [] }: Rows): void {
    for (const row of token_metadata)
      this.cache.update(row.token_address, row.first_seen_block_number, () => ({
        tokenSymbol: row.token_symbol,
        tokenName: row.token_name,
        decimals: row.decimals,
      }));
  }
}

function factsBytes({ tokenSymbol, tokenName }: TokenFacts): number {
  return OBJECT_BYTES + 2 * TEXT_BYTES + (tokenSymbol?.length ?? 0) + (tokenName?.length ?? 0);
}
