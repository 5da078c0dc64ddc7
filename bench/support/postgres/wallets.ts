import { type Sql, sql } from "../../../src/engine-sql/sql-text.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { engineTable } from "../../../src/storage/tables/ddl.ts";
import { TRADES } from "../generated-market.ts";
import type { Postgres } from "./postgres.ts";

const TABLES = `
CREATE UNLOGGED TABLE wallet_trades (
  trader bytea NOT NULL, record_index bigint NOT NULL, traded_at integer NOT NULL, token bytea NOT NULL,
  is_buy boolean NOT NULL, amount double precision, usd double precision
);
CREATE UNLOGGED TABLE prices (token bytea PRIMARY KEY, price double precision NOT NULL);
ALTER TABLE wallet_trades ALTER trader SET STORAGE PLAIN, ALTER token SET STORAGE PLAIN;
`;

/**
 * The index contains all columns, so PostgreSQL does not need to look up rows. `prices` is a table that a
 * writer would keep up to date.
 */
const INDEXES = [
  "CREATE INDEX by_wallet ON wallet_trades (trader, record_index) INCLUDE (traded_at, token, is_buy, amount, usd)",
  "VACUUM ANALYZE",
];

/** Copies the engine's rows in chain order. */
export async function loadWalletTrades(
  postgres: Postgres,
  engine: Engine,
  print: (line: string) => void,
): Promise<void> {
  const startedMs = performance.now();
  const hex = (column: Sql): Sql => sql`concat('\\\\x', lower(hex(${column})))`;
  postgres.run(TABLES);
  const rows = sql`SELECT ${hex(sql`trader_address`)}, record_index, toUnixTimestamp(timestamp), ${hex(sql`token_address`)},
    if(side = 'buy', 't', 'f'), amount_token, amount_usd FROM ${engineTable("eth", "wallet_trades")}`;
  await postgres.copy("wallet_trades", engine.stream(rows, "TabSeparated"));
  const prices = sql`SELECT ${hex(sql`token_address`)}, argMax(price_token_usd_robust_tick_1, record_index) FROM ${TRADES}
    WHERE price_token_usd_robust_tick_1 IS NOT NULL GROUP BY token_address`;
  await postgres.copy("prices", engine.stream(prices, "TabSeparated"));
  for (const statement of INDEXES) postgres.run(statement);
  print(`PostgreSQL loaded: ${Math.round((performance.now() - startedMs) / 1000)} s`);
}
