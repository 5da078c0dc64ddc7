import { answerExpression } from "../../engine-sql/column-types.ts";
import { integer, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import type { TokenFacts } from "../../serving/tokens/token-facts.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { ofTokens } from "./trade-conditions.ts";

/** Reads the symbols, names and decimals of tokens; unknown tokens are left out. */
export async function readTokenFacts(
  snapshot: Snapshot,
  tokens: readonly Hex[],
): Promise<Map<Hex, TokenFacts>> {
  const rows = await snapshot.query<TokenFacts & { tokenAddress: Hex }>(
    sql`SELECT ${answerExpression("address", sql`token_address`, "rest")} AS tokenAddress, token_symbol AS tokenSymbol,
      token_name AS tokenName, decimals FROM ${snapshot.table("token_metadata")}
      WHERE ${ofTokens(tokens)} AND first_seen_block_number <= ${integer(snapshot.commit.blockNumber)}`,
  );
  return new Map(rows.map(({ tokenAddress, ...facts }) => [tokenAddress, facts]));
}
