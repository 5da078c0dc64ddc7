import type { Sql } from "../engine-sql/sql-text.ts";
import type { TableName } from "../schema/tables.ts";
import { bindSelect } from "./bind/select-binder.ts";
import { type CatalogueAnswer, describeTable, describeTables } from "./catalogue/descriptions.ts";
import { findTable } from "./catalogue/table-names.ts";
import { hasAggregate } from "./expressions/checked-expression.ts";
import type { CheckedSelect } from "./expressions/checked-select.ts";
import { parseStatement } from "./parse/parser.ts";
import { mostBytes } from "./print/answer-size.ts";
import { printCatalogue } from "./print/catalogue-printer.ts";
import { type AnswerForm, printSelect } from "./print/printer.ts";
import { SQL_LIMITS, type SqlLimits } from "./syntax/limits.ts";
import { SqlError, WHOLE_TEXT } from "./syntax/sql-error.ts";
import type { Select } from "./syntax/syntax-tree.ts";
import type { ValueKind } from "./types/value-type.ts";

export type { AnswerForm } from "./print/printer.ts";
export type { SqlLimits } from "./syntax/limits.ts";
export { SqlError } from "./syntax/sql-error.ts";

/** What a query is compiled against. */
export interface SqlContext {
  /** Names of the configured chains: the prefixes of the tables. */
  chains: readonly string[];
  /** Unix seconds, one instant for all of the query; fractions are dropped. */
  now: number;
  limits?: Partial<SqlLimits>;
  /** Where the answer goes; `json` unless told otherwise. */
  form?: AnswerForm;
  /** The engine's name of a table. */
  engineTable(chain: string, table: TableName): Sql;
}

/** Form of a column's values: `amount` and `sum` are decimal digits, `time` is ISO 8601, `bytes` is 0x hex. */
export type AnswerKind = Exclude<ValueKind, "interval">;

export interface CompiledSql {
  /** What the engine is asked, as of the chain's newest committed block; null while nothing is indexed. */
  print(newestBlock: number | null): Sql;
  columns: { name: string; kind: AnswerKind }[];
  /** Chain that is read; for SHOW TABLES, which reads none, the first configured. */
  chain: string;
  /** Table that is read or described; null for SHOW TABLES. */
  table: TableName | null;
  /** Rows that the answer may have. */
  rowLimit: number;
  /**
   * Rows that the engine gives at most. One more than `rowLimit` where that is our default and not the client's LIMIT:
   * if that row comes, it is to be dropped, and the answer is truncated.
   */
  mostRows: number;
  /** Bytes that these rows take at most; Infinity where a value may be of any length. */
  mostBytes: number;
}

/** Turns a client's text into engine SQL. Throws SqlError, which says where and why, and nothing else. */
export function compileSql(source: string, context: SqlContext): CompiledSql {
  const limits = { ...SQL_LIMITS, ...context.limits };
  if (Buffer.byteLength(source) > limits.textBytes) {
    throw new SqlError(WHOLE_TEXT, `the query is longer than ${limits.textBytes} bytes`);
  }
  const statement = parseStatement(source, limits);
  switch (statement.statement) {
    case "select":
      return compileSelect(statement, { ...context, limits });
    case "show-tables":
      return compileCatalogue(describeTables(context.chains), context.chains[0] ?? "", null);
    case "describe": {
      const { chain, name } = findTable(statement.table, context.chains);
      return compileCatalogue(describeTable(statement.table, context.chains), chain, name);
    }
  }
}

function compileSelect(select: Select, context: SqlContext & { limits: SqlLimits }): CompiledSql {
  const query = bindSelect(select, { ...context, now: Math.floor(context.now) });
  const { chain, table } = query;
  const rowLimit = query.limit ?? context.limits.defaultRows;
  const limit = query.limit ?? rowLimit + 1;
  const print = (bound: number | null) =>
    printSelect(query, {
      engineTable: context.engineTable(chain, table),
      bound,
      limit,
      form: context.form ?? "json",
    });
  const mostRows = isOfOneRow(query) ? Math.min(1, limit) : limit;
  return {
    print,
    columns: query.columns.map(answerColumn),
    chain,
    table,
    rowLimit,
    mostRows,
    mostBytes: mostBytes(query.columns, mostRows),
  };
}

/** Aggregates of all rows, which are no rows of theirs. */
function isOfOneRow({ columns, groupBy }: CheckedSelect): boolean {
  return groupBy.length === 0 && columns.some(({ value }) => hasAggregate(value));
}

function answerColumn({ name, value }: { name: string; value: { type: { kind: ValueKind } } }) {
  return { name, kind: value.type.kind as AnswerKind };
}

function compileCatalogue(answer: CatalogueAnswer, chain: string, table: TableName | null): CompiledSql {
  return {
    print: () => printCatalogue(answer),
    columns: answer.columns.map((name) => ({ name, kind: "text" })),
    chain,
    table,
    rowLimit: answer.rows.length,
    mostRows: answer.rows.length,
    mostBytes: Number.POSITIVE_INFINITY,
  };
}
