import type { Sql } from "../engine-sql/sql-text.ts";
import type { Hex } from "../lib/hex.ts";
import { EVERYTHING, type StoredScope } from "../schema/scope.ts";
import type { TableName } from "../schema/tables.ts";
import { type AnswerRows, answerRows, pageOf, type RequestedRows } from "./bind/answer-rows.ts";
import { bindSelect } from "./bind/select-binder.ts";
import { type CatalogueAnswer, describeTable, describeTables } from "./catalogue/descriptions.ts";
import { findTable, type StoredChains } from "./catalogue/table-names.ts";
import { type CheckedSelect, hasOneRow } from "./expressions/checked-select.ts";
import { parseStatement } from "./parse/parser.ts";
import { mostBytes } from "./print/answer-size.ts";
import { printCatalogue } from "./print/catalogue-printer.ts";
import { type AnswerForm, printSelect } from "./print/printer.ts";
import { SQL_LIMITS, type SqlLimits } from "./syntax/limits.ts";
import { SqlError, WHOLE_TEXT } from "./syntax/sql-error.ts";
import type { Select } from "./syntax/syntax-tree.ts";
import type { ValueKind } from "./types/value-type.ts";

export type { RequestedRows } from "./bind/answer-rows.ts";
export type { AnswerForm } from "./print/printer.ts";
export type { SqlLimits } from "./syntax/limits.ts";

/** The facts that compiling a query depends on, in addition to its text. */
export interface SqlContext extends RequestedRows {
  /** Names of the configured chains, which are the prefixes of the tables. */
  chains: readonly string[];
  /** Time of the whole query, in unix seconds; fractions are dropped. */
  now: number;
  limits?: Partial<SqlLimits>;
  /** Form of the answer's values; `json` by default. */
  form?: AnswerForm;
  /** Returns the stored scope of a chain; default: everything. */
  scopeOf?(chain: string): StoredScope;
  /** Returns the engine's name for a table. */
  engineTable(chain: string, table: TableName): Sql;
  /**
   * Returns the listed tokens of a chain, whose symbols are genuine. Verdicts on other tokens depend on them.
   */
  listedTokens(chain: string): readonly Hex[];
}

/**
 * Form of a column's values: `amount` and `sum` are decimal digits, `time` is ISO 8601, `bytes` is 0x hex.
 */
export type AnswerKind = Exclude<ValueKind, "interval">;

export interface CompiledSql extends AnswerRows {
  /**
   * Prints the engine's query as of the chain's newest committed block, which is null while nothing is
   * indexed.
   */
  print(newestBlock: number | null): Sql;
  columns: { name: string; kind: AnswerKind }[];
  /** Chain of the table. For SHOW TABLES, which reads no table, the first configured chain. */
  chain: string;
  /** Table that is read or described; null for SHOW TABLES. */
  table: TableName | null;
  /** Maximum size of the rows that the engine returns in bytes; Infinity if a value may have any length. */
  mostBytes: number;
  /** True if the rows depend on `now`. */
  usesNow: boolean;
  /**
   * Maximum number of rows that the engine may compute at once; null if the engine may choose. It can be
   * stopped only between blocks of rows.
   */
  blockRows: number | null;
  /** True if the statement may keep running for a second or longer after it is cancelled, on a busy machine. */
  stopsLate: boolean;
}

/** Compiles a client's text to engine SQL. Throws only SqlError, which has the position and the reason. */
export function compileSql(source: string, context: SqlContext): CompiledSql {
  const limits = { ...SQL_LIMITS, ...context.limits };
  if (Buffer.byteLength(source) > limits.textBytes) {
    throw new SqlError(WHOLE_TEXT, `the query is longer than ${limits.textBytes} bytes`);
  }
  const statement = parseStatement(source, limits);
  const stored = storedChainsOf(context);
  switch (statement.statement) {
    case "select":
      return compileSelect(statement, { ...context, stored, limits });
    case "show-tables":
      return compileCatalogue(describeTables(stored), context.chains[0] ?? "", null, context);
    case "describe": {
      const { chain, name } = findTable(statement.table, stored);
      return compileCatalogue(describeTable(statement.table, stored), chain, name, context);
    }
  }
}

function storedChainsOf({ chains, scopeOf = () => EVERYTHING }: SqlContext): StoredChains {
  return chains.map((name) => ({ name, scope: scopeOf(name) }));
}

function compileSelect(
  select: Select,
  context: SqlContext & { limits: SqlLimits; stored: StoredChains },
): CompiledSql {
  let usesNow = false;
  const now = () => {
    usesNow = true;
    return Math.floor(context.now);
  };
  const bound = bindSelect(select, { ...context, chains: context.stored, now });
  const { skipRows, limits } = context;
  const query = skipRows === undefined ? bound : pageOf(bound, skipRows, limits);
  const { chain, table } = query;
  const { rowLimit, mostRows: limit } = answerRows(query.limit, context, limits);
  const print = (newestBlock: number | null) =>
    printSelect(query, {
      sources: {
        engineTable: (name) => context.engineTable(chain, name),
        listedTokens: context.listedTokens(chain),
      },
      bound: newestBlock,
      limit,
      form: context.form ?? "json",
    });
  const mostRows = hasOneRow(query) ? Math.min(1, limit) : limit;
  return {
    print,
    columns: query.columns.map(answerColumn),
    chain,
    table,
    rowLimit,
    mostRows,
    mostBytes: mostBytes(query.columns, mostRows),
    usesNow,
    blockRows: blockRows(query.usualNs),
    stopsLate: stopsLate(query),
  };
}

/**
 * Target time for a block of rows, in nanoseconds: half of the time after which a cancelled statement is
 * abandoned; the other half allows for estimates that are too low. The engine checks only between blocks
 * whether a statement was cancelled, but each block has a fixed cost for each operation.
 */
const BLOCK_NS = 500e6;
/**
 * Time to copy the strings of a granule, in nanoseconds, from which on a statement stops late. It is lower
 * than that of a block, because sorting and moving long strings takes time too.
 */
const LATE_COPY_NS = 250e6;
/** Number of rows in a block if the engine chooses it. */
const USUAL_ROWS = 65_000;
/** Rows between two marks of a table: in its small parts, the engine computes no fewer at once. */
const GRANULE_ROWS = 1_024;

function blockRows(usualNs: number): number | null {
  const rows = Math.floor(BLOCK_NS / Math.max(1, usualNs));
  return rows >= USUAL_ROWS ? null : Math.max(1, rows);
}

function stopsLate({ usualNs, copyNs, constantNs }: CheckedSelect): boolean {
  return GRANULE_ROWS * usualNs + constantNs > BLOCK_NS || GRANULE_ROWS * copyNs > LATE_COPY_NS;
}

function answerColumn({ name, value }: { name: string; value: { type: { kind: ValueKind } } }) {
  return { name, kind: value.type.kind as AnswerKind };
}

function compileCatalogue(
  { columns, rows }: CatalogueAnswer,
  chain: string,
  table: TableName | null,
  requested: RequestedRows,
): CompiledSql {
  const { skipRows = 0 } = requested;
  const { rowLimit, mostRows } = answerRows(rows.length, requested, SQL_LIMITS);
  return {
    print: () => printCatalogue({ columns, rows: rows.slice(skipRows, skipRows + mostRows) }),
    columns: columns.map((name) => ({ name, kind: "text" })),
    chain,
    table,
    rowLimit,
    mostRows,
    mostBytes: Number.POSITIVE_INFINITY,
    usesNow: false,
    blockRows: null,
    stopsLate: false,
  };
}
