import type { Column } from "../../../../src/schema/column.ts";
import type { Table } from "../../../../src/schema/table.ts";
import { normalForm } from "../parse/normal-form.ts";
import type { Expression, Query, SelectItem } from "../parse/syntax.ts";
import { unknown } from "../unknown.ts";
import { type Compiled, columnType, storedValue } from "../values/types.ts";
import { distanceOf } from "./approximation.ts";
import { compileExpression, hasAggregate, type Names } from "./compile-expression.ts";

interface AnswerColumn {
  name: string;
  compiled: Compiled;
  /** Maximum relative distance between the computed value and another correct value. */
  distance: number;
}

export interface Order {
  compiled: Compiled;
  distance: number;
  descending: boolean;
  nullsFirst: boolean;
}

/** A query with resolved names, compiled to closures over rows and groups. */
export interface Plan {
  columns: AnswerColumn[];
  where: Compiled | undefined;
  /** Undefined if each row becomes a row of the answer. Empty if all rows are one group. */
  groups: Compiled[] | undefined;
  having: Compiled | undefined;
  order: Order[];
  distinct: boolean;
  /** Whether DISTINCT or GROUP BY uses numbers that are not exact. */
  isVague: boolean;
}

type Columns = Record<string, Column>;
type Declared = Pick<Table, "columns" | "verdicts">;

export function planOf(query: Query, { columns: declared, verdicts }: Declared, now: number): Plan {
  const stored = Object.fromEntries(Object.entries(declared).filter(([, { hidden }]) => hidden !== true));
  const visible = { ...stored, ...verdicts };
  const items = query.items.flatMap((item) => withoutStar(item, stored));
  const { columnFirst, aliasFirst } = namesOf(items, visible, now);
  const compiledWithDistance = (expression: Expression, names: Names) => {
    const compiled = compileExpression(expression, names);
    return { compiled, distance: compiled.type.kind === "double" ? distanceOf(expression, items) : 0 };
  };
  const columns = items.map(({ expression, alias }) => ({
    name: alias ?? normalForm(expression),
    ...compiledWithDistance(expression, columnFirst),
  }));
  const keys = query.groupBy.map((expression) =>
    compiledWithDistance(ordinal(expression, items), columnFirst),
  );
  return {
    columns,
    isVague: [...keys, ...(query.distinct ? columns : [])].some(({ distance }) => distance > 0),
    where: query.where && compileExpression(query.where, columnFirst),
    groups: groupsOf(query, items, columnFirst),
    having: query.having && compileExpression(query.having, aliasFirst),
    order: query.orderBy.map((item) => ({
      ...item,
      ...compiledWithDistance(ordinal(item.expression, items), aliasFirst),
    })),
    distinct: query.distinct,
  };
}

/** Expands `*` to the time and then the other columns by name. */
function withoutStar(item: SelectItem, visible: Columns): SelectItem[] {
  if (item.expression.kind !== "star") return [item];
  const rank = (name: string) => (name === "timestamp" ? "" : name);
  const names = Object.keys(visible).sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return names.map((name) => ({ expression: { kind: "name", name }, alias: undefined }));
}

/**
 * Returns the select item to which a number in GROUP BY or ORDER BY refers. Returns any other expression as
 * it is.
 */
function ordinal(expression: Expression, items: readonly SelectItem[]): Expression {
  if (expression.kind !== "number") return expression;
  return items[Number(expression.text) - 1]?.expression ?? expression;
}

function groupsOf(query: Query, items: readonly SelectItem[], names: Names): Compiled[] | undefined {
  const written = [...items, ...query.orderBy].map(({ expression }) => expression);
  const grouped = query.groupBy.length > 0 || query.having !== undefined || written.some(hasAggregate);
  if (!grouped) return undefined;
  return query.groupBy.map((expression) => compileExpression(ordinal(expression, items), names));
}

/** Resolves names. ORDER BY and HAVING prefer an alias to a column. The other clauses prefer the column. */
function namesOf(
  items: readonly SelectItem[],
  visible: Columns,
  now: number,
): { columnFirst: Names; aliasFirst: Names } {
  const aliases = new Map(items.map((item) => [item.alias?.toLowerCase(), item.expression]));
  const column = (name: string) => compiledColumn(name, visible);
  const alias = (name: string): Compiled | undefined => {
    const expression = aliases.get(name);
    return expression && compileExpression(expression, columnFirst);
  };
  const columnFirst: Names = {
    compile: (name) => column(name) ?? alias(name) ?? missing(name),
    get withinAggregate() {
      return columnFirst;
    },
    now,
  };
  /** An alias of an aggregate has no meaning within another aggregate. */
  const isOfRows = (name: string) => {
    const expression = aliases.get(name);
    return expression !== undefined && !hasAggregate(expression);
  };
  const withinAggregate: Names = {
    compile: (name) => (isOfRows(name) ? alias(name) : column(name)) ?? missing(name),
    get withinAggregate() {
      return withinAggregate;
    },
    now,
  };
  const aliasFirst = {
    compile: (name: string) => alias(name) ?? column(name) ?? missing(name),
    withinAggregate,
    now,
  };
  return { columnFirst, aliasFirst };
}

function missing(name: string): never {
  throw unknown(`column: ${name}`);
}

function compiledColumn(name: string, visible: Columns): Compiled | undefined {
  const declared = visible[name];
  if (declared === undefined) return undefined;
  const type = columnType(declared.kind);
  return { type, value: ({ row }) => storedValue(type, row[name]) };
}
