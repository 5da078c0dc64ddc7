import { completeTokens, isSameMetadata, type TokenList } from "../../chains/token-list.ts";
import { hexBytesArray, hexText, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { partsOf } from "../../lib/collections/parts.ts";
import type { Token } from "../../schema/swap.ts";
import type { Engine } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";

/** Maximum number of addresses in one query, whose text must stay far below the engine's limit. */
const QUERY_SIZE = 4_000;

export interface IncompleteTokens {
  tokens: number;
  /** First block in which one of these tokens was seen. */
  firstBlock: number;
}

/** A stored token without a symbol, a name or decimals. */
export interface IncompleteToken extends Token {
  /** First block in which the token was seen. */
  firstBlock: number;
}

/**
 * Returns how many stored tokens lack a value that the list has, and the first block with one of them; null
 * if there are none.
 */
export async function incompleteTokens(
  engine: Engine,
  chain: string,
  list: TokenList,
): Promise<IncompleteTokens | null> {
  const firstBlocks: number[] = [];
  for (const part of partsOf([...list.keys()], QUERY_SIZE)) {
    const rows = await engine.query<IncompleteToken>(
      incompleteTokensQuery(chain, sql`token_address IN ${hexBytesArray(part, 20)}`),
    );
    for (const row of rows) if (isCompletedBy(row, list)) firstBlocks.push(row.firstBlock);
  }
  if (firstBlocks.length === 0) return null;
  return { tokens: firstBlocks.length, firstBlock: firstBlocks.reduce((a, b) => Math.min(a, b)) };
}

function isCompletedBy(stored: IncompleteToken, list: TokenList): boolean {
  return completeTokens([stored], list).some((token) => !isSameMetadata(token, stored));
}

/** Prints the query for the incomplete tokens among those that meet a condition. */
export function incompleteTokensQuery(chain: string, where: Sql): Sql {
  return sql`SELECT ${hexText(sql`token_address`)} AS address, token_symbol AS symbol, token_name AS name,
    decimals, first_seen_block_number AS firstBlock FROM ${engineTable(chain, "token_metadata")}
    WHERE (token_symbol IS NULL OR token_name IS NULL OR decimals IS NULL) AND ${where}`;
}
