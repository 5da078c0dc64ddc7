import fc from "fast-check";
import { type TableName, tableOf } from "../../../src/schema/tables.ts";
import { visibleColumns } from "../../../src/sql/catalogue/visible-columns.ts";
import {
  AGGREGATES,
  type ColumnType,
  choicesOf,
  LITERALS,
  SHAPES,
  TYPES_OF_KINDS,
  type ValueType,
  WORDS,
  wordsOf,
} from "./expression-shapes.ts";

type Text = fc.Arbitrary<string>;

/** Tables that have rows in the fixture. */
const TABLES: readonly TableName[] = [
  "dex_trades",
  "transactions",
  "blocks",
  "pool_metadata",
  "erc20",
  "token_balances",
];

/** Draws a visible column of a table, or a literal if the table has no column of this type. */
function columnsOf(table: TableName, type: ColumnType): Text {
  const { columns } = tableOf(table);
  const names = visibleColumns(tableOf(table)).filter((name) => {
    const kind = columns[name]?.kind;
    return kind !== undefined && TYPES_OF_KINDS[kind] === type;
  });
  return fc.constantFrom(...(names.length > 0 ? names : ["'none'"]));
}

const oneOf = (list: string): Text => fc.constantFrom(...wordsOf(list));

const isType = (name: string): name is ValueType => name in SHAPES;

/** Draws text in the form of a shape. Each word in braces is drawn separately. */
function written(shape: string, ofType: (type: ValueType) => Text): Text {
  const pieces = shape.split(/\{(\w+)\}/).map((piece, i) => {
    if (i % 2 === 0) return fc.constant(piece);
    return isType(piece) ? ofType(piece) : oneOf(WORDS[piece] ?? "");
  });
  return fc.tuple(...pieces).map((parts) => parts.join(""));
}

/** Makes generators for expressions of each type over the columns of a table. */
function expressionsOver(table: TableName): Record<ValueType, Text> {
  return fc.letrec<Record<ValueType, string>>((tie) => {
    const column = (type: ValueType) =>
      type === "condition" ? tie("number").map((n) => `${n} IS NULL`) : columnsOf(table, type);
    const ofType = (type: ValueType) =>
      fc.oneof(
        { maxDepth: 3, withCrossShrink: true },
        { weight: 6, arbitrary: column(type) },
        { weight: 2, arbitrary: written(LITERALS[type], tie) },
        ...[...SHAPES[type], ...choicesOf(type)].map((shape) => written(shape, tie)),
      );
    return {
      number: ofType("number"),
      text: ofType("text"),
      time: ofType("time"),
      condition: ofType("condition"),
      bytes: ofType("bytes"),
    };
  });
}

const VALUES = ["{number}", "{text}", "{time}", "{condition}", "{bytes}"];

function queriesOf(table: TableName): Text {
  const sorts = expressionsOver(table);
  const any = (shapes: readonly string[]) =>
    fc.oneof(...shapes.map((shape) => written(shape, (type) => sorts[type])));
  const parts = fc.record({
    distinct: fc.constantFrom("", "", "DISTINCT "),
    a: any(VALUES),
    b: any(VALUES),
    total: any(AGGREGATES),
    other: any(AGGREGATES),
    where: fc.oneof(
      fc.constant(""),
      sorts.condition.map((condition) => ` WHERE ${condition}`),
    ),
    having: oneOf("a IS NOT NULL,COUNT(*) > 1,b IS NULL OR COUNT(*) >= 2"),
    order: fc.constantFrom("1", "2", "a", "b, a", "COUNT(*), a"),
    direction: oneOf(WORDS.direction ?? ""),
    limit: fc.constantFrom("", "", " LIMIT 3", " LIMIT 4 OFFSET 2"),
  });
  const rows = parts.map(
    (q) =>
      `SELECT ${q.distinct}${q.a} AS a, ${q.b} AS b FROM eth_${table}${q.where} ORDER BY ${q.order.replace("COUNT(*)", "2")}${q.direction}${q.limit}`,
  );
  const groups = parts.map(
    (q) =>
      `SELECT ${q.a} AS a, ${q.total} AS b, ${q.other} AS c FROM eth_${table}${q.where} GROUP BY a HAVING ${q.having} ORDER BY ${q.order}${q.direction}${q.limit}`,
  );
  const totals = parts.map((q) => `SELECT ${q.total} AS a, ${q.other} AS b FROM eth_${table}${q.where}`);
  return fc.oneof({ weight: 3, arbitrary: rows }, { weight: 2, arbitrary: groups }, totals);
}

/**
 * Random queries with nested expressions of every type. Most are valid. The compiler refuses some, such as a
 * choice between an amount and a column of whole numbers.
 */
export const anyQueries: Text = fc.oneof(...TABLES.map(queriesOf));

/** Draws a table, a random condition on its rows, and a number for each row. */
export const anyRows: fc.Arbitrary<{ table: string; condition: string; number: string }> = fc
  .constantFrom(...TABLES)
  .chain((table) => {
    const { condition, number } = expressionsOver(table);
    return fc.record({ table: fc.constant(`eth_${table}`), condition, number });
  });
