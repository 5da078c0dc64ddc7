import { answerExpression } from "../../engine-sql/column-types.ts";
import { integer, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { ofTokens } from "./trade-conditions.ts";

export interface TokenNames {
  tokenAddress: Hex;
  tokenSymbol: string | null;
  tokenName: string | null;
}

/** Symbols and names as the tokens report them, without unknown tokens. */
export async function readTokenNames(
  snapshot: Snapshot,
  tokens: readonly Hex[],
): Promise<Map<Hex, TokenNames>> {
  const names = await snapshot.query<TokenNames>(
    sql`SELECT ${answerExpression("address", sql`token_address`, "rest")} AS tokenAddress, token_symbol AS tokenSymbol, token_name AS tokenName FROM ${snapshot.table("token_metadata")} WHERE ${ofTokens(tokens)} AND first_seen_block_number <= ${integer(snapshot.commit.blockNumber)}`,
  );
  return new Map(names.map((one) => [one.tokenAddress, one]));
}
