import { identifier, integer, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { type TableName, tableOf } from "../../schema/tables.ts";
import { type CheckedExpression, dependsOn, dependsOnlyOn } from "../expressions/checked-expression.ts";
import type { CheckedSelect } from "../expressions/checked-select.ts";
import { conjunctsOf } from "../expressions/conditions.ts";
import { withSpamVerdict } from "../verdicts/judged-rows.ts";

/** What verdicts on a chain's rows depend on, besides the rows that a query reads. */
export interface VerdictSources {
  /** The engine's name of a table of the chain. */
  engineTable(table: TableName): Sql;
  /** Tokens that are what their symbols say. */
  listedTokens: readonly Hex[];
}

/** Names of the verdicts on the rows of a query's table. */
function verdictsOn({ table }: CheckedSelect): string[] {
  return Object.keys(tableOf(table).verdicts ?? {});
}

/** True if a query names a verdict, which the engine then has to compute. */
export function usesVerdicts(query: CheckedSelect): boolean {
  const verdicts = verdictsOn(query);
  if (verdicts.length === 0) return false;
  const { columns, where, groupBy, having, orderBy } = query;
  const values = [...columns, ...orderBy].map(({ value }) => value);
  const conditions = [where, having].filter((condition) => condition !== null);
  return [...values, ...groupBy, ...conditions].some((value) => dependsOn(value, verdicts));
}

interface JudgedOptions {
  /** The rows of the query's table that readers see. */
  stored: Sql;
  sources: VerdictSources;
  bound: number;
  print(value: CheckedExpression, table: Sql): Sql;
}

/**
 * The rows of a query's table with the verdicts on them. Only the tokens of the rows that the client's other
 * conditions select are judged: with conditions on the token alone, the tokens that meet them.
 */
export function printJudged(query: CheckedSelect, { stored, sources, bound, print }: JudgedOptions): Sql {
  const verdicts = verdictsOn(query);
  const conditions = conjunctsOf(query.where).filter((part) => !dependsOn(part, verdicts));
  const isOnToken = conditions.every((part) => dependsOnlyOn(part, ["token_address"]));
  const as = identifier("_relevant");
  const block = sql`${as}.${identifier(tableOf(query.table).blockColumn)} <= ${integer(bound)}`;
  const isSelected = join([block, ...conditions.map((part) => print(part, as))], " AND ");
  const tokens = sql`SELECT ${as}.token_address FROM ${sources.engineTable(query.table)} AS ${as} WHERE ${isSelected}`;
  return withSpamVerdict(stored, {
    ...sources,
    bound,
    isRelevant: (facts) => {
      if (conditions.length === 0) return sql`true`;
      if (isOnToken)
        return join(
          conditions.map((part) => print(part, facts)),
          " AND ",
        );
      return sql`${facts}.token_address IN (${tokens})`;
    },
  });
}
