import { answerExpression } from "../../engine-sql/column-types.ts";
import { identifier, integer, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { DAY_SECONDS } from "../../lib/seconds.ts";
import { dexTrades } from "../../schema/tables/dex-trades.ts";
import type { TradePrice } from "../../schema/trade-price.ts";
import type { TokenFacts } from "../../serving/tokens/token-facts.ts";
import { jsonArray } from "../rows/json-rows.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { readTokenFacts } from "../trades/token-facts.ts";
import { tradesWith } from "../trades/trade-conditions.ts";

export interface TicksQuery {
  tokens: readonly Hex[];
  pools: readonly Hex[] | "all";
  priceType: TradePrice;
  /** Bounds of the trades' times, inclusive, unix seconds. */
  from: number;
  until: number;
  /** Maximum number of ticks per token; the newest ones are kept. */
  size: number;
  /** Default: false. */
  excludeWash?: boolean;
}

/**
 * Reads the prices of individual trades, newest first, as the JSON of the answer: one object for one token,
 * an array of objects in the requested order for several tokens. The engine prints the rows; the pieces are
 * streamed.
 */
export async function* readTicks(snapshot: Snapshot, query: TicksQuery): AsyncGenerator<Uint8Array> {
  const facts = await readTokenFacts(snapshot, query.tokens);
  const several = query.tokens.length > 1;
  for (const [i, token] of query.tokens.entries()) {
    const start = several ? (i === 0 ? "[" : ",") : "";
    yield Buffer.from(start + headOf(token, facts.get(token) ?? null));
    const since = await enoughSince(snapshot, token, query);
    const rows = snapshot.lines(ticksOf(snapshot, token, { ...query, from: since }));
    yield* jsonArray(rows, query.size, { rows: 0, truncated: false });
    yield Buffer.from("}");
  }
  if (several) yield Buffer.from("]");
}

/** Prints the start of a token's object, up to its rows. */
export function headOf(token: Hex, facts: TokenFacts | null): string {
  const { tokenSymbol: token_symbol = null, tokenName: token_name = null } = facts ?? {};
  return `${JSON.stringify({ token_address: token, token_symbol, token_name }).slice(0, -1)},"data":`;
}

/** Shorter periods that are tried before the whole period, because tables are partitioned by month. */
const SPANS_SECONDS = [30 * DAY_SECONDS, 365 * DAY_SECONDS];

/**
 * Periods that are tried if wash trades are excluded. The first periods are shorter, because the pools'
 * trades of every day in the period are judged.
 */
const JUDGED_SPANS_SECONDS = [DAY_SECONDS, 7 * DAY_SECONDS, ...SPANS_SECONDS];

/** Returns a start time from which the token has enough ticks; `from` if no shorter span has enough. */
async function enoughSince(snapshot: Snapshot, token: Hex, query: TicksQuery): Promise<number> {
  const { pools, priceType, from, size, excludeWash = false } = query;
  const until = Math.min(query.until, snapshot.commit.timestamp);
  const spans = excludeWash ? JUDGED_SPANS_SECONDS : SPANS_SECONDS;
  for (const since of spans.map((span) => until - span).filter((since) => since > from)) {
    const span = { from: since, until };
    const trades = tradesWith(snapshot, { tokens: token, pools, ...span, priced: priceType, excludeWash });
    const [found] = await snapshot.query<{ count: number }>(
      sql`SELECT count() AS count FROM (SELECT 1 FROM ${trades} LIMIT ${integer(size)})`,
    );
    if (found !== undefined && found.count >= size) return since;
  }
  return from;
}

/**
 * Prints the query for a token's ticks. Chooses the rows first, so that only these rows are converted to the
 * answer's format.
 */
function ticksOf(snapshot: Snapshot, token: Hex, query: TicksQuery): Sql {
  const { pools, priceType, from, until, size, excludeWash = false } = query;
  const { transaction_hash, timestamp } = dexTrades.columns;
  const trades = tradesWith(snapshot, {
    ...{ tokens: token, pools, from, until },
    ...{ priced: priceType, excludeWash },
  });
  const newestFirst = sql`trades.token_address DESC, trades.timestamp DESC, trades.record_index DESC`;
  const chosen = sql`SELECT * FROM ${trades} ORDER BY ${newestFirst} LIMIT ${integer(size)}`;
  const select = join([
    sql`block_number`,
    sql`${answerExpression(timestamp.kind, sql`trades.timestamp`, "rest")} AS timestamp`,
    sql`${answerExpression(transaction_hash.kind, sql`trades.transaction_hash`, "rest")} AS transaction_hash`,
    sql`${identifier(priceType)} AS price_usd`,
    sql`price_token_eth AS price_eth`,
    sql`amount_token`,
  ]);
  return sql`SELECT ${select} FROM (${chosen}) AS trades ORDER BY trades.timestamp DESC, trades.record_index DESC`;
}
