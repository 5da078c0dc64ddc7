import { type Sql, sql } from "../../engine-sql/sql-text.ts";
import { spamTokens, type VerdictContext } from "./spam.ts";

/** Rows of a table with the verdicts on them as further columns, for use after FROM. */
export function withSpamVerdict(rows: Sql, context: VerdictContext): Sql {
  return sql`(SELECT _judged.*, _verdicts.spam_reasons AS spam_reasons FROM ${rows} AS _judged
    LEFT JOIN (${spamTokens(context)}) AS _verdicts ON _judged.token_address = _verdicts.judged_token)`;
}
