import { type Sql, sql } from "../../../src/engine-sql/sql-text.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { TRADES } from "../generated-market.ts";
import type { Postgres } from "./postgres.ts";

const TABLES = `
CREATE UNLOGGED TABLE trades (
  token bytea NOT NULL, traded_at integer NOT NULL, record_index bigint NOT NULL, block_number integer NOT NULL,
  tx bytea NOT NULL, tick double precision, robust double precision, price_eth double precision,
  amount_token double precision, amount_usd double precision
);
CREATE UNLOGGED TABLE tokens (token bytea NOT NULL, symbol text, name text);
ALTER TABLE trades ALTER token SET STORAGE PLAIN, ALTER tx SET STORAGE PLAIN;
`;

/** The best index for each query. `latest` is a table that a writer would keep up to date. */
const INDEXES = [
  `CREATE INDEX by_time ON trades (token, traded_at DESC, record_index DESC) INCLUDE (tick, robust, amount_usd, price_eth, amount_token, block_number, tx)`,
  "CREATE INDEX by_high ON trades (token, robust DESC, record_index) INCLUDE (traded_at, tx) WHERE robust IS NOT NULL",
  "CREATE INDEX by_low ON trades (token, robust, record_index) INCLUDE (traded_at, tx) WHERE robust IS NOT NULL",
  `CREATE UNLOGGED TABLE latest AS SELECT DISTINCT ON (token) token, traded_at, block_number, tx, price_eth, robust, symbol, name FROM trades JOIN tokens USING (token) WHERE robust IS NOT NULL ORDER BY token, traded_at DESC, record_index DESC`,
  "ALTER TABLE latest ADD PRIMARY KEY (token)",
  "VACUUM ANALYZE",
];

const hex = (column: Sql): Sql => sql`concat('\\\\x', lower(hex(${column})))`;

/** Copies the engine's rows month by month, in chain order. */
export async function loadTrades(
  postgres: Postgres,
  engine: Engine,
  print: (line: string) => void,
): Promise<void> {
  const startedMs = performance.now();
  const done = (what: string) => print(`${what}: ${Math.round((performance.now() - startedMs) / 1000)} s`);
  postgres.run(TABLES);
  const names = sql`SELECT ${hex(sql`token_address`)}, token_symbol, token_name FROM eth_token_metadata`;
  await postgres.copy("tokens", engine.stream(names, "TabSeparated"));
  const months = await engine.query<{ month: number }>(
    sql`SELECT DISTINCT toYYYYMM(timestamp) AS month FROM ${TRADES} ORDER BY month`,
  );
  for (const { month } of months) {
    const only = sql`toYYYYMM(timestamp) = ${String(month) as Sql}`;
    const rows = sql`SELECT ${hex(sql`token_address`)}, toUnixTimestamp(timestamp), record_index, block_number, ${hex(sql`transaction_hash`)}, price_token_usd_tick_1, price_token_usd_robust_tick_1, price_token_eth, amount_token, amount_usd FROM ${TRADES} WHERE ${only} ORDER BY record_index`;
    await postgres.copy("trades", engine.stream(rows, "TabSeparated"));
  }
  done("PostgreSQL loaded");
  for (const statement of INDEXES) {
    postgres.run(statement);
    done(statement.slice(0, 40));
  }
  const sizes =
    "SELECT relname, pg_size_pretty(pg_relation_size(oid)) FROM pg_class WHERE relname IN ('trades', 'by_time', 'by_high', 'by_low', 'latest')";
  print(postgres.run(sizes));
}
