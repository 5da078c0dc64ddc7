import { completeFrom, missingColumns, notKeptReason } from "../../schema/scope.ts";
import { findTable, type StoredChains } from "../catalogue/table-names.ts";
import { visibleColumns } from "../catalogue/visible-columns.ts";
import {
  type CheckedExpression,
  hasAggregate,
  isConstant,
  keyOf,
} from "../expressions/checked-expression.ts";
import type { CheckedOrder, CheckedSelect, OutputColumn } from "../expressions/checked-select.ts";
import type { SqlLimits } from "../syntax/limits.ts";
import { expressionText } from "../syntax/source-text.ts";
import { type Position, SqlError, WHOLE_TEXT } from "../syntax/sql-error.ts";
import type { Expression, OrderItem, Select, SelectItem } from "../syntax/syntax-tree.ts";
import { bindCondition, bindExpression } from "./expression-binder.ts";
import { PatternBudget } from "./pattern-budget.ts";
import { type Scope, type Source, visibleColumn } from "./scope.ts";
import { SizeBudget } from "./size-budget.ts";

/** The facts that binding a query depends on, in addition to its text. */
export interface BindingContext {
  chains: StoredChains;
  /** Returns the current time in unix seconds. Called only for queries that depend on the time. */
  now(): number;
  limits: SqlLimits;
}

/** Resolves every name of a query, and checks types, grouping and limits. Throws SqlError. */
export function bindSelect(select: Select, context: BindingContext): CheckedSelect {
  const { chain, name, table, scope } = findTable(select.table, context.chains);
  const names = [select.table.text.toLowerCase()];
  if (select.tableAlias !== null) names.push(select.tableAlias.text.toLowerCase());
  const missing = { columns: missingColumns(scope, name), reason: notKeptReason(scope) };
  const scopes = scopesOf({ table, names, missing }, context);
  const budget = new SizeBudget(context.limits.nodes);
  const columns = bindColumns(select.items, scopes, context.limits, budget);
  const aliases = aliasesOf(select.items, columns);
  const condition = (clause: "where" | "having") => {
    const { [clause]: expression } = select;
    if (expression === null) return null;
    return budget.added(
      bindCondition(expression, { ...scopes[clause], aliases }, clause.toUpperCase()),
      expression.at,
    );
  };
  const where = condition("where");
  const groupBy = select.groupBy.map((key) =>
    budget.added(bindGroupKey(key, columns, { ...scopes.group, aliases }), key.at),
  );
  const having = condition("having");
  const orderBy = select.orderBy.map((item) => {
    const order = bindOrder(item, columns, { ...scopes.order, aliases });
    budget.added(order.value, item.value.at);
    return order;
  });
  const bound = { columns, groupBy, having, orderBy };
  checkGrouping(select, bound);
  if (select.distinct) checkDistinct(select, bound);
  return {
    chain,
    table: name,
    firstBlock: completeFrom(scope, name) ?? 0,
    distinct: select.distinct,
    where,
    ...bound,
    nodes: budget.size,
    usualNs: budget.usualNs,
    copyNs: budget.copyNs,
    constantNs: budget.constantNs,
    ...bindLimits(select, context.limits),
  };
}

type Clauses = Pick<CheckedSelect, "columns" | "groupBy" | "having" | "orderBy">;

function scopesOf(
  source: Source,
  { now, limits: { nodes } }: BindingContext,
): Record<"select" | "where" | "group" | "having" | "order", Scope> {
  const select: Scope = {
    now,
    nodes,
    patterns: new PatternBudget(),
    source,
    aliases: new Map(),
    prefer: "column",
    aggregatesRefused: null,
  };
  const where = { ...select, aggregatesRefused: "cannot be used in WHERE: use HAVING" };
  const group = { ...select, aggregatesRefused: "cannot be used in GROUP BY" };
  const output: Scope = { ...select, prefer: "alias" };
  return { select, where, group, having: output, order: output };
}

function bindColumns(
  items: readonly SelectItem[],
  { select }: { select: Scope },
  limits: SqlLimits,
  budget: SizeBudget,
): OutputColumn[] {
  const columns = new Map<string, OutputColumn>();
  const references = new Map<string, OutputColumn>();
  // A second star adds nothing.
  const star = items.find(({ node }) => node === "star");
  for (const item of items) {
    if (item.node === "star" && item !== star) continue;
    for (const { at, column, reference } of columnsOf(item, select)) {
      budget.added(column.value, at);
      requireSameValue(columns.get(column.name), column, at);
      columns.set(column.name, column);
      if (reference === null) continue;
      requireSameValue(references.get(reference), column, at);
      references.set(reference, column);
    }
    if (columns.size > limits.columns) {
      throw new SqlError(WHOLE_TEXT, `the answer has more than ${limits.columns} columns`);
    }
  }
  return [...columns.values()];
}

/** Rejects two different columns with the same name, because ORDER BY and HAVING could mean the wrong one. */
function requireSameValue(before: OutputColumn | undefined, { name, value }: OutputColumn, at: Position) {
  if (before === undefined || keyOf(before.value) === keyOf(value)) return;
  const names =
    before.name === name ? `"${name}"` : `"${before.name}" and "${name}", which differ only in case`;
  throw new SqlError(at, `two columns of the answer are named ${names}: rename one with AS`);
}

/** A column of the answer, with the position of its select item. */
interface SelectedColumn {
  column: OutputColumn;
  at: Position;
  /** The name by which other clauses refer to the column, in lower case; null for an expression's text. */
  reference: string | null;
}

function columnsOf(item: SelectItem, scope: Scope): SelectedColumn[] {
  if (item.node === "star") return starColumns(scope.source, item.at);
  const value = bindExpression(item.value, scope);
  const { at } = item.value;
  if (value.type.kind === "interval")
    throw new SqlError(
      at,
      "an interval cannot be a column of the answer: add it to a time, as in NOW() - INTERVAL 7 DAY",
    );
  const isColumn = item.value.node === "column" && value.node === "column";
  const name = item.alias?.text ?? (isColumn ? value.name : expressionText(item.value));
  const reference = item.alias !== null || isColumn ? name.toLowerCase() : null;
  return [{ column: { name, value }, at: item.alias?.at ?? at, reference }];
}

function starColumns({ table, missing }: Source, at: Position): SelectedColumn[] {
  return visibleColumns(table).flatMap((name) => {
    if (missing.columns.includes(name)) return [];
    const value = visibleColumn(table, name, at);
    return value === null ? [] : [{ column: { name, value }, at, reference: name }];
  });
}

function aliasesOf(
  items: readonly SelectItem[],
  columns: readonly OutputColumn[],
): Map<string, CheckedExpression> {
  const aliases = new Map<string, CheckedExpression>();
  const values = new Map(columns.map(({ name, value }) => [name, value]));
  for (const item of items) {
    if (item.node === "star" || item.alias === null) continue;
    const name = item.alias.text;
    const value = values.get(name);
    if (value !== undefined) aliases.set(name.toLowerCase(), value);
  }
  return aliases;
}

/**
 * Returns the value of the column that a bare number in GROUP BY or ORDER BY refers to, or null for any other
 * expression.
 */
function ordinal(
  expression: Expression,
  columns: readonly OutputColumn[],
  clause: string,
): CheckedExpression | null {
  if (expression.node !== "number") return null;
  const column = columns[Number(expression.text) - 1];
  if (column !== undefined) return column.value;
  const count = columns.length === 1 ? "1 column" : `${columns.length} columns`;
  throw new SqlError(expression.at, `${clause} ${expression.text}: the answer has ${count}`);
}

function bindGroupKey(
  expression: Expression,
  columns: readonly OutputColumn[],
  scope: Scope,
): CheckedExpression {
  const key = ordinal(expression, columns, "GROUP BY") ?? groupingValue(expression, scope);
  if (hasAggregate(key)) {
    throw new SqlError(
      expression.at,
      `${expressionText(expression)} is an aggregate: GROUP BY takes columns and values computed from them`,
    );
  }
  if (!isConstant(key)) return key;
  throw new SqlError(
    expression.at,
    `${expressionText(expression)} is the same for every row: GROUP BY takes columns`,
  );
}

function groupingValue(expression: Expression, scope: Scope): CheckedExpression {
  const bound = bindExpression(expression, scope);
  if (expression.node !== "column" || expression.qualifier !== null) return bound;
  const alias = scope.aliases.get(expression.name.toLowerCase());
  if (alias === undefined || hasAggregate(alias) || keyOf(alias) === keyOf(bound)) return bound;
  throw new SqlError(
    expression.at,
    `"${expression.name}" is a column and also names another column of the answer: rename the latter, or group by its number`,
  );
}

function bindOrder(item: OrderItem, columns: readonly OutputColumn[], scope: Scope): CheckedOrder {
  const { descending, nullsFirst } = item;
  const value = ordinal(item.value, columns, "ORDER BY") ?? bindExpression(item.value, scope);
  if (value.node === "literal" && columns.every((column) => column.value !== value)) {
    throw new SqlError(
      item.value.at,
      `${expressionText(item.value)} is the same for every row: ORDER BY takes columns`,
    );
  }
  return { value, descending, nullsFirst };
}

/** Checks that every column of a query with groups is in GROUP BY or inside an aggregate. */
function checkGrouping(select: Select, { columns, groupBy, having, orderBy }: Clauses): void {
  const values = [...columns.map(({ value }) => value), ...orderBy.map(({ value }) => value)];
  if (having !== null) values.push(having);
  const grouped = groupBy.length > 0 || having !== null || values.some(hasAggregate);
  if (!grouped) return;
  const star = select.items.find((item) => item.node === "star");
  if (star !== undefined)
    throw new SqlError(star.at, "* cannot be used in a query with groups: name the columns");
  if (having !== null && groupBy.length === 0 && !values.some(hasAggregate)) {
    const at = select.having?.at ?? WHOLE_TEXT;
    throw new SqlError(
      at,
      "HAVING needs groups, and there are none: use WHERE for rows, or add GROUP BY or an aggregate",
    );
  }
  const keys = new Set(groupBy.map(keyOf));
  for (const value of values) checkGrouped(value, keys);
}

function checkGrouped(value: CheckedExpression, keys: ReadonlySet<string>): void {
  if (value.node === "literal" || keys.has(keyOf(value))) return;
  if (value.node === "column") {
    throw new SqlError(
      value.at,
      `"${value.name}" must be in GROUP BY or inside an aggregate such as MAX(${value.name})`,
    );
  }
  if (value.operation.aggregate === true) return;
  for (const operand of value.operands) checkGrouped(operand, keys);
}

function checkDistinct({ orderBy: written }: Select, { columns, orderBy }: Clauses): void {
  const selected = new Set(columns.map(({ value }) => keyOf(value)));
  orderBy.forEach(({ value }, i) => {
    const item = written[i];
    if (item === undefined || selected.has(keyOf(value))) return;
    throw new SqlError(
      item.value.at,
      `${expressionText(item.value)} is not selected: with DISTINCT, ORDER BY takes columns of the answer`,
    );
  });
}

function bindLimits({ limit, offset }: Select, limits: SqlLimits): { limit: number | null; offset: number } {
  if (limit !== null && limit.value > limits.maxRows) {
    throw new SqlError(limit.at, `LIMIT ${limit.value} is above the maximum of ${limits.maxRows} rows`);
  }
  if (offset !== null && offset.value > limits.maxOffset) {
    throw new SqlError(
      offset.at,
      `OFFSET ${offset.value} is above ${limits.maxOffset}: narrow the query with WHERE`,
    );
  }
  return { limit: limit?.value ?? null, offset: offset?.value ?? 0 };
}
