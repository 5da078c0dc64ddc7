import { engineType } from "../../../src/engine-sql/column-types.ts";
import {
  hexBytes,
  identifier,
  integer,
  join,
  type Sql,
  sql,
  text,
} from "../../../src/engine-sql/sql-text.ts";
import type { Hex } from "../../../src/lib/hex.ts";
import type { Column } from "../../../src/schema/column.ts";
import { recordIndexOf } from "../../../src/schema/record-index.ts";
import { type RowOf, TABLE_NAMES, type TableName, tableOf } from "../../../src/schema/tables.ts";
import { hex } from "../../support/markets/market.ts";

/** The value of NOW() in the spec queries: 2024-03-10 12:00:00 UTC. */
export const FIXTURE_NOW = 1_710_072_000;
/** Newest committed block. The tables also contain rows of block 107, which must not be in any answer. */
export const FIXTURE_BOUND = 106;

/** Times of blocks 100 to 107. They are days and months apart, so buckets differ. */
const TIMES = [
  "2022-12-31T23:59:59Z",
  "2023-01-01T00:00:00Z",
  "2023-11-14T22:13:20Z",
  "2024-01-31T12:30:15Z",
  "2024-02-29T00:00:00Z",
  "2024-03-09T11:59:59Z",
  "2024-03-10T11:59:58Z",
  "2024-03-10T11:59:59Z",
].map((time) => Date.parse(time) / 1000);

const FIRST_BLOCK = 100;
const timeOf = (block: number) => TIMES[block - FIRST_BLOCK] ?? 0;
const MAX_AMOUNT = 2n ** 256n - 1n;

const blocks = TIMES.map((timestamp, i): RowOf<"blocks"> => {
  const number = FIRST_BLOCK + i;
  return {
    timestamp,
    block_number: number,
    block_hash: hex("b", number, 32),
    parent_hash: hex("b", number - 1, 32),
    miner: hex("a", i % 2),
    gas_limit: 30_000_000n,
    gas_used: i * 1_000_000,
    base_fee_per_gas: i === 0 ? null : 10n ** BigInt(4 * i),
    transaction_count: i,
    size: 500 + i,
    extra_data: i === 1 ? "0x" : "0x6265617665720a27",
    record_index: recordIndexOf("wide", number, 0),
    log_count: 0,
    erc20_count: 0,
    erc721_count: 0,
    trade_count: 0,
    pool_count: 0,
    token_count: 0,
    balance_count: 0,
    singleton_log_count: 0,
    proof: "block",
    origin: "rpc",
    logged_singletons: "",
  };
});

const SYMBOLS = ["ALPHA", "it's", "100%_\\", null] as const;

const dexTrades = Array.from({ length: 16 }, (_, i): RowOf<"dex_trades"> => {
  const number = FIRST_BLOCK + Math.floor(i / 2);
  const usd = i === 5 ? null : i * 1.5;
  return {
    timestamp: timeOf(number),
    amount_eth: i / 1000,
    amount_token: i === 6 ? 0 : i,
    amount_usd: usd,
    amount_quote: null,
    amounts_unknown_reason: null,
    block_hash: hex("b", number, 32),
    block_number: number,
    interacted_with_address: i % 4 === 0 ? null : hex("f", i % 4),
    log_index: i,
    num_trades_1h: i,
    num_trades_24h: i,
    pool_address: i % 5 === 0 ? hex("d", 0, 32) : hex("d", i % 5),
    price_token_eth: null,
    price_token_usd_tick_1: usd,
    price_token_usd_tick_100: null,
    price_token_usd_wavg_1h: null,
    price_token_usd_wavg_24h: null,
    price_token_usd_robust_tick_1: i % 3 === 0 ? null : usd,
    price_token_usd_robust_total_1h: null,
    price_token_usd_robust_total_24h: null,
    price_token_usd_robust_buy_1h: null,
    price_token_usd_robust_buy_24h: null,
    price_token_usd_robust_sell_1h: null,
    price_token_usd_robust_sell_24h: null,
    price_token_usd_robust_mid_1h: null,
    price_token_usd_robust_mid_24h: null,
    protocol_name: i % 2 === 0 ? "uniswap_v2" : "uniswap_v3",
    quote_address: hex("c", 1),
    record_index: recordIndexOf("wide", number, i),
    side: i % 3 === 0 ? "buy" : "sell",
    token_address: hex("e", i % 4),
    token_name: null,
    token_symbol: SYMBOLS[i % 4] ?? null,
    trader_address: hex("9", i % 3),
    transaction_hash: hex("7", i, 32),
    transaction_index: 0,
    volume_1h_usd: i,
    volume_24h_usd: i,
  };
});

/** The largest possible gas limit, and the gas limit of system transactions on BNB Smart Chain. */
const LARGE_GAS_LIMITS: Partial<Record<number, bigint>> = { 5: 2n ** 64n - 1n, 6: 2n ** 63n - 1n };

const transactions = Array.from({ length: 8 }, (_, i): RowOf<"transactions"> => {
  const number = FIRST_BLOCK + i;
  return {
    timestamp: timeOf(number),
    transaction_hash: hex("7", i, 32),
    transaction_index: 0,
    block_number: number,
    block_hash: hex("b", number, 32),
    from_address: hex("9", i % 3),
    to_address: i === 2 ? null : hex("f", i % 2),
    contract_address: i === 2 ? hex("f", 7) : null,
    value_base: 10n ** BigInt(3 * i),
    value_eth: 10 ** (3 * i - 18),
    nonce: i,
    input: i % 2 === 0 ? "0x" : "0xa9059cbb0102",
    method_id: i % 2 === 0 ? null : "0xa9059cbb",
    type: i % 3,
    gas_limit: LARGE_GAS_LIMITS[i] ?? 21_000n,
    gas_used: 21_000,
    gas_price: 2n ** BigInt(10 * i),
    max_fee_per_gas: null,
    max_priority_fee_per_gas: null,
    transaction_fee_eth: 0.001,
    transaction_fee_usd: null,
    status: i === 4 ? 0 : 1,
    record_index: recordIndexOf("wide", number, 0),
  };
});

const erc20 = Array.from({ length: 5 }, (_, i): RowOf<"erc20"> => {
  const number = FIRST_BLOCK + (i === 4 ? 7 : i);
  return {
    record_index: recordIndexOf("wide", number, 0),
    transaction_hash: hex("7", i, 32),
    transaction_index: 0,
    block_number: number,
    timestamp: timeOf(number),
    from_address: hex("9", 0),
    to_address: hex("9", 1),
    token_address: hex("e", i < 3 ? 1 : 2),
    token_symbol: "ALPHA",
    token_name: "Alpha 🚀",
    log_index: i,
    value_base: i < 3 ? MAX_AMOUNT : 7n,
    value_token: null,
    value_usd: null,
  };
});

const poolMetadata = [0, 1, 2].map(
  (i): RowOf<"pool_metadata"> => ({
    block_number_created: i === 0 ? null : 100 + i,
    pool_address: i === 2 ? hex("d", 2, 32) : hex("d", i),
    protocol: "uniswap_v2",
    timestamp_created: i === 0 ? null : timeOf(100 + i),
    token_0_address: hex("c", 1),
    token_1_address: hex("e", i),
    token_addresses: `${hex("c", 1)},${hex("e", i)}`,
    underlying_token_addresses: "",
    fee: i === 0 ? null : 3000,
    hooks_address: null,
    hooks_flags: null,
    factory_address: hex("fa", 1),
    record_index: i,
    family: "uniswap-v2",
    first_seen_block_number: 100 + i,
  }),
);

/** The listed tokens. Their symbols are genuine. */
export const FIXTURE_LISTED = [hex("c", 1)];

const tokenMetadata = [
  [hex("c", 1), "USDC", "USD Coin"],
  [hex("e", 1), "ALPHA", "Alpha 🚀"],
  [hex("e", 2), "100%_\\", null],
  [hex("e", 8), "AIR", "Visit claim-alpha.com"],
  [hex("e", 9), "U\u0405DC", "USD Coin"],
].map(([token, symbol, name], i): RowOf<"token_metadata"> => {
  return {
    token_address: token as Hex,
    token_symbol: symbol ?? null,
    token_name: name ?? null,
    decimals: 18,
    first_seen_block_number: FIRST_BLOCK + i,
    record_index: recordIndexOf("wide", FIRST_BLOCK + i, 0),
    is_born: 0,
  };
});

/**
 * Histories of three holdings. The newest balance of the second one is unknown. The last row of the first one
 * is above the newest block.
 */
const tokenBalances = [
  [0, 1, 100, MAX_AMOUNT],
  [0, 1, 103, 7n],
  [0, 1, 107, 8n],
  [0, 2, 101, 5n],
  [0, 2, 104, null],
  [1, 1, 102, 0n],
].map(([wallet, token, block, balance], i): RowOf<"token_balances"> => {
  const [base, number] = [balance as bigint | null, Number(block)];
  return {
    wallet_address: hex("9", Number(wallet)),
    token_address: hex("e", Number(token)),
    token_symbol: SYMBOLS[Number(token)] ?? null,
    balance_base: base,
    balance_token: base === null ? null : Number(base) / 100,
    block_number: number,
    timestamp: timeOf(number),
    record_index: recordIndexOf("wide", number, i),
  };
});

const ROWS: { [N in TableName]?: readonly object[] } = {
  blocks,
  transactions,
  dex_trades: dexTrades,
  erc20,
  pool_metadata: poolMetadata,
  token_metadata: tokenMetadata,
  token_balances: tokenBalances,
};

/** The spam tokens of the fixture, and the reasons why they are spam. */
const SPAM = new Map<string, string>([
  [hex("e", 8), "no_accepted_trade,link_in_name"],
  [hex("e", 9), "no_accepted_trade,imitates_listed_symbol"],
]);

/** Returns the visible rows of the fixture, with their verdicts. */
export function fixtureRows(name: TableName): readonly AnyRow[] {
  const rows = visibleRowsOf(name, (ROWS[name] ?? []) as readonly AnyRow[], FIXTURE_BOUND);
  if (tableOf(name).verdicts === undefined) return rows;
  return rows.map((row) => {
    return { ...row, spam_reasons: SPAM.get(String(row.token_address)) ?? null, wash_reason: null };
  });
}

export type AnyRow = Readonly<Record<string, unknown>>;

/**
 * Returns the visible rows of a table: the rows up to a block, or only the newest of each key if the table is
 * a history.
 */
export function visibleRowsOf(name: TableName, rows: readonly AnyRow[], bound: number): readonly AnyRow[] {
  const { blockColumn, newestOf, order } = tableOf(name);
  const committed = rows.filter((row) => Number(row[blockColumn]) <= bound);
  if (newestOf === undefined) return committed;
  const last = order.at(-1) ?? blockColumn;
  const keyed = committed
    .toSorted((a, b) => Number(a[last]) - Number(b[last]))
    .map((row) => [newestOf.map((column) => row[column]).join(), row] as const);
  return [...new Map(keyed).values()];
}

/** Returns the statements that create the tables of the chain `eth`, some with rows. */
export function fixtureStatements(): Sql[] {
  return TABLE_NAMES.flatMap((name) => tableStatements("eth", name, (ROWS[name] ?? []) as readonly AnyRow[]));
}

/** Returns the statements that create a table of a chain with the given rows. */
export function tableStatements(chain: string, name: TableName, rows: readonly AnyRow[]): Sql[] {
  const table = identifier(`${chain}_${name}`);
  const { columns, order } = tableOf(name);
  const types = Object.entries(columns).map(([column, declared]) => {
    return sql`${identifier(column)} ${engineType(declared)}`;
  });
  const create = sql`CREATE TABLE ${table} (${join(types)}) ENGINE = MergeTree ORDER BY (${join(order.map(identifier))})`;
  return rows.length === 0 ? [create] : [create, insertStatement(chain, name, rows)];
}

/** Returns the statement that adds rows to a table of a chain. */
export function insertStatement(chain: string, name: TableName, rows: readonly AnyRow[]): Sql {
  const { columns } = tableOf(name);
  const values = rows.map((row) => printRow(row, columns));
  return sql`INSERT INTO ${identifier(`${chain}_${name}`)} VALUES ${join(values)}`;
}

function printRow(row: AnyRow, columns: Record<string, Column>): Sql {
  const values = Object.entries(columns).map(([name, { kind }]) => printValue(row[name], kind));
  return sql`(${join(values)})`;
}

function printValue(value: unknown, kind: Column["kind"]): Sql {
  if (value === null) return sql`NULL`;
  if (typeof value === "string") return kind === "text" || kind === "label" ? text(value) : hexBytes(value);
  if (typeof value === "bigint") return sql`toUInt256(${text(String(value))})`;
  return kind === "double" ? sql`toFloat64(${text(String(value))})` : integer(Number(value));
}
