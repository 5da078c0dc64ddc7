import { type Sql, sql } from "../../../src/engine-sql/sql-text.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { engineTable } from "../../../src/storage/tables/ddl.ts";
import { TRADES } from "../generated-market.ts";
import type { Postgres } from "./postgres.ts";

/**
 * Tables with only the columns that the queries need. PostgreSQL reads less than the service, which returns
 * whole records.
 */
const TABLES = `
CREATE UNLOGGED TABLE dex_trades_records (
  token bytea NOT NULL, trader bytea NOT NULL, traded_at integer NOT NULL, record_index bigint NOT NULL,
  tx bytea NOT NULL, tick double precision, usd double precision, amount double precision
);
CREATE UNLOGGED TABLE erc20_records (
  token bytea NOT NULL, sender bytea NOT NULL, receiver bytea NOT NULL, traded_at integer NOT NULL,
  record_index bigint NOT NULL, tx bytea NOT NULL, usd double precision, amount double precision
);
CREATE UNLOGGED TABLE pools (pool bytea PRIMARY KEY, token0 bytea NOT NULL, token1 bytea NOT NULL);
CREATE UNLOGGED TABLE syncs (
  pool bytea NOT NULL, synced_at integer NOT NULL, record_index bigint NOT NULL, reserve0 numeric, reserve1 numeric
);
CREATE UNLOGGED TABLE balances (
  wallet bytea NOT NULL, token bytea NOT NULL, changed_at integer NOT NULL, record_index bigint NOT NULL, balance numeric
);
`;

const INDEXES = [
  "CREATE INDEX ON dex_trades_records (token, traded_at DESC, record_index DESC) INCLUDE (tick)",
  "CREATE INDEX ON dex_trades_records (token, usd DESC NULLS LAST, record_index DESC)",
  "CREATE INDEX ON dex_trades_records (trader, traded_at DESC, record_index DESC)",
  "CREATE INDEX ON erc20_records (token, traded_at DESC, record_index DESC)",
  "CREATE INDEX ON erc20_records (receiver, traded_at DESC, record_index DESC)",
  "CREATE INDEX ON syncs (pool, synced_at DESC, record_index DESC)",
  "CREATE INDEX ON balances (wallet, token, changed_at DESC, record_index DESC)",
  "VACUUM ANALYZE",
];

export const hex = (column: Sql): Sql => sql`concat('\\\\x', lower(hex(${column})))`;
const seconds = sql`toUnixTimestamp(timestamp)`;
const word = (from: string): Sql => sql`reinterpretAsUInt256(reverse(substring(data, ${from as Sql}, 32)))`;

/**
 * Queries for rows about pools. Only balances of pools are read, because the benchmark's queries read no
 * other balances.
 */
export const POOL_ROWS: Record<string, Sql> = {
  pools: sql`SELECT ${hex(sql`pool_address`)}, ${hex(sql`token_0_address`)}, ${hex(sql`token_1_address`)} FROM ${engineTable("eth", "pool_metadata")}`,
  syncs: sql`SELECT ${hex(sql`address`)}, ${seconds}, record_index, ${word("1")}, ${word("33")} FROM ${engineTable("eth", "logs")}`,
  balances: sql`SELECT ${hex(sql`wallet_address`)}, ${hex(sql`token_address`)}, ${seconds}, record_index, balance_base
    FROM ${engineTable("eth", "token_balances")} WHERE wallet_address IN (SELECT toFixedString(pool_address, 20) FROM ${engineTable("eth", "pool_metadata")})`,
};

/** The query for the rows of each table. */
const ROWS: Record<string, Sql> = {
  dex_trades_records: sql`SELECT ${hex(sql`token_address`)}, ${hex(sql`trader_address`)}, ${seconds}, record_index,
    ${hex(sql`transaction_hash`)}, price_token_usd_tick_1, amount_usd, amount_token FROM ${TRADES}`,
  erc20_records: sql`SELECT ${hex(sql`token_address`)}, ${hex(sql`from_address`)}, ${hex(sql`to_address`)}, ${seconds},
    record_index, ${hex(sql`transaction_hash`)}, value_usd, value_token FROM ${engineTable("eth", "erc20")}`,
  ...POOL_ROWS,
};

/** Copies the engine's rows and creates the best index for each query. */
export async function loadRecords(
  postgres: Postgres,
  engine: Engine,
  print: (line: string) => void,
): Promise<void> {
  const startedMs = performance.now();
  postgres.run(TABLES);
  for (const [name, rows] of Object.entries(ROWS)) {
    await postgres.copy(name, engine.stream(rows, "TabSeparated"));
  }
  for (const statement of INDEXES) postgres.run(statement);
  print(`records in PostgreSQL: ${Math.round((performance.now() - startedMs) / 1000)} s`);
}
