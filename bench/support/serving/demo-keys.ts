import type { Hex } from "../../../src/lib/hex.ts";
import type { Keys } from "./keys.ts";

const MOST = 10_000;

/** Reads the keys of a running service from its answers, the busiest first. */
export async function keysOfService(url: string): Promise<Keys> {
  const [tokens, wallets, pools] = await Promise.all(
    ["token_address", "trader_address", "pool_address"].map((column) => busiest(url, column)),
  );
  return { tokens: tokens ?? [], wallets: wallets ?? [], pools: pools ?? [] };
}

async function busiest(url: string, column: string): Promise<Hex[]> {
  const query = `SELECT ${column} AS key, COUNT(*) AS trades FROM eth_dex_trades GROUP BY ${column} ORDER BY trades DESC LIMIT ${MOST}`;
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/v1/sql`, { method: "POST", headers, body: JSON.stringify({ query }) });
  const rows = (await response.json()) as { key: Hex }[];
  return rows.map(({ key }) => key);
}

/** Returns the time of the newest block. */
export async function newestTime(url: string): Promise<number> {
  const response = await fetch(`${url}/v1/status`);
  const { chains } = (await response.json()) as { chains: { indexed_timestamp: number | null }[] };
  return chains[0]?.indexed_timestamp ?? 0;
}
