import { integer, type Sql, sql } from "../../../src/engine-sql/sql-text.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { engineTable } from "../../../src/storage/tables/ddl.ts";
import { TRADES, tokensByRank } from "../generated-market.ts";

/** Keys of the requests. The lists of tokens and pools begin with the busiest. */
export interface Keys {
  tokens: Hex[];
  /** Wallets with at most 100 trades each, so a response about 1,000 of them is complete. */
  wallets: Hex[];
  pools: Hex[];
}

const WALLETS = 20_000;
const POOLS = 20_000;

export async function keysOf(engine: Engine): Promise<Keys> {
  const wallets = sql`SELECT trader_address AS key FROM ${engineTable("eth", "wallet_trades")}
    GROUP BY trader_address HAVING count() <= 100 ORDER BY sipHash64(trader_address) LIMIT ${integer(WALLETS)}`;
  const pools = sql`SELECT pool_address AS key FROM ${TRADES} GROUP BY pool_address ORDER BY count() DESC LIMIT ${integer(POOLS)}`;
  return {
    tokens: await tokensByRank(engine),
    wallets: await addresses(engine, wallets),
    pools: await addresses(engine, pools),
  };
}

async function addresses(engine: Engine, keys: Sql): Promise<Hex[]> {
  const rows = await engine.query<{ address: Hex }>(
    sql`SELECT concat('0x', lower(hex(key))) AS address FROM (${keys})`,
  );
  return rows.map(({ address }) => address);
}
