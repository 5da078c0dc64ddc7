import { integer, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../../../lib/seconds.ts";
import { damageByBlock, from, type Invariant, inScope, type Scope } from "../../invariant.ts";

/**
 * Number of tokens checked in each part of the chain (different ones in each part). Checking all trades would
 * take hours.
 */
const SAMPLED_TOKENS = 50;

/** Invariants: the stored trade counts of trailing windows equal the number of trades in them. */
export const WINDOW_INVARIANTS: readonly Invariant[] = [
  {
    name: "trailing windows",
    doc: `num_trades_1h and num_trades_24h count the token's trades in the last hour and the last 24 hours (checked for ${SAMPLED_TOKENS} tokens in each part of the chain)`,
    impact: "trailing volumes, counts and prices were computed while trades were missing or duplicated",
    remedy: "others",
    query: wrongWindows,
  },
];

function wrongWindows(scope: Scope): Sql {
  const { first, last, times } = scope;
  const since = integer(Math.max(0, times.earliest - DAY_SECONDS));
  return damageByBlock(sql`SELECT n, concat('trade of log ', toString(i), ': ', toString(hour), ' in an hour and ',
      toString(day), ' in a day instead of ', toString(k - past_hour), ' and ', toString(k - past_day)) AS what
    FROM (SELECT block_number AS n, log_index AS i, num_trades_1h AS hour, num_trades_24h AS day,
      toInt64(toUnixTimestamp(timestamp)) AS t,
      row_number() OVER (PARTITION BY token_address ORDER BY record_index) AS k,
      count() OVER (PARTITION BY token_address ORDER BY t
        RANGE BETWEEN UNBOUNDED PRECEDING AND ${integer(HOUR_SECONDS)} PRECEDING) AS past_hour,
      count() OVER (PARTITION BY token_address ORDER BY t
        RANGE BETWEEN UNBOUNDED PRECEDING AND ${integer(DAY_SECONDS)} PRECEDING) AS past_day
      FROM ${from("dex_trades", scope)} WHERE token_address IN (${sampledTokens(scope)})
      AND timestamp > ${since} AND timestamp <= ${integer(times.latest)} AND block_number <= ${integer(last)})
    WHERE n >= ${integer(first)} AND (hour != k - past_hour OR day != k - past_day)`);
}

function sampledTokens(scope: Scope): Sql {
  return sql`SELECT token_address FROM ${from("dex_trades", scope)} WHERE ${inScope("dex_trades", scope)}
    GROUP BY token_address ORDER BY sipHash64(token_address, ${integer(scope.first)}) LIMIT ${integer(SAMPLED_TOKENS)}`;
}
