import { cashOf } from "../../chains/chain.ts";
import { integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { DAY_SECONDS } from "../../lib/seconds.ts";
import { washedPoolDays } from "../../sql/verdicts/wash.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/** The trades that a statement reads. */
interface SelectedTrades {
  /** FROM and WHERE. */
  rows: Sql;
  /** The alias of dex_trades in `rows`. */
  as: Sql;
}

/**
 * Prints a condition that is true for trades without a wash verdict, as in the column `wash_reason`. Judges
 * only the pools and days of the selected trades, but judges each pool and day by all of its trades.
 */
export function isHonest({ chain, commit, table }: Snapshot, { rows, as }: SelectedTrades): Sql {
  const dayOf = (time: Sql) => sql`toStartOfDay(assumeNotNull((SELECT ${time} FROM ${rows})))`;
  const [first, last] = [dayOf(sql`min(${as}.timestamp)`), dayOf(sql`max(${as}.timestamp)`)];
  const judged = washedPoolDays({
    engineTable: table,
    listedTokens: [...cashOf(chain).keys()],
    bound: commit.blockNumber,
    isRelevant: (facts) => sql`${facts}.pool_address IN (SELECT ${as}.pool_address FROM ${rows})
      AND ${facts}.timestamp >= ${first} AND ${facts}.timestamp < ${last} + ${integer(DAY_SECONDS)}`,
  });
  return sql`(${as}.pool_address, toStartOfDay(${as}.timestamp)) NOT IN (
    SELECT judged_pool, judged_day FROM (${judged}))`;
}
