import { asQuestion, nearestName } from "../../lib/names/suggestion.ts";
import type { Table } from "../../schema/table.ts";
import { queryableColumn, queryableColumns } from "../catalogue/visible-columns.ts";
import { type CheckedExpression, hasAggregate } from "../expressions/checked-expression.ts";
import { nameText } from "../syntax/source-text.ts";
import { type Position, SqlError } from "../syntax/sql-error.ts";
import type { ExpressionOf } from "../syntax/syntax-tree.ts";
import { findTimeUnit } from "../types/time-unit.ts";
import { columnType } from "../types/value-type.ts";
import type { PatternBudget } from "./pattern-budget.ts";

type Reference = ExpressionOf<"column">;

/** The meaning of names in one clause of a query. */
export interface Scope {
  /** Returns the time of the query, in unix seconds. */
  now(): number;
  /** Maximum number of nodes in one printed expression. */
  nodes: number;
  /** Adds up the sizes of the query's patterns. */
  patterns: PatternBudget;
  source: Source;
  /** Aliases from the select list; the keys are in lower case. */
  aliases: ReadonlyMap<string, CheckedExpression>;
  /** What a name means if it is both a column and an alias. */
  prefer: "column" | "alias";
  /** Why aggregates are refused here; null if they are allowed. */
  aggregatesRefused: string | null;
}

/** The table of the query, with the names that the client may write before a column. */
export interface Source {
  table: Table;
  names: readonly string[];
  /** Columns that the chain's index does not store, and the reason, which ends the error message. */
  missing: { columns: readonly string[]; reason: string };
}

/**
 * Returns the scope inside an aggregate's parentheses, where columns take precedence and aggregates are
 * refused.
 */
export function insideAggregate(scope: Scope): Scope {
  return { ...scope, prefer: "column", aggregatesRefused: "cannot be used inside another aggregate" };
}

/** Resolves a name to a column or an alias. Throws SqlError if there is none. */
export function resolve(reference: Reference, scope: Scope): CheckedExpression {
  const column = () => columnOf(reference, scope.source);
  if (reference.qualifier !== null) return column() ?? unknownColumn(reference, scope);
  const alias = scope.aliases.get(reference.name.toLowerCase()) ?? null;
  const found = scope.prefer === "alias" ? (alias ?? column()) : (column() ?? alias);
  if (found === null) return unknownColumn(reference, scope);
  if (scope.aggregatesRefused === null || !hasAggregate(found)) return found;
  throw new SqlError(reference.at, `"${reference.name}" is an aggregate, which ${scope.aggregatesRefused}`);
}

/** Other names that clients use for a column. */
const SYNONYMS: Record<string, string> = { "@timestamp": "timestamp" };

/** Returns the visible column that a reference names, or null. Ignores aliases. */
export function columnOf(
  { name, qualifier, at }: Reference,
  { table, names, missing }: Source,
): CheckedExpression | null {
  if (qualifier !== null && !names.includes(qualifier.toLowerCase())) {
    throw new SqlError(at, `"${qualifier}" is not the table of this query; write ${names.at(-1)}.${name}`);
  }
  const lower = name.toLowerCase();
  if (missing.columns.includes(lower)) throw new SqlError(at, `${names[0]}.${lower} ${missing.reason}`);
  return visibleColumn(table, SYNONYMS[lower] ?? lower, at);
}

/** Returns the column with this name, or null if it is unknown or hidden. */
export function visibleColumn(table: Table, name: string, at: Position): CheckedExpression | null {
  const column = queryableColumn(table, name);
  return column && { node: "column", name, type: columnType(column), at };
}

function unknownColumn({ name, qualifier, quoted, at }: Reference, { source, aliases }: Scope): never {
  const lower = name.toLowerCase();
  const known = [...queryableColumns(source.table), ...aliases.keys()];
  const suggestion = nearestName(name, known);
  const unit = findTimeUnit(name) === null ? "" : `; a unit of time goes in single quotes, as in '${lower}'`;
  const shown = name.length > 60 ? `${name.slice(0, 60)}…` : name;
  // Columns are in lower case, so a name in capitals is more likely text, such as a token's symbol.
  const isText = quoted || name !== lower;
  const text = isText ? `; text goes in single quotes, as in '${shown.replaceAll("'", "''")}'` : "";
  const list = `; DESCRIBE ${source.names[0]} lists them`;
  throw new SqlError(
    at,
    `${source.names[0]} has no column "${shown}"${asQuestion(suggestion) || unit || text || list}`,
    {
      found: shown,
      suggestion:
        suggestion && [...(qualifier === null ? [] : [qualifier]), suggestion].map(nameText).join("."),
    },
  );
}
