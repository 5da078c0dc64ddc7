import { hexBytes, identifier, integer, join, type Sql, sql, text } from "../../src/engine-sql/sql-text.ts";
import { recordIndexOf } from "../../src/schema/record-index.ts";
import type { logs } from "../../src/schema/tables/logs.ts";
import type { poolMetadata } from "../../src/schema/tables/pool-metadata.ts";
import type { tokenBalances } from "../../src/schema/tables/token-balances.ts";
import type { tokenMetadata } from "../../src/schema/tables/token-metadata.ts";
import type { erc20 } from "../../src/schema/tables/transfers.ts";
import type { TableName } from "../../src/schema/tables.ts";
import type { Engine } from "../../src/storage/store.ts";
import { engineTable } from "../../src/storage/tables/ddl.ts";
import { insertsOf, TRADES } from "./generated-market.ts";

const CHAIN = "eth";
/** Sync(uint112,uint112). */
const SYNC_TOPIC = "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1";

type Columns = Record<string, Sql>;

/**
 * Fills other tables to match the generated trades, oldest first. Writes a transfer between pool and trader
 * for each trade, a Sync of each pair, the balances of traders and V3 pools, and the pools.
 */
export async function generateTransfers(engine: Engine, print: (line: string) => void): Promise<void> {
  const [found] = await engine.query<{ rows: number; trades: number; first: number; last: number }>(
    sql`SELECT (SELECT count() FROM ${engineTable(CHAIN, "erc20")}) AS rows, count() AS trades, min(block_number) AS first, max(block_number) AS last FROM ${TRADES}`,
  );
  if (found === undefined || found.rows > 0) return;
  const startedMs = performance.now();
  const blocks = Math.ceil((found.last - found.first + 1) / insertsOf(found.trades));
  for (let first = found.first; first <= found.last; first += blocks) {
    const within = sql`block_number >= ${integer(first)} AND block_number < ${integer(first + blocks)}`;
    await insert(engine, "erc20", TRANSFER, sql`${TRADES} WHERE ${within}`);
    await insert(engine, "logs", SYNC, sql`${TRADES} WHERE ${within} AND ${IS_PAIR}`);
    await insert(engine, "token_balances", TRADER_BALANCE, sql`${TRADES} WHERE ${within}`);
    for (const balance of POOL_BALANCES)
      await insert(engine, "token_balances", balance, sql`${TRADES} WHERE ${within} AND NOT ${IS_PAIR}`);
  }
  const pools = sql`SELECT pool_address, any(token_address) AS token, any(quote_address) AS quote,
    any(protocol_name) AS protocol_name, min(block_number) AS born, min(timestamp) AS born_at FROM ${TRADES} GROUP BY pool_address`;
  await insert(engine, "pool_metadata", POOL, sql`(${pools})`);
  const quotes = sql`SELECT quote_address, min(block_number) AS born FROM ${TRADES} GROUP BY quote_address`;
  await insert(engine, "token_metadata", QUOTE_TOKEN, sql`(${quotes})`);
  print(`transfers, Syncs, balances and pools: ${Math.round((performance.now() - startedMs) / 1000)} s`);
}

async function insert(engine: Engine, table: TableName, columns: Columns, source: Sql): Promise<void> {
  const names = join(Object.keys(columns).map(identifier));
  await engine.execute(
    sql`INSERT INTO ${engineTable(CHAIN, table)} (${names}) SELECT ${join(Object.values(columns))} FROM ${source} SETTINGS max_partitions_per_insert_block = 0`,
  );
}

const IS_PAIR = sql`protocol_name = 'uniswap_v2'`;
const same = (name: string): Sql => identifier(name);
const pool = sql`toFixedString(pool_address, 20)`;
const isBuy = sql`side = 'buy'`;
const amount = (what: string): Sql => sql`toUInt256(cityHash64(${text(what)}, record_index)) * 100000`;
const word = (value: Sql): Sql => sql`reverse(reinterpretAsFixedString(${value}))`;

const TRANSFER: Record<keyof typeof erc20.columns, Sql> = {
  record_index: same("record_index"),
  transaction_hash: same("transaction_hash"),
  transaction_index: same("transaction_index"),
  block_number: same("block_number"),
  timestamp: same("timestamp"),
  from_address: sql`if(${isBuy}, ${pool}, trader_address)`,
  to_address: sql`if(${isBuy}, trader_address, ${pool})`,
  token_address: same("token_address"),
  token_symbol: same("token_symbol"),
  token_name: same("token_name"),
  log_index: sql`log_index + 1`,
  value_base: sql`toUInt256(amount_token * 1e18)`,
  value_token: same("amount_token"),
  value_usd: same("amount_usd"),
};

const SYNC: Record<keyof typeof logs.columns, Sql> = {
  timestamp: same("timestamp"),
  address: pool,
  block_hash: same("block_hash"),
  block_number: same("block_number"),
  data: sql`concat(${word(amount("reserve0"))}, ${word(amount("reserve1"))})`,
  log_index: sql`log_index + 2`,
  record_index: same("record_index"),
  topic_0: hexBytes(SYNC_TOPIC),
  topic_1: sql`NULL`,
  topic_2: sql`NULL`,
  topic_3: sql`NULL`,
  transaction_hash: same("transaction_hash"),
  transaction_index: same("transaction_index"),
};

type Balance = Record<keyof typeof tokenBalances.columns, Sql>;

const balanceOf = (wallet: Sql, token: Sql, base: Sql): Balance => ({
  wallet_address: wallet,
  token_address: token,
  token_symbol: same("token_symbol"),
  balance_base: base,
  balance_token: sql`toFloat64(${base}) / 1e18`,
  block_number: same("block_number"),
  timestamp: same("timestamp"),
  record_index: same("record_index"),
});

const TRADER_BALANCE = balanceOf(same("trader_address"), same("token_address"), amount("trader"));
const POOL_BALANCES = [
  balanceOf(pool, same("token_address"), amount("pool")),
  balanceOf(pool, same("quote_address"), amount("quote")),
];

const POOL: Record<keyof typeof poolMetadata.columns, Sql> = {
  block_number_created: same("born"),
  pool_address: same("pool_address"),
  protocol: same("protocol_name"),
  timestamp_created: same("born_at"),
  token_0_address: same("token"),
  token_1_address: same("quote"),
  token_addresses: sql`concat('0x', lower(hex(token)), ',0x', lower(hex(quote)))`,
  underlying_token_addresses: text(""),
  fee: integer(3000),
  hooks_address: sql`NULL`,
  hooks_flags: sql`NULL`,
  factory_address: sql`toFixedString('factory', 20)`,
  record_index: sql`born * ${integer(recordIndexOf("wide", 1, 0))} + rowNumberInAllBlocks() % 1000`,
  family: sql`if(${IS_PAIR}, 'uniswap-v2', 'uniswap-v3')`,
  first_seen_block_number: same("born"),
};

const QUOTE_TOKEN: Record<keyof typeof tokenMetadata.columns, Sql> = {
  token_address: same("quote_address"),
  token_symbol: text("QUOTE"),
  token_name: text("Quote token"),
  decimals: integer(18),
  first_seen_block_number: same("born"),
  record_index: sql`born * ${integer(recordIndexOf("wide", 1, 0))} + 200000 + rowNumberInAllBlocks()`,
  is_born: integer(0),
};
