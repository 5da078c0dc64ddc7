import type { Hex } from "../lib/hex.ts";
import { identifier, integer, join, type Sql, sql } from "../lib/sql-text.ts";
import { answerExpression } from "../schema/engine-type.ts";
import { dexTrades } from "../schema/tables/dex-trades.ts";
import { readSummary, type SummaryState } from "./price-summary.ts";
import type { Snapshot } from "./snapshot.ts";
import { tradesWith } from "./trade-conditions.ts";
import type { TradePrice } from "./trade-price.ts";

/** A trade that stands out in the history of its token. */
export interface PricedTrade {
  tokenAddress: Hex;
  /** Unix seconds. */
  tradedAt: number;
  transactionHash: Hex;
  /** USD per token. */
  price: number;
}

/** A token's first, highest, lowest and newest priced trade; of equal prices the first. */
export interface AllTimePrices {
  open: PricedTrade;
  high: PricedTrade;
  low: PricedTrade;
  close: PricedTrade;
}

interface AllTimeQuestion {
  tokens: readonly Hex[];
  pool: Hex | "all";
  priceType: TradePrice;
}

/** For each token that ever had a price of that type. */
export async function readAllTime(
  snapshot: Snapshot,
  question: AllTimeQuestion,
): Promise<Map<Hex, AllTimePrices>> {
  if (question.pool === "all") return readAllPools(snapshot, question);
  const trades = await readStandingOut(snapshot, question);
  const found = new Map<Hex, AllTimePrices>();
  for (const trade of trades) found.set(trade.tokenAddress, joined(found.get(trade.tokenAddress), trade));
  return found;
}

const STATES = ["opened", "highest", "lowest", "closed"] as const;

type SummaryRow = { tokenAddress: Hex } & Record<`${SummaryState}Price` | `${SummaryState}At`, number> &
  Record<`${SummaryState}Hash`, Hex>;

async function readAllPools(snapshot: Snapshot, { tokens, priceType }: AllTimeQuestion) {
  const rows = await readSummary<SummaryRow>(snapshot, {
    tokens,
    priceType,
    states: STATES,
    select: SUMMARY,
  });
  return new Map(
    rows.map((row): [Hex, AllTimePrices] => [
      row.tokenAddress,
      {
        open: tradeOf(row, "opened"),
        high: tradeOf(row, "highest"),
        low: tradeOf(row, "lowest"),
        close: tradeOf(row, "closed"),
      },
    ]),
  );
}

function tradeOf(row: SummaryRow, state: SummaryState): PricedTrade {
  const { tokenAddress } = row;
  return {
    tokenAddress,
    tradedAt: row[`${state}At`],
    transactionHash: row[`${state}Hash`],
    price: row[`${state}Price`],
  };
}

/** Places of price, time and hash in a state: the last trade has more to it. */
function stateColumns(state: SummaryState): Sql {
  const [at, hash] = state === "closed" ? [3, 5] : [2, 3];
  const element = (place: number) => sql`tupleElement(${identifier(state)}, ${integer(place)})`;
  return join([
    sql`${element(1)} AS ${identifier(`${state}Price`)}`,
    sql`${answerExpression("time", element(at), "rest")} AS ${identifier(`${state}At`)}`,
    sql`${answerExpression("hash", element(hash), "rest")} AS ${identifier(`${state}Hash`)}`,
  ]);
}

const TOKEN = sql`${answerExpression("address", sql`token_address`, "rest")} AS tokenAddress`;
const SUMMARY = join([TOKEN, ...STATES.map(stateColumns)]);

/** Takes the trades of a token in chain order, so that the first of equal prices stays. */
function joined(known: AllTimePrices | undefined, trade: PricedTrade): AllTimePrices {
  if (known === undefined) return { open: trade, high: trade, low: trade, close: trade };
  const { open, high, low } = known;
  return {
    open,
    high: trade.price > high.price ? trade : high,
    low: trade.price < low.price ? trade : low,
    close: trade,
  };
}

/** Finds the trades by their keys first: rows are wide, and only four a token are wanted. */
function readStandingOut(snapshot: Snapshot, question: AllTimeQuestion): Promise<PricedTrade[]> {
  const { tokens, pool, priceType } = question;
  const { token_address, transaction_hash, timestamp } = dexTrades.columns;
  const trades = { tokens, pools: pool === "all" ? pool : [pool], priced: priceType } as const;
  const places = sql`SELECT token_address, ${placesOf(identifier(priceType))} AS place FROM ${tradesWith(snapshot, trades)} GROUP BY token_address`;
  const keys = sql`SELECT token_address, tupleElement(place, 1), tupleElement(place, 2) FROM (${places})`;
  const select = join([
    sql`${answerExpression(token_address.kind, sql`token_address`, "rest")} AS tokenAddress`,
    sql`${answerExpression(timestamp.kind, sql`timestamp`, "rest")} AS tradedAt`,
    sql`${answerExpression(transaction_hash.kind, sql`transaction_hash`, "rest")} AS transactionHash`,
    sql`${identifier(priceType)} AS price`,
  ]);
  const known = sql`block_number <= ${integer(snapshot.commit.blockNumber)}`;
  return snapshot.query(
    sql`SELECT ${select} FROM ${snapshot.table("dex_trades")} WHERE (token_address, timestamp, record_index) IN (${keys}) AND ${known} ORDER BY record_index`,
  );
}

/**
 * Time and record index of the trades that stand out, a row each; both ascend together. Prices are positive, so their bits are in
 * their order: a price and its record index make one number, whose extreme is the first of equal extremes.
 */
function placesOf(price: Sql): Sql {
  const bits = sql`bitShiftLeft(toUInt128(reinterpretAsUInt64(assumeNotNull(${price}))), 64)`;
  const rising = sql`bitOr(${bits}, toUInt128(record_index))`;
  const falling = sql`bitOr(${bits}, toUInt128(bitNot(record_index)))`;
  const places = join([
    sql`(min(timestamp), min(record_index))`,
    sql`(argMax(timestamp, ${falling}), bitNot(toUInt64(max(${falling}))))`,
    sql`(argMin(timestamp, ${rising}), toUInt64(min(${rising})))`,
    sql`(max(timestamp), max(record_index))`,
  ]);
  return sql`arrayJoin(arrayDistinct([${places}]))`;
}
