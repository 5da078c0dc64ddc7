import { identifier, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { spamTokens, type VerdictContext } from "./spam.ts";
import { washedPoolDays } from "./wash.ts";

/**
 * A query for the tokens or pools that have a verdict, and the condition that joins it to the rows of a
 * table.
 */
interface Verdict {
  judge(context: VerdictContext): Sql;
  /** Alias of the query. */
  as: Sql;
  on: Sql;
}

const VERDICTS: Record<string, Verdict> = {
  spam_reasons: {
    judge: spamTokens,
    as: sql`_spam`,
    on: sql`_judged.token_address = _spam.judged_token`,
  },
  wash_reason: {
    judge: washedPoolDays,
    as: sql`_wash`,
    on: sql`_judged.pool_address = _wash.judged_pool AND toStartOfDay(_judged.timestamp) = _wash.judged_day`,
  },
};

/** Prints the rows of a table with their verdicts as additional columns, for use after FROM. */
export function withVerdicts(
  rows: Sql,
  names: readonly string[],
  contextOf: (name: string) => VerdictContext,
): Sql {
  const used = Object.entries(VERDICTS).filter(([name]) => names.includes(name));
  const columns = used.map(([name, { as }]) => sql`${as}.${identifier(name)} AS ${identifier(name)}`);
  const joins = used.map(
    ([name, { judge, as, on }]) => sql`LEFT JOIN (${judge(contextOf(name))}) AS ${as} ON ${on}`,
  );
  return sql`(SELECT ${join([sql`_judged.*`, ...columns])} FROM ${rows} AS _judged ${join(joins, " ")})`;
}
