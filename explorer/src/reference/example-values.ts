import { DAY_SECONDS } from "../format/time.ts";
import { quarry } from "../queries/service/client.ts";
import { sqlText, table } from "../queries/service/sql.ts";
import type { Subjects } from "./live-examples.ts";

type Traded = { token_address: string; pool_address: string; trader_address: string };

/** How far back trades are looked at, in seconds before the newest block. */
const RECENT_SECONDS = DAY_SECONDS;

/** What the newest trade of the first chain was about; nothing where that is not known. */
export async function subjectsOfChain(): Promise<Subjects> {
  const trade = await newestTrade().catch(() => undefined);
  return {
    token_address: trade?.token_address ?? null,
    pool_address: trade?.pool_address ?? null,
    wallet_address: trade?.trader_address ?? null,
  };
}

async function newestTrade(): Promise<Traded | undefined> {
  const { chains } = await quarry.status();
  const [chain] = chains;
  if (chain?.indexed_timestamp == null) return undefined;
  const { rows } = await quarry.sql<Traded>(
    sqlText`SELECT token_address, pool_address, trader_address FROM ${table(chain.chain, "dex_trades")}
      WHERE timestamp >= ${chain.indexed_timestamp - RECENT_SECONDS} ORDER BY timestamp DESC LIMIT 1`.sql,
  );
  return rows[0];
}
