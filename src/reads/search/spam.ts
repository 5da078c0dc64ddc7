import { cashOf } from "../../chains/chain.ts";
import { hexBytesArray, hexText, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { spamTokens } from "../../sql/verdicts/spam.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/**
 * Reads the spam reasons of tokens, as in the column `spam_reasons`; tokens that are not spam are left out.
 */
export async function readSpam(
  { chain, commit, table, query }: Snapshot,
  tokens: readonly Hex[],
): Promise<Map<Hex, string>> {
  if (tokens.length === 0) return new Map();
  const judged = spamTokens({
    engineTable: table,
    listedTokens: [...cashOf(chain).keys()],
    bound: commit.blockNumber,
    isRelevant: (facts) => sql`${facts}.token_address IN (SELECT arrayJoin(${hexBytesArray(tokens, 20)}))`,
  });
  const rows = await query<{ token: Hex; reasons: string }>(
    sql`SELECT ${hexText(sql`judged_token`)} AS token, spam_reasons AS reasons FROM (${judged})`,
  );
  return new Map(rows.map(({ token, reasons }) => [token, reasons]));
}
