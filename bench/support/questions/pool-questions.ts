import { integer, sql } from "../../../src/engine-sql/sql-text.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { readPoolTvls } from "../../../src/reads/pools/pool-tvl.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { engineTable } from "../../../src/storage/tables/ddl.ts";
import { END } from "../generated-market.ts";
import type { PriceQuestion } from "./price-questions.ts";

const POOLS = 1_000;
const DAY = 86_400;
const TICK = "price_token_usd_tick_1";

/**
 * Returns questions about the balances of a thousand pools, both busy and quiet ones, now and half a year
 * ago.
 */
export async function poolQuestions(engine: Engine): Promise<PriceQuestion[]> {
  const rows = await engine.query<{ pool: Hex }>(
    sql`SELECT concat('0x', lower(hex(pool_address))) AS pool FROM ${engineTable("eth", "pool_metadata")}
      ORDER BY sipHash64(pool_address) LIMIT ${integer(POOLS)}`,
  );
  const pools = rows.map(({ pool }) => pool);
  return [
    tvl(`TVL of ${pools.length} pools`, pools, END),
    tvl(`TVL of ${pools.length} pools 180 days ago`, pools, END - 180 * DAY),
  ];
}

function tvl(name: string, pools: readonly Hex[], at: number): PriceQuestion {
  const items = pools.map((pool) => `"\\\\x${pool.slice(2)}"`).join(",");
  const balance = (token: string) =>
    `(SELECT balance FROM balances WHERE wallet = pools.pool AND balances.token = ${token} AND changed_at <= ${at} ORDER BY changed_at DESC, record_index DESC LIMIT 1)`;
  const price = (token: string) =>
    `(SELECT tick FROM dex_trades_records WHERE dex_trades_records.token = ${token} AND traded_at <= ${at} AND tick IS NOT NULL ORDER BY traded_at DESC, record_index DESC LIMIT 1)`;
  return {
    name,
    barMs: 150,
    path: "/v1/market-api/batch-latest-pool-tvl",
    body: { pool_address: pools, timestamp: at },
    read: (snapshot) => readPoolTvls(snapshot, pools, TICK, at),
    postgres: `SELECT pools.pool, coalesce(reserve0, ${balance("token0")}) / 1e18 AS checked, coalesce(reserve1, ${balance("token1")}) / 1e18 AS balance1, ${price("token0")} AS price0, ${price("token1")} AS price1 FROM unnest('{${items}}'::bytea[]) AS asked(pool) JOIN pools USING (pool) LEFT JOIN LATERAL (SELECT reserve0, reserve1 FROM syncs WHERE syncs.pool = pools.pool AND synced_at <= ${at} ORDER BY synced_at DESC, record_index DESC LIMIT 1) AS newest ON true`,
    checked: (answer) =>
      (answer as { data: { token_0_balance: number | null }[] }).data.map(
        ({ token_0_balance }) => token_0_balance || null,
      ),
  };
}
