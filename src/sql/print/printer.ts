import { answerExpression } from "../../engine-sql/column-types.ts";
import {
  double,
  hexBytes,
  identifier,
  integer,
  join,
  outputName,
  type Sql,
  sql,
  text,
  time,
} from "../../engine-sql/sql-text.ts";
import { visibleRows } from "../../engine-sql/visible-rows.ts";
import { tableOf } from "../../schema/tables.ts";
import { type CheckedExpression, dependsOnlyOn, keyOf } from "../expressions/checked-expression.ts";
import type { CheckedOrder, CheckedSelect, OutputColumn } from "../expressions/checked-select.ts";
import { conjunctsOf } from "../expressions/conditions.ts";
import { printSumDigits, printSumLiteral } from "../expressions/exact-sums.ts";
import { fixedSeconds } from "../syntax/interval.ts";
import { SAFE_BITS } from "../types/value-type.ts";
import { mayUseIndex, printRowFilter } from "./row-filter.ts";
import { printJudged, type VerdictSources, verdictsIn } from "./verdict-printer.ts";

/**
 * Form of values: as in JSON; as in CSV, where a number may have any number of digits; or as in the columns
 * of a file, where times and whole numbers have their own types.
 */
export type AnswerForm = "json" | "csv" | "typed";

/** The tables of a query's chain, the newest block it sees, and the form of its answer. */
export interface PrintingContext {
  sources: VerdictSources;
  /** Newest committed block; null while nothing is indexed. */
  bound: number | null;
  limit: number;
  form: AnswerForm;
}

/**
 * Prints a query. Our own names start with a prefix that no name of the client starts with, so no name is
 * ambiguous.
 */
export function printSelect(query: CheckedSelect, context: PrintingContext): Sql {
  const prefix = freshPrefix(query.columns.map(({ name }) => name));
  return isOfStoredRows(query)
    ? printStoredRows(query, context, prefix)
    : printComputed(query, context, prefix);
}

/** Returns whether a query returns stored rows: nothing is grouped, and no column is computed. */
function isOfStoredRows({ columns, distinct, groupBy, having }: CheckedSelect): boolean {
  const isComputed = distinct || groupBy.length > 0 || having !== null;
  return !isComputed && columns.every(({ value }) => value.node === "column");
}

/**
 * Prints a query of one level. With many columns, a second level would take a fifth of the time of a quick
 * query.
 */
function printStoredRows(query: CheckedSelect, context: PrintingContext, prefix: string): Sql {
  const table = identifier(prefix);
  const outputs = query.columns.map((column) =>
    printOutput(column, printValue(column.value, table), context.form),
  );
  return printLevel(query, context, { table, columns: outputs, order: (value) => printValue(value, table) });
}

/**
 * Prints a query of two levels. The inner level computes values under our own names. The outer level gives
 * them the client's names and converts them to the form of answers. That conversion may use a value several
 * times.
 */
function printComputed(query: CheckedSelect, context: PrintingContext, prefix: string): Sql {
  const table = identifier(prefix);
  const nameOf = (i: number) => identifier(`${prefix}${i}`);
  const columns = query.columns.map(({ value }, i) => sql`${printValue(value, table)} AS ${nameOf(i)}`);
  const names = new Map(query.columns.map(({ value }, i) => [keyOf(value), nameOf(i)]));
  const order = (value: CheckedExpression) => names.get(keyOf(value)) ?? printValue(value, table);
  const outputs = query.columns.map((column, i) =>
    printOutput(column, sql`${table}.${nameOf(i)}`, context.form),
  );
  return sql`SELECT ${join(outputs)} FROM (${printLevel(query, context, { table, columns, order })}) AS ${table}`;
}

interface Level {
  /** Alias of the table in this level. */
  table: Sql;
  columns: Sql[];
  order(value: CheckedExpression): Sql;
}

function printLevel(query: CheckedSelect, context: PrintingContext, { table, columns, order }: Level): Sql {
  const clauses = [
    sql`SELECT ${query.distinct ? sql`DISTINCT ` : sql``}${join(columns)}`,
    sql`FROM ${printSource(query, context)} AS ${table}`,
    sql`WHERE ${printFilter(query, context, table)}`,
    ...list(
      sql`GROUP BY`,
      query.groupBy.map((key) => printValue(key, table)),
    ),
    ...(query.having === null ? [] : [sql`HAVING ${printValue(query.having, table)}`]),
    ...list(
      sql`ORDER BY`,
      query.orderBy.map((item) => printOrder(item, order(item.value))),
    ),
    sql`LIMIT ${integer(context.limit)} OFFSET ${integer(query.offset)}`,
  ];
  return join(clauses, " ");
}

function printOutput({ value, name }: OutputColumn, computed: Sql, form: AnswerForm): Sql {
  return sql`${printAnswer(value, computed, form)} AS ${outputName(name)}`;
}

/**
 * Returns a prefix that no output name starts with. Each output name rules out at most one candidate after
 * the first, so few are tried.
 */
function freshPrefix(names: readonly string[]): string {
  const taken = names.filter((name) => name.startsWith("_q"));
  let prefix = "_q";
  for (let i = 1; taken.some((name) => name.startsWith(prefix)); i++) prefix = `_q${i}_`;
  return prefix;
}

function list(clause: Sql, parts: Sql[]): Sql[] {
  return parts.length === 0 ? [] : [sql`${clause} ${join(parts)}`];
}

function printSource(query: CheckedSelect, context: PrintingContext): Sql {
  const stored = printStored(query, context);
  const verdicts = verdictsIn(query);
  if (verdicts.length === 0) return stored;
  const { sources, bound } = context;
  return printJudged(query, verdicts, { stored, sources, bound: bound ?? 0, print: printValue });
}

/**
 * Prints the stored rows of the table. In a history, the client's conditions on the key also limit the rows
 * that are searched for the newest.
 */
function printStored({ table: name, where }: CheckedSelect, { sources, bound }: PrintingContext): Sql {
  const table = tableOf(name);
  const as = identifier("_history");
  const conditions = conjunctsOf(where)
    .filter((part) => dependsOnlyOn(part, table.newestOf ?? []) && mayUseIndex(part))
    .map((part) => printValue(part, as));
  return visibleRows(table, { from: sources.engineTable(name), as, upTo: bound ?? 0, where: conditions });
}

/** Prints the bound on blocks, which applies to every query, and the client's condition. */
function printFilter({ table, where, firstBlock }: CheckedSelect, { bound }: PrintingContext, as: Sql): Sql {
  const block = sql`${as}.${identifier(tableOf(table).blockColumn)}`;
  const bounded =
    bound === null ? sql`false` : sql`(${block} <= ${integer(bound)}${since(block, firstBlock)})`;
  return printRowFilter(bounded, where, (value) => printValue(value, as));
}

/** Prints the condition that excludes pruned blocks, which may still have a few rows. */
function since(block: Sql, firstBlock: number): Sql {
  return firstBlock === 0 ? sql`` : sql` AND ${block} >= ${integer(firstBlock)}`;
}

function printOrder({ descending, nullsFirst }: CheckedOrder, value: Sql): Sql {
  return sql`${value} ${descending ? sql`DESC` : sql`ASC`} NULLS ${nullsFirst ? sql`FIRST` : sql`LAST`}`;
}

function printValue(value: CheckedExpression, table: Sql): Sql {
  switch (value.node) {
    case "column":
      return sql`${table}.${identifier(value.name)}`;
    case "literal":
      return printLiteral(value);
    case "apply":
      return value.operation.print(...value.operands.map((operand) => printValue(operand, table)));
  }
}

function printLiteral({ value, type }: Extract<CheckedExpression, { node: "literal" }>): Sql {
  switch (type.kind) {
    case "integer":
    case "amount":
      return printInteger(BigInt(value));
    case "sum":
      return printSumLiteral(BigInt(value));
    case "double":
      return double(Number(value));
    case "text":
      return text(String(value));
    case "bytes":
      return hexBytes(String(value));
    case "boolean":
      return value === true ? sql`true` : sql`false`;
    case "time":
      return time(Number(value));
    case "interval":
      return integer(fixedSeconds(type.interval));
  }
}

const NARROW = 2n ** 63n;

/**
 * Prints an integer. The engine reads digits beyond 64 bits as a double, so wider numbers are written as
 * text.
 */
function printInteger(value: bigint): Sql {
  if (value > -NARROW && value < NARROW) return integer(value);
  const digits = text(String(value));
  return value > 0n ? sql`toUInt256(${digits})` : sql`toInt256(${digits})`;
}

/** Prints the value of a column in the form of answers. */
function printAnswer(value: CheckedExpression, column: Sql, form: AnswerForm): Sql {
  // Digits in quotes would be text, and a spreadsheet would run negative ones as a formula.
  if (form === "csv" && value.type.kind === "integer") return column;
  return (form === "typed" ? printTyped(value, column) : null) ?? printJson(value, column);
}

/**
 * Prints a value for a file's column. Returns null if the form is the same as in JSON. A column has one type:
 * if any value could be too wide, all values are digits in text.
 */
function printTyped({ type }: CheckedExpression, column: Sql): Sql | null {
  if (type.kind === "time") return sql`toDateTime64(${column}, 3, 'UTC')`;
  if (type.kind !== "integer") return null;
  if (type.unsigned) return sql`toUInt64(${column})`;
  return type.bits <= INT64_BITS ? sql`toInt64(${column})` : sql`toString(${column})`;
}

const INT64_BITS = 63;

function printJson(value: CheckedExpression, column: Sql): Sql {
  switch (value.type.kind) {
    case "bytes":
      return answerExpression("bytes", column, "sql");
    case "time":
      return answerExpression("time", column, "sql");
    case "amount":
      return answerExpression("amount", column, "sql");
    case "boolean":
      return sql`toBool(${column})`;
    case "sum":
      return printSumDigits(column);
    case "integer":
      return value.type.bits <= SAFE_BITS ? column : printWideInteger(column);
    case "double":
      return value.node === "column" ? column : sql`if(isFinite(${column}), ${column}, NULL)`;
    default:
      return column;
  }
}

/** Prints a number if JSON represents it exactly, or its digits as text if not. */
function printWideInteger(column: Sql): Sql {
  const type = sql`Variant(Int64, String)`;
  const whole = sql`CAST(toInt64(${column}) AS ${type})`;
  return sql`if(abs(${column}) <= 9007199254740991, ${whole}, CAST(toString(${column}) AS ${type}))`;
}
