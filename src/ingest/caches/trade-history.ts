import { type CashKind, type Chain, cashOf } from "../../chains/chain.ts";
import { double, hexBytesArray, hexText, integer, join, type Sql, sql } from "../../engine-sql/sql-text.ts";
import { partsOf } from "../../lib/collections/parts.ts";
import type { Hex } from "../../lib/hex.ts";
import { HOUR_SECONDS, MINUTE_SECONDS } from "../../lib/seconds.ts";
import { mayLackVotes } from "../../pricing/histories/token-history.ts";
import { MOST_PEG_VOTES, PEG_MINUTES, PEG_SECONDS } from "../../pricing/reference/peg-votes.ts";
import {
  MIN_REFERENCE_USD,
  REFERENCE_TRADES,
  type ReferenceHistory,
} from "../../pricing/reference/reference-price.ts";
import { MIN_PEG_USD, type StableTrade } from "../../pricing/reference/stable-pegs.ts";
import { SAME_PRICE } from "../../pricing/robust/robust-price.ts";
import { MOST_VOTES } from "../../pricing/robust/votes.ts";
import {
  HISTORY_TRADES,
  MIN_TRADE_USD,
  type PastTrade,
  WINDOW_SECONDS,
} from "../../pricing/trades/past-trade.ts";
import type { Engine } from "../../storage/store.ts";
import { engineTable } from "../../storage/tables/ddl.ts";
import type { BlockTime } from "./block-scoped-cache.ts";

/**
 * Maximum number of tokens whose history one query reads. It bounds the memory of the query and its result.
 */
const QUERY_TOKENS = 500;

/**
 * Returns the past trades on which later prices of the tokens depend: those in the trailing window and,
 * however old, the newest ones, the newest accepted ones and the newest rejected ones. Every requested token
 * has an entry, with its trades in chain order.
 *
 * @param newest newest committed block, at whose time the trailing windows end
 */
export async function loadTradeHistory(
  engine: Engine,
  chain: Chain,
  requested: readonly Hex[],
  newest: BlockTime,
): Promise<Map<Hex, PastTrade[]>> {
  const histories = new Map<Hex, PastTrade[]>(requested.map((token) => [token, []]));
  const cash = cashOf(chain);
  for (const tokens of partsOf(requested, QUERY_TOKENS)) {
    const trades = tradesOf(chain, tokens, newest);
    for (const trade of await engine.query<StableTrade>(pastTrades(trades, newestKeys(trades, newest))))
      histories.get(trade.token)?.push(trade);
    const lacking = tokens.filter((token) =>
      mayLackVotes(histories.get(token) ?? [], (quote) => cash.has(quote)),
    );
    if (lacking.length > 0) await addVotes(engine, tradesOf(chain, lacking, newest), cash, histories);
  }
  return histories;
}

async function addVotes(
  engine: Engine,
  trades: Trades,
  cash: ReadonlyMap<Hex, CashKind>,
  histories: ReadonlyMap<Hex, PastTrade[]>,
): Promise<void> {
  const votes = await engine.query<StableTrade>(pastTrades(trades, voteKeys(trades, cash)));
  const tokens = new Set(votes.map(({ token }) => token));
  for (const token of tokens) {
    const history = histories.get(token) ?? [];
    const known = new Set(history.map(({ recordIndex }) => recordIndex));
    history.push(...votes.filter((vote) => vote.token === token && !known.has(vote.recordIndex)));
    history.sort((a, b) => a.recordIndex - b.recordIndex);
  }
}

const PAST_TRADE = sql`${hexText(sql`token_address`)} AS token, record_index AS recordIndex,
  block_number AS blockNumber, toUnixTimestamp(timestamp) AS timestamp,
  ${hexText(sql`pool_address`)} AS pool, ${hexText(sql`trader_address`)} AS trader,
  ${hexText(sql`quote_address`)} AS quote,
  side, amount_token AS amountToken, amount_usd AS amountUsd, price_token_usd_tick_1 AS priceTick1,
  (price_token_usd_robust_tick_1 IS NOT NULL) = 1 AS accepted`;

/**
 * Condition for outliers: trades that were not accepted, although they have a price and are large enough to
 * judge.
 */
const REJECTED = sql`price_token_usd_robust_tick_1 IS NULL AND price_token_usd_tick_1 IS NOT NULL
  AND amount_usd >= ${integer(MIN_TRADE_USD)}`;

/** The stored trades of some tokens: the table, and the condition that selects their rows. */
interface Trades {
  table: Sql;
  condition: Sql;
}

function tradesOf(chain: Chain, tokens: readonly Hex[], newest: BlockTime): Trades {
  const table = engineTable(chain.name, "dex_trades");
  const condition = sql`token_address IN ${hexBytesArray(tokens, 20)} AND block_number <= ${integer(newest.number)}`;
  return { table, condition };
}

function pastTrades({ table, condition }: Trades, keys: Sql): Sql {
  return sql`SELECT ${PAST_TRADE} FROM ${table} WHERE ${condition}
    AND (token_address, record_index) IN (${keys}) ORDER BY token_address, recordIndex`;
}

const ACCEPTED = sql`price_token_usd_robust_tick_1 IS NOT NULL`;

function newestKeys({ table, condition }: Trades, newest: BlockTime): Sql {
  const since = integer(Math.max(0, newest.timestamp - WINDOW_SECONDS));
  const last = (verdict: Sql, count: number) =>
    newestOf(
      sql`(SELECT token_address, record_index FROM ${table} WHERE ${condition} AND ${verdict})`,
      count,
    );
  return join(
    [
      sql`SELECT token_address, record_index FROM ${table} WHERE ${condition} AND timestamp >= ${since}`,
      last(sql`1`, HISTORY_TRADES),
      last(ACCEPTED, MOST_VOTES),
      last(REJECTED, MOST_VOTES),
    ],
    " UNION ALL ",
  );
}

/** Returns a query for the keys of the accepted and rejected trades that `Votes` keeps. */
function voteKeys({ table, condition }: Trades, cash: ReadonlyMap<Hex, CashKind>): Sql {
  const keys = sql`token_address, record_index, block_number, trader_address`;
  const accepted = sql`(SELECT ${keys}, quote_address, price_token_usd_robust_tick_1 AS price,
      lagInFrame(price) OVER (PARTITION BY token_address ORDER BY record_index
        ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS price_before
    FROM ${table} WHERE ${condition} AND ${ACCEPTED})`;
  const proving = sql`quote_address IN ${hexBytesArray([...cash.keys()], 20)} OR price_before IS NULL
    OR abs(price / price_before - 1) > ${double(SAME_PRICE)}`;
  const firstOfSender = (trades: Sql, verdict: Sql) =>
    sql`(SELECT token_address, record_index FROM ${trades} WHERE ${verdict}
      ORDER BY record_index LIMIT 1 BY token_address, block_number, trader_address)`;
  return join(
    [
      newestOf(firstOfSender(accepted, proving), MOST_VOTES),
      newestOf(firstOfSender(table, sql`${condition} AND ${REJECTED}`), MOST_VOTES),
    ],
    " UNION ALL ",
  );
}

function newestOf(rows: Sql, count: number): Sql {
  return sql`SELECT token_address, record_index FROM ${rows}
    ORDER BY token_address, record_index DESC LIMIT ${integer(count)} BY token_address`;
}

/**
 * Returns the trades on which later reference prices depend.
 *
 * @param newest newest committed block
 */
export async function loadReferenceHistory(
  engine: Engine,
  chain: Chain,
  newest: BlockTime,
): Promise<ReferenceHistory> {
  return {
    native: await loadNative(engine, chain, newest),
    stable: await loadStable(engine, chain, newest),
  };
}

async function loadNative(engine: Engine, chain: Chain, newest: BlockTime): Promise<PastTrade[]> {
  if (chain.referencePools.length === 0) return [];
  const newestFirst = await engine.query<PastTrade>(sql`SELECT ${PAST_TRADE}
    FROM ${engineTable(chain.name, "dex_trades")}
    WHERE token_address IN ${hexBytesArray([chain.wrappedNative], 20)}
    AND block_number <= ${integer(newest.number)}
    AND pool_address IN ${hexBytesArray(chain.referencePools)} AND price_token_usd_tick_1 IS NOT NULL
    AND amount_usd >= ${integer(MIN_REFERENCE_USD)}
    ORDER BY record_index DESC LIMIT ${integer(REFERENCE_TRADES)} BY pool_address`);
  return newestFirst.reverse();
}

async function loadStable(
  engine: Engine,
  { name, stableCoins }: Chain,
  newest: BlockTime,
): Promise<StableTrade[]> {
  const pairs = stableCoins.slice(0, -1).map(
    (coin, i) => sql`(token_address IN ${hexBytesArray([coin], 20)}
      AND quote_address IN ${hexBytesArray(stableCoins.slice(i + 1), 20)})`,
  );
  if (pairs.length === 0) return [];
  const startOfMinute = (timestamp: number) => integer(Math.max(0, timestamp - (timestamp % MINUTE_SECONDS)));
  const pair = sql`token_address, quote_address`;
  const minute = sql`intDiv(toUnixTimestamp(timestamp), ${integer(MINUTE_SECONDS)})`;
  const votes = sql`SELECT ${pair}, record_index, timestamp
    FROM ${engineTable(name, "dex_trades")}
    WHERE (${join(pairs, " OR ")}) AND block_number <= ${integer(newest.number)}
    AND timestamp >= ${startOfMinute(newest.timestamp - PEG_SECONDS)} AND price_token_usd_tick_1 IS NOT NULL
    AND amount_usd >= ${integer(MIN_PEG_USD)}
    ORDER BY record_index LIMIT 1 BY ${pair}, trader_address, ${minute}`;
  const ranked = sql`SELECT token_address, record_index, timestamp,
    dense_rank() OVER (PARTITION BY ${pair} ORDER BY ${minute} DESC) AS rank FROM (${votes})`;
  const newestFirst = await engine.query<StableTrade>(sql`SELECT ${PAST_TRADE}
    FROM ${engineTable(name, "dex_trades")}
    WHERE token_address IN ${hexBytesArray(stableCoins, 20)} AND block_number <= ${integer(newest.number)}
    AND (token_address, record_index) IN (SELECT token_address, record_index FROM (${ranked})
      WHERE timestamp >= ${startOfMinute(newest.timestamp - HOUR_SECONDS)} OR rank <= ${integer(PEG_MINUTES)})
    ORDER BY record_index DESC LIMIT ${integer(MOST_PEG_VOTES)} BY ${pair}`);
  return newestFirst.reverse();
}
