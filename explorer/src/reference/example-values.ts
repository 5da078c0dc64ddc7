import { DAY_SECONDS } from "../format/time.ts";
import { quarry } from "../queries/service/client.ts";
import { sqlText, table } from "../queries/service/sql.ts";
import type { ExampleValues } from "./live-examples.ts";

type TradeRow = { token_address: string; pool_address: string; trader_address: string };

/** How far back from the newest block to search for a trade, in seconds. */
const RECENT_SECONDS = DAY_SECONDS;

/** Reads the token, pool and wallet of the first chain's newest trade; null if there is none. */
export async function exampleValues(): Promise<ExampleValues> {
  const trade = await newestTrade().catch(() => undefined);
  return {
    token_address: trade?.token_address ?? null,
    pool_address: trade?.pool_address ?? null,
    wallet_address: trade?.trader_address ?? null,
  };
}

async function newestTrade(): Promise<TradeRow | undefined> {
  const { chains } = await quarry.status();
  const [chain] = chains;
  if (chain?.indexed_timestamp == null) return undefined;
  const { rows } = await quarry.sql<TradeRow>(
    sqlText`SELECT token_address, pool_address, trader_address FROM ${table(chain.chain, "dex_trades")}
      WHERE timestamp >= ${chain.indexed_timestamp - RECENT_SECONDS} ORDER BY timestamp DESC LIMIT 1`.sql,
  );
  return rows[0];
}
