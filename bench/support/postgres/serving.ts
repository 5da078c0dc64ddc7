import { identifier, join, type Sql, sql } from "../../../src/engine-sql/sql-text.ts";
import type { Column, ColumnKind } from "../../../src/schema/column.ts";
import { dexTrades } from "../../../src/schema/tables/dex-trades.ts";
import { erc20 } from "../../../src/schema/tables/transfers.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { engineTable } from "../../../src/storage/tables/ddl.ts";
import { TRADES } from "../generated-market.ts";
import type { Postgres } from "./postgres.ts";
import { hex, POOL_ROWS } from "./records.ts";

/**
 * Statement that creates a table, which has a row once all data is loaded. The table is empty after a crash,
 * like the other tables.
 */
const LOADED = "CREATE UNLOGGED TABLE IF NOT EXISTS loaded (loaded_at timestamptz)";

/**
 * PostgreSQL types of the columns. The tables have whole records, because the responses contain all their
 * columns. Token amounts can be far above bigint.
 */
const TYPES: Record<ColumnKind, string> = {
  address: "bytea",
  pool_id: "bytea",
  hash: "bytea",
  bytes: "bytea",
  text: "text",
  label: "text",
  integer: "integer",
  uint64: "numeric",
  small: "integer",
  wei: "numeric",
  amount: "numeric",
  double: "double precision",
  time: "integer",
};
/** Integer columns with values above 2^31. The other integers are smaller. */
const LARGE = ["record_index"];

type Columns = Record<string, Column>;

const RECORDS: Record<string, Columns> = { dex_trades: dexTrades.columns, erc20: erc20.columns };

const TABLES = `
CREATE UNLOGGED TABLE pools (pool bytea PRIMARY KEY, token0 bytea NOT NULL, token1 bytea NOT NULL);
CREATE UNLOGGED TABLE syncs (
  pool bytea NOT NULL, synced_at integer NOT NULL, record_index bigint NOT NULL, reserve0 numeric, reserve1 numeric
);
CREATE UNLOGGED TABLE balances (
  wallet bytea NOT NULL, token bytea NOT NULL, changed_at integer NOT NULL, record_index bigint NOT NULL, balance numeric
);
`;

/**
 * The best index for each query. `latest` and `row_counts` are tables that a writer would keep up to date.
 */
const INDEXES = [
  `CREATE INDEX by_token ON dex_trades (token_address, "timestamp" DESC, record_index DESC) INCLUDE (price_token_usd_tick_1,
    price_token_usd_robust_tick_1, amount_usd, price_token_eth, amount_token, block_number, transaction_hash)`,
  `CREATE INDEX by_high ON dex_trades (token_address, price_token_usd_robust_tick_1 DESC, record_index)
    INCLUDE ("timestamp", transaction_hash) WHERE price_token_usd_robust_tick_1 IS NOT NULL`,
  `CREATE INDEX by_low ON dex_trades (token_address, price_token_usd_robust_tick_1, record_index)
    INCLUDE ("timestamp", transaction_hash) WHERE price_token_usd_robust_tick_1 IS NOT NULL`,
  `CREATE INDEX by_trader ON dex_trades (trader_address, record_index)
    INCLUDE ("timestamp", token_address, side, amount_token, amount_usd)`,
  `CREATE INDEX by_pool ON dex_trades (pool_address, record_index DESC) INCLUDE (block_number, "timestamp")`,
  "CREATE INDEX by_receiver ON erc20 (to_address, record_index)",
  "CREATE INDEX ON syncs (pool, record_index DESC) INCLUDE (reserve0, reserve1)",
  "CREATE INDEX ON balances (wallet, token, record_index DESC) INCLUDE (balance)",
  `CREATE UNLOGGED TABLE latest AS SELECT DISTINCT ON (token_address) token_address, token_symbol, token_name, block_number,
    "timestamp", transaction_hash, price_token_eth, price_token_usd_robust_tick_1 AS price FROM dex_trades
    WHERE price_token_usd_robust_tick_1 IS NOT NULL ORDER BY token_address, "timestamp" DESC, record_index DESC`,
  "ALTER TABLE latest ADD PRIMARY KEY (token_address)",
  `CREATE UNLOGGED TABLE row_counts AS SELECT 'dex_trades' AS name, count(*) AS rows, max(block_number) AS block_number,
    max("timestamp") AS "timestamp" FROM dex_trades UNION ALL SELECT 'erc20', count(*), max(block_number), max("timestamp") FROM erc20`,
  "VACUUM ANALYZE",
];

/** Copies the engine's rows and creates the best index for each query, unless this is already done. */
export async function loadServing(
  postgres: Postgres,
  engine: Engine,
  print: (line: string) => void,
): Promise<void> {
  postgres.run(LOADED);
  if (Number(postgres.run("SELECT count(*) FROM loaded")) > 0) return;
  const startedMs = performance.now();
  const done = (what: string) =>
    print(`PostgreSQL, ${what}: ${Math.round((performance.now() - startedMs) / 1000)} s`);
  postgres.run("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  postgres.run(TABLES);
  const months = await engine.query<{ month: number }>(
    sql`SELECT DISTINCT toYYYYMM(timestamp) AS month FROM ${TRADES} ORDER BY month`,
  );
  for (const [table, columns] of Object.entries(RECORDS)) {
    postgres.run(`CREATE UNLOGGED TABLE ${table} (${definitions(columns)})`);
    for (const { month } of months) {
      const only = sql`toYYYYMM(timestamp) = ${String(month) as Sql}`;
      const from = engineTable("eth", table as "dex_trades" | "erc20");
      const rows = sql`SELECT ${copied(columns)} FROM ${from} WHERE ${only} ORDER BY record_index`;
      await postgres.copy(table, engine.stream(rows, "TabSeparated"));
    }
    done(table);
  }
  for (const [name, rows] of Object.entries(POOL_ROWS)) {
    await postgres.copy(name, engine.stream(rows, "TabSeparated"));
    done(name);
  }
  for (const statement of INDEXES) {
    postgres.run(statement);
    done(statement.slice(0, 40));
  }
  postgres.run(`${LOADED}; INSERT INTO loaded VALUES (now()); CHECKPOINT`);
}

function definitions(columns: Columns): string {
  const types = Object.entries(columns).map(
    ([name, { kind }]) => `"${name}" ${LARGE.includes(name) ? "bigint" : TYPES[kind]}`,
  );
  return types.join(", ");
}

function copied(columns: Columns): Sql {
  const values = Object.entries(columns).map(([name, { kind, nullable }]) => {
    const value = identifier(name);
    if (kind === "time") return sql`toUnixTimestamp(${value})`;
    if (TYPES[kind] !== "bytea") return value;
    return nullable ? sql`if(${value} IS NULL, NULL, ${hex(sql`assumeNotNull(${value})`)})` : hex(value);
  });
  return join(values);
}

/** Returns the columns of records in the form of the responses, with bytes as hexadecimal text. */
export function shownColumns(table: "dex_trades" | "erc20", alias: string): string {
  const columns = Object.entries(RECORDS[table] ?? {}).filter(([, { hidden }]) => hidden !== true);
  const shown = columns.map(([name, { kind }]) => {
    const value = `${alias}."${name}"`;
    if (TYPES[kind] === "bytea") return `'0x' || encode(${value}, 'hex') AS "${name}"`;
    return kind === "amount" ? `${value}::text AS "${name}"` : value;
  });
  return shown.join(", ");
}
