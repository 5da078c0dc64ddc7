import { compileSql } from "../../../src/sql/compile.ts";
import { SqlError } from "../../../src/sql/syntax/sql-error.ts";
import { engineTable } from "../../../src/storage/tables/ddl.ts";
import { Draws } from "./draws.ts";
import { ExpensiveExpressions } from "./expensive-expressions.ts";

/** Functions that make statements, named after the work that takes most of their time. */
const KINDS = {
  patterns: (e) =>
    counted(
      e,
      e.draws.list(e.draws.size(1, 60), () => e.patternMatch(), " OR "),
    ),
  searches: (e) =>
    counted(
      e,
      e.draws.list(e.draws.size(1, 200), () => e.search(), e.draws.pick([" OR ", " AND "])),
    ),
  repeats: (e) => computed(e, e.longText(e.draws.size(1, 50))),
  sorts: sorted,
  distincts: distinct,
  groups: grouped,
  deep: (e) => computed(e, e.deep(e.draws.size(10, 60))),
  wide: (e) => computed(e, e.wide(e.draws.size(100, 6_000))),
  columns: manyColumns,
  lists: (e) => counted(e, e.list()),
  aggregates,
  verdicts,
  mixed: (e) => (e.draws.chance(0.5) ? computed(e, e.any("number")) : counted(e, e.any("condition"))),
} satisfies Record<string, (e: ExpensiveExpressions) => string>;

export type ExpensiveKind = keyof typeof KINDS;

const NOW = 1_700_000_000;
const FORMATS = ["json", "json", "json", "ndjson", "csv", "parquet", "arrow"] as const;

export interface ExpensiveStatement {
  kind: ExpensiveKind;
  query: string;
  format: (typeof FORMATS)[number];
}

/**
 * Maximum number of attempts to draw a statement that the compiler accepts. Rejected statements cost little.
 */
const MOST_DRAWS = 10;

/**
 * Returns the statement for a seed. It causes nearly as much work as the dialect allows, and the compiler
 * rarely rejects it.
 */
export function expensiveStatement(seed: number): ExpensiveStatement {
  const draws = new Draws(seed);
  const kind = draws.pick(Object.keys(KINDS) as ExpensiveKind[]);
  const format = draws.pick(FORMATS);
  let query = "";
  for (let draw = 0; draw < MOST_DRAWS; draw++) {
    query = KINDS[kind](new ExpensiveExpressions(draws));
    if (isAccepted(query)) break;
  }
  return { kind, query, format };
}

function isAccepted(query: string): boolean {
  try {
    compileSql(query, { chains: ["eth"], now: NOW, engineTable, listedTokens: () => [] });
    return true;
  } catch (error) {
    if (error instanceof SqlError) return false;
    throw error;
  }
}

function counted({ table }: ExpensiveExpressions, condition: string): string {
  return `SELECT COUNT(*) AS n FROM ${table} WHERE ${condition}`;
}

/** Returns a statement that computes a value in one of its clauses. */
function computed(e: ExpensiveExpressions, value: string): string {
  const { table, draws, key } = e;
  return draws.pick([
    `SELECT MAX(${value}) AS v FROM ${table}`,
    `SELECT COUNT(DISTINCT ${value}) AS v FROM ${table}`,
    `SELECT ${value} AS v FROM ${table} ORDER BY v DESC LIMIT 10`,
    `SELECT ${value} AS v FROM ${table} LIMIT ${draws.size(1, 100_000)}`,
    `SELECT COUNT(*) AS n FROM ${table} WHERE ${value} IS NULL`,
    `SELECT COUNT(*) AS n FROM ${table} GROUP BY ${value}`,
    `SELECT ${key} AS k FROM ${table} GROUP BY k HAVING COUNT(${value}) > 1`,
  ]);
}

function sorted(e: ExpensiveExpressions): string {
  const { table, draws } = e;
  const keys = draws.list(
    draws.size(1, 30),
    () => `${e.sortKey()}${draws.pick(["", " DESC", " ASC NULLS FIRST"])}`,
  );
  const columns = draws.pick([
    "*",
    e.column(),
    draws.list(draws.size(1, 20), (i) => `${e.sortKey()} AS v${i}`),
  ]);
  const offset = draws.chance(0.4) ? ` OFFSET ${draws.size(1, 10_000_000)}` : "";
  return `SELECT ${columns} FROM ${table} ORDER BY ${keys} LIMIT ${draws.size(1, 100_000)}${offset}`;
}

function distinct(e: ExpensiveExpressions): string {
  const { table, draws } = e;
  const values = draws.list(draws.size(1, 40), (i) => `${e.sortKey()} AS v${i}`);
  const counts = draws.list(draws.size(1, 200), (i) => `COUNT(DISTINCT ${e.sortKey()}) AS n${i}`);
  return draws.pick([
    `SELECT DISTINCT ${values} FROM ${table} ORDER BY v0 LIMIT ${draws.size(1, 100_000)}`,
    `SELECT DISTINCT ${values} FROM ${table}`,
    `SELECT ${counts} FROM ${table}`,
    `SELECT ${e.key} AS k, ${counts} FROM ${table} GROUP BY k ORDER BY n0 DESC LIMIT 100`,
  ]);
}

function grouped(e: ExpensiveExpressions): string {
  const { table, draws } = e;
  const keys = draws.list(draws.size(1, 12), () => e.groupKey());
  const values = draws.list(draws.size(1, 100), (i) => `${e.aggregate()} AS a${i}`);
  const having = draws.chance(0.4) ? ` HAVING ${e.aggregateText()} ${e.match()}` : "";
  return `SELECT ${values} FROM ${table} GROUP BY ${keys}${having} ORDER BY a0 DESC LIMIT ${draws.size(1, 100_000)}`;
}

function aggregates(e: ExpensiveExpressions): string {
  const { table, draws } = e;
  const values = draws.list(draws.size(1, 390), (i) => `${e.aggregate()} AS a${i}`);
  const group = draws.chance(0.3) ? ` GROUP BY ${e.groupKey()}` : "";
  return `SELECT ${values} FROM ${table}${group}`;
}

function manyColumns(e: ExpensiveExpressions): string {
  const { table, draws } = e;
  const columns = draws.list(
    draws.size(10, 390),
    (i) => `${e.any(draws.pick(["number", "text", "time", "condition"]), 3)} AS c${i}`,
  );
  const order = draws.chance(0.5) ? " ORDER BY c0, c1 DESC" : "";
  return `SELECT ${columns} FROM ${table}${order} LIMIT ${draws.size(1, 100_000)}`;
}

function verdicts(e: ExpensiveExpressions): string {
  const { draws } = e;
  return draws.pick([
    `SELECT wash_reason, spam_reasons, COUNT(*) AS n FROM eth_dex_trades GROUP BY 1, 2 ORDER BY n DESC`,
    `SELECT * FROM eth_dex_trades WHERE wash_reason IS NOT NULL ORDER BY ${draws.pick(["amount_usd", "record_index", "trader_address"])} DESC`,
    `SELECT DISTINCT token_address, spam_reasons FROM eth_erc20 ORDER BY token_address LIMIT ${draws.size(1, 100_000)}`,
    `SELECT COUNT(*) AS n FROM eth_erc20 WHERE spam_reasons RLIKE '${e.pattern()}'`,
    `SELECT token_address, COUNT(DISTINCT transaction_hash) AS n FROM eth_erc20 WHERE spam_reasons IS NULL GROUP BY token_address HAVING n > ${draws.size(1, 100)} ORDER BY n DESC`,
  ]);
}
