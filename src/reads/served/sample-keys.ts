import { answerExpression } from "../../engine-sql/column-types.ts";
import { identifier, integer, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../../lib/seconds.ts";
import { type TableName, tableOf } from "../../schema/tables.ts";
import { TRADE_PRICES } from "../../schema/trade-price.ts";
import { CHUNK_INTERVALS, chunkKey, firstTradeKey } from "../../serving/candles/candle-chunk.ts";
import { ALL_BLOCKS } from "../../serving/counts/block-proofs.ts";
import { ALL_TABLES } from "../../serving/counts/row-counts.ts";
import type { PartName } from "../../serving/parts.ts";
import { type RecordGroup, recordsKey } from "../../serving/records/newest-records.ts";
import { basePriceKey } from "../../serving/window/base-prices.ts";
import type { Commit } from "../../storage/store.ts";
import { listKey } from "../screener/kept-lists.ts";
import type { ScreenQuery } from "../screener/screen-query.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";

/**
 * Maximum number of values sampled from a column: this many that occur in blocks after the start, and as many
 * that do not.
 */
const VALUES = 10;

/**
 * Number of blocks before the start from which unchanged values are chosen: 17 hours on Ethereum, 3 on
 * Polygon.
 */
const BLOCKS_BEFORE = 5_000;

/** Number of tokens whose candles and first trades are sampled: each takes several statements. */
const SERIES = 2;

/** Record groups whose lists are sampled, one per table; other columns differ only in the key. */
const RECORD_GROUPS: readonly RecordGroup[] = [
  { table: "dex_trades", column: "trader_address", capacity: 10 },
  { table: "erc20", column: "to_address", capacity: 10 },
  { table: "erc721", column: "to_address", capacity: 10 },
  { table: "transactions", column: "from_address", capacity: 10 },
  { table: "logs", column: "address", capacity: 10 },
];

const ANY = { min: null, max: null };

const SAMPLE_LIST: ScreenQuery = {
  ...{ kind: "token", windowSeconds: DAY_SECONDS, sort: "volume_usd", order: "desc", rows: VALUES },
  filters: { volume_usd: ANY, trades: ANY, traders: ANY, price_change_pct: ANY, liquidity_usd: ANY },
  ...{ age: ANY, protocol: null, tokens: null, showsSpam: false, excludesWash: false },
};

/**
 * Samples keys of each part, about half of which changed after a commit. The same blocks give the same keys.
 */
export async function sampleKeys(snapshot: Snapshot, start: Commit): Promise<Record<PartName, string[]>> {
  const valuesOf = (table: TableName, column: string) =>
    sampleValues(snapshot, { table, column, after: start.blockNumber });
  const recordsOf = async (group: RecordGroup) =>
    (await valuesOf(group.table, group.column)).map((value) => recordsKey(group, value));
  const [tokens, pools, wallets, newestRecords] = await Promise.all([
    valuesOf("dex_trades", "token_address"),
    valuesOf("dex_trades", "pool_address"),
    valuesOf("dex_trades", "trader_address"),
    Promise.all(RECORD_GROUPS.map(recordsOf)),
  ]);
  return {
    ...{ tickPrices: tokens, robustPrices: tokens, tokenFacts: tokens },
    ...{
      pools,
      wallets,
      newestRecords: newestRecords.flat(),
      rowCounts: [ALL_TABLES],
      blockProofs: [ALL_BLOCKS],
    },
    basePrices: tokens.flatMap((token) => TRADE_PRICES.map((type) => basePriceKey(token, type))),
    candles: tokens.slice(0, SERIES).map((token) => candleKey(token, start.timestamp)),
    lists: [listKey(SAMPLE_LIST)],
    firstTrades: tokens.slice(0, SERIES).map((token) => firstTradeKey(token, "all", TRADE_PRICES[0])),
  };
}

async function sampleValues(
  snapshot: Snapshot,
  { table, column, after }: { table: TableName; column: string; after: number },
): Promise<Hex[]> {
  const value = identifier(column);
  const kind = tableOf(table).columns[column]?.kind ?? "address";
  const rows = await snapshot.query<{ value: Hex }>(
    sql`SELECT ${answerExpression(kind, value, "rest")} AS value, max(block_number) > ${integer(after)} AS isChanged
      FROM ${snapshot.table(table)} WHERE block_number > ${integer(Math.max(0, after - BLOCKS_BEFORE))}
      AND block_number <= ${integer(snapshot.commit.blockNumber)}
      GROUP BY ${value} ORDER BY isChanged DESC, sipHash64(${value}) LIMIT ${integer(VALUES)} BY isChanged`,
  );
  return rows.map((row) => row.value);
}

/** Returns the key of the chunk of hourly candles that includes a time. */
function candleKey(token: Hex, time: number): string {
  const series = { token, pool: "all", priceType: TRADE_PRICES[0], intervalSeconds: HOUR_SECONDS } as const;
  return chunkKey(series, Math.floor(time / (CHUNK_INTERVALS * HOUR_SECONDS)));
}
