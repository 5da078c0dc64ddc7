import { identifier, integer, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { DAY_SECONDS } from "../../lib/seconds.ts";
import { type TableName, tableOf } from "../../schema/tables.ts";
import { type CheckedExpression, dependsOn, dependsOnlyOn } from "../expressions/checked-expression.ts";
import type { CheckedSelect } from "../expressions/checked-select.ts";
import { withVerdicts } from "../verdicts/judged-rows.ts";
import { copiedConditions } from "./copied-conditions.ts";

/**
 * The tables and tokens that verdicts on a chain's rows depend on, in addition to the rows that a query
 * reads.
 */
export interface VerdictSources {
  /** Returns the engine's name for a table of the chain. */
  engineTable(table: TableName): Sql;
  /** Listed tokens of the chain, whose symbols are genuine. */
  listedTokens: readonly Hex[];
}

/** Returns the verdicts that a query names, which the engine has to compute. */
export function verdictsIn({ table, columns, where, groupBy, having, orderBy }: CheckedSelect): string[] {
  const declared = Object.keys(tableOf(table).verdicts ?? {});
  if (declared.length === 0) return [];
  const values = [...columns, ...orderBy].map(({ value }) => value);
  const conditions = [where, having].filter((condition) => condition !== null);
  const named = [...values, ...groupBy, ...conditions];
  return declared.filter((verdict) => named.some((value) => dependsOn(value, [verdict])));
}

/** Number of times that the query for a verdict prints the client's conditions. */
const COPIES: Record<string, number> = { spam_reasons: 6, wash_reason: 3 };

interface JudgedOptions {
  /** The rows of the query's table that readers see. */
  stored: Sql;
  sources: VerdictSources;
  bound: number;
  print(value: CheckedExpression, table: Sql): Sql;
}

/**
 * Prints the rows of a query's table with their verdicts. Judges only the tokens, or the pools and days, of
 * the rows that the client's simple conditions on columns other than verdicts select.
 */
export function printJudged(
  query: CheckedSelect,
  verdicts: readonly string[],
  { stored, sources, bound, print }: JudgedOptions,
): Sql {
  const copies = verdicts.reduce((sum, verdict) => sum + (COPIES[verdict] ?? 0), 0);
  const conditions = copiedConditions(query, verdicts, copies);
  const as = identifier("_relevant");
  const block = sql`${as}.${identifier(tableOf(query.table).blockColumn)} <= ${integer(bound)}`;
  const isSelected = join([block, ...conditions.map((part) => print(part, as))], " AND ");
  const selected = sql`FROM ${sources.engineTable(query.table)} AS ${as} WHERE ${isSelected}`;
  const isRelevant = (key: "token_address" | "pool_address", facts: Sql) => {
    if (conditions.length === 0) return sql`true`;
    const isOnKey = conditions.every((part) => dependsOnlyOn(part, [key]));
    if (isOnKey)
      return join(
        conditions.map((part) => print(part, facts)),
        " AND ",
      );
    const isOne = sql`${facts}.${identifier(key)} IN (SELECT ${as}.${identifier(key)} ${selected})`;
    return key === "token_address" ? isOne : sql`${isOne} AND ${isOnSelectedDay(facts)}`;
  };
  const isOnSelectedDay = (facts: Sql) => {
    const dayOf = (time: Sql) => sql`toStartOfDay(assumeNotNull((SELECT ${time} ${selected})))`;
    const [first, last] = [dayOf(sql`min(${as}.timestamp)`), dayOf(sql`max(${as}.timestamp)`)];
    return sql`${facts}.timestamp >= ${first} AND ${facts}.timestamp < ${last} + ${integer(DAY_SECONDS)}`;
  };
  return withVerdicts(stored, verdicts, (verdict) => {
    const key = verdict === "wash_reason" ? "pool_address" : "token_address";
    return { ...sources, bound, isRelevant: (facts) => isRelevant(key, facts) };
  });
}
