/**
 * What does a verdict cost? Runs each query with and without `spam_reasons` or `wash_reason`, on generated
 * trades with one transfer each, and on transfers of tokens without trades.
 *
 *   npm run bench -- verdicts --data FOLDER [--trades 2000000] [--untraded 1000000] [--seconds 5]
 */
import { identifier, integer, join, type Sql, sql } from "../../src/engine-sql/sql-text.ts";
import { compileSql } from "../../src/sql/compile.ts";
import { openEmbeddedEngine } from "../../src/storage/engines/embedded-engine.ts";
import { engineTable } from "../../src/storage/tables/ddl.ts";
import { benchOptions } from "../support/bench-options.ts";
import { timeStatements } from "../support/engine-alone.ts";
import { END, generateMarket, LAST_BLOCK, START, TRADES } from "../support/generated-market.ts";
import { generateTransfers } from "../support/generated-transfers.ts";
import { printTable } from "../support/print-table.ts";

const options = benchOptions(
  { data: "./data", trades: 2_000_000, untraded: 1_000_000, seconds: 5 },
  { trades: 5_000, untraded: 2_000, seconds: 0 },
);
/** Number of transfers of each token without trades. */
const TRANSFERS_OF_TOKEN = 100;
/** The address of a token without trades, from its number `t`. */
const UNTRADED_TOKEN = sql`toFixedString(unhex(concat(repeat('ff', 12), leftPad(hex(t), 16, '0'))), 20)`;

const engine = await openEmbeddedEngine({ path: options.data });
await generateMarket(engine, options.trades, console.log);
await generateTransfers(engine, console.log);
await generateUntraded();

const [busiest = "", quiet = ""] = await tokens(sql`count() DESC`);
const untraded = `0x${"ff".repeat(12)}${"0".repeat(16)}`;
const most = (await tokens(sql`count() DESC`, 100)).map((token) => `'${token}'`).join(", ");
const QUERIES: Record<string, string> = {
  "metadata of a token without trades": `SELECT token_name, ? FROM eth_token_metadata WHERE token_address = '${untraded}'`,
  "metadata of the busiest token": `SELECT token_name, ? FROM eth_token_metadata WHERE token_address = '${busiest}'`,
  "metadata of the 100 busiest tokens": `SELECT token_name, ? FROM eth_token_metadata WHERE token_address IN (${most})`,
  "transfers of a transaction": `SELECT token_symbol, ? FROM eth_erc20 WHERE transaction_hash = '${await aTransaction()}'`,
  "100 newest trades of a token": `SELECT amount_usd, ? FROM eth_dex_trades WHERE token_address = '${quiet}' ORDER BY record_index DESC LIMIT 100`,
  "volume by token in a day": `SELECT token_address, SUM(amount_usd), MAX(?) FROM eth_dex_trades WHERE timestamp > ${END - 86_400} GROUP BY token_address`,
  "all tokens": "SELECT COUNT(*) AS tokens, COUNT(?) AS spam FROM eth_token_metadata",
};

const [busiestPool = ""] = await pools();
const WASH_QUERIES: Record<string, string> = {
  "volume of a pool by day": `SELECT HISTOGRAM(timestamp, INTERVAL 1 DAY) AS day, SUM(amount_usd), MAX(?) FROM eth_dex_trades WHERE pool_address = '${busiestPool}' GROUP BY day`,
  "volume by pool in a day": `SELECT pool_address, SUM(amount_usd), MAX(?) FROM eth_dex_trades WHERE timestamp > ${END - 86_400} GROUP BY pool_address`,
  "volume of all days": "SELECT SUM(amount_usd), COUNT(?) FROM eth_dex_trades",
};

const rows: string[][] = [];
const queries = [
  ...Object.entries(QUERIES).map((one) => [...one, "spam_reasons"] as const),
  ...Object.entries(WASH_QUERIES).map((one) => [...one, "wash_reason"] as const),
];
for (const [name, query, verdict] of queries) {
  const without = await processorMs(query.replace("?", "token_symbol"));
  const judged = await processorMs(query.replace("?", verdict));
  rows.push([name, without.toFixed(1), judged.toFixed(1), (judged / without).toFixed(1)]);
}
printTable(["query", "without (ms of processor)", "with", "ratio"], rows);
await engine.close();

/** Returns the processor time of a query. On a busy machine it varies less than the elapsed time. */
async function processorMs(query: string): Promise<number> {
  const context = { chains: ["eth"], now: END, engineTable, listedTokens: () => [] };
  const statement = compileSql(query, context).print(LAST_BLOCK);
  await timeStatements(engine, [statement], 0);
  const before = process.cpuUsage();
  const { milliseconds } = await timeStatements(engine, [statement], options.seconds);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / milliseconds.length;
}

async function tokens(order: Sql, limit = 2): Promise<string[]> {
  const found = await engine.query<{ token: string }>(
    sql`SELECT concat('0x', lower(hex(token_address))) AS token FROM ${TRADES} GROUP BY token_address ORDER BY ${order}, token LIMIT ${integer(limit)}`,
  );
  return found.map(({ token }) => token);
}

async function pools(): Promise<string[]> {
  const found = await engine.query<{ pool: string }>(
    sql`SELECT concat('0x', lower(hex(pool_address))) AS pool FROM ${TRADES} GROUP BY pool_address ORDER BY count() DESC, pool LIMIT 1`,
  );
  return found.map(({ pool }) => pool);
}

async function aTransaction(): Promise<string> {
  const [found] = await engine.query<{ hash: string }>(
    sql`SELECT concat('0x', lower(hex(transaction_hash))) AS hash FROM ${TRADES} LIMIT 1`,
  );
  return found?.hash ?? "";
}

/**
 * Generates tokens with transfers but no trades. One in ten has a link in its name, and one in a hundred is
 * airdropped.
 */
async function generateUntraded(): Promise<void> {
  const [found] = await engine.query<{ rows: number }>(
    sql`SELECT count() AS rows FROM ${engineTable("eth", "token_metadata")} WHERE token_symbol = 'S0'`,
  );
  if (found !== undefined && found.rows > 0) return;
  const count = Math.max(1, Math.floor(options.untraded / TRANSFERS_OF_TOKEN));
  await insert(
    "token_metadata",
    {
      token_address: UNTRADED_TOKEN,
      token_symbol: sql`concat('S', toString(t))`,
      token_name: sql`if(t % 10 = 0, concat('visit claim', toString(t), '.com'), 'Reward')`,
      decimals: sql`18`,
      first_seen_block_number: integer(LAST_BLOCK - 1_000_000),
      record_index: sql`t`,
    },
    sql`(SELECT number AS t FROM numbers(${integer(count)}))`,
  );
  await insert(
    "erc20",
    {
      token_address: UNTRADED_TOKEN,
      block_number: integer(LAST_BLOCK - 1_000_000),
      timestamp: sql`toDateTime(${integer(START + 86_400)} + (t * 7919) % 30000000, 'UTC')`,
      record_index: sql`n`,
      log_index: sql`n`,
      transaction_hash: sql`toFixedString(reinterpretAsString(if(t % 100 = 0, t, n + 1000000)), 32)`,
      to_address: sql`toFixedString(reinterpretAsString(n), 20)`,
    },
    sql`(SELECT number AS n, intDiv(number, ${integer(TRANSFERS_OF_TOKEN)}) AS t FROM numbers(${integer(count * TRANSFERS_OF_TOKEN)}))`,
  );
}

async function insert(
  table: "erc20" | "token_metadata",
  columns: Record<string, Sql>,
  source: Sql,
): Promise<void> {
  const names = join(Object.keys(columns).map(identifier));
  await engine.execute(
    sql`INSERT INTO ${engineTable("eth", table)} (${names}) SELECT ${join(Object.values(columns))} FROM ${source} SETTINGS max_partitions_per_insert_block = 0`,
  );
}
