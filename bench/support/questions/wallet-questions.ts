import { integer, sql } from "../../../src/engine-sql/sql-text.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import { readBatchTotals, readPerToken, readTotals } from "../../../src/reads/wallets/wallets.ts";
import type { Engine } from "../../../src/storage/store.ts";
import { engineTable } from "../../../src/storage/tables/ddl.ts";
import { insertsOf, TRADES } from "../generated-market.ts";
import type { PriceQuestion } from "./price-questions.ts";

const WALLETS = 1_000;
const COPY = engineTable("eth", "wallet_trades");

/**
 * Writes a copy of the trades that is ordered by wallet. Inserts them oldest first, like the trades that are
 * ordered by token.
 */
export async function copyTrades(engine: Engine, print: (line: string) => void): Promise<void> {
  const [found] = await engine.query<{ rows: number; trades: number; first: number; last: number }>(
    sql`SELECT (SELECT count() FROM ${COPY}) AS rows, count() AS trades, min(block_number) AS first, max(block_number) AS last FROM ${TRADES}`,
  );
  if (found === undefined || found.rows > 0) return;
  const blocks = Math.ceil((found.last - found.first + 1) / insertsOf(found.trades));
  const startedMs = performance.now();
  for (let first = found.first; first <= found.last; first += blocks) {
    await engine.execute(sql`INSERT INTO ${COPY} SELECT trader_address, record_index, block_number, timestamp, token_address, side,
      amount_token, amount_usd FROM ${TRADES} WHERE block_number >= ${integer(first)} AND block_number < ${integer(first + blocks)}`);
  }
  print(`trades copied in the order of wallets: ${Math.round((performance.now() - startedMs) / 1000)} s`);
}

/** Returns questions about wallets with just under 100 trades each, spread over all such wallets. */
export async function walletQuestions(engine: Engine): Promise<PriceQuestion[]> {
  const rows = await engine.query<{
    wallet: Hex;
  }>(sql`SELECT concat('0x', lower(hex(trader_address))) AS wallet
    FROM (SELECT trader_address FROM ${COPY} GROUP BY trader_address HAVING count() <= 100
    ORDER BY count() < 90, sipHash64(trader_address) LIMIT ${integer(WALLETS)})`);
  const wallets = rows.map(({ wallet }) => wallet);
  const [one = "0x"] = wallets;
  const question = { wallet: one, totalExclude: false, maxSizeOk: false };
  return [
    {
      name: `performance of ${wallets.length} wallets`,
      barMs: 400,
      path: "/v1/wallet-api/batch-latest-total-performance",
      body: { wallet_address: wallets },
      read: (snapshot) => readBatchTotals(snapshot, wallets, false),
      postgres: totals(wallets),
      checked: (answer) =>
        Object.values((answer as { data: Record<string, { total_trades: number }> }).data).map(
          ({ total_trades }) => total_trades,
        ),
    },
    {
      name: "performance of one wallet",
      barMs: 15,
      path: "/v1/wallet-api/latest-total-performance",
      body: { wallet_address: one },
      read: (snapshot) => readTotals(snapshot, question),
      postgres: totals([one]),
      checked: (answer) => [(answer as { total_trades: number }).total_trades],
    },
    {
      name: "performance of one wallet, token by token",
      barMs: 15,
      path: "/v1/wallet-api/latest-performance-per-token",
      body: { wallet_address: one },
      read: (snapshot) => readPerToken(snapshot, question),
      postgres: `SELECT positions.*, price, trades AS checked FROM (${positions([one])}) AS positions LEFT JOIN prices USING (token)`,
      checked: (answer) =>
        (answer as { data: { total_trades: number }[] }).data.map(({ total_trades }) => total_trades),
    },
  ];
}

/**
 * Returns the query for positions. It does not apply the rule that a balance is never negative, which needs
 * long SQL, so PostgreSQL does less work than the service.
 */
function positions(wallets: readonly Hex[]): string {
  const items = wallets.map((wallet) => `"\\\\x${wallet.slice(2)}"`);
  const sum = (column: string, side: string) => `coalesce(sum(${column}) FILTER (WHERE ${side}), 0)`;
  return `SELECT trader, token, count(*) AS trades, ${sum("amount", "is_buy")} AS bought, ${sum("usd", "is_buy")} AS buy_volume, ${sum("amount", "NOT is_buy")} AS sold, ${sum("usd", "NOT is_buy")} AS sell_volume, min(traded_at), max(traded_at) FROM wallet_trades WHERE trader = ANY('{${items.join(",")}}'::bytea[]) GROUP BY trader, token`;
}

function totals(wallets: readonly Hex[]): string {
  return `SELECT '0x' || encode(trader, 'hex'), sum(trades) AS checked, sum(buy_volume), sum(sell_volume), sum(greatest(bought - sold, 0) * price) FROM (${positions(wallets)}) AS positions LEFT JOIN prices USING (token) GROUP BY trader`;
}
