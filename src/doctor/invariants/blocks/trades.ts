import { hexBytesArray, hexText, type Sql, sql } from "../../../engine-sql/sql-text.ts";
import { bytesOf, damageByBlock, from, type Invariant, inScope, type Scope } from "../../invariant.ts";
import { IS_SWAP, SWAP_AMOUNT_0, SWAP_AMOUNT_1, SWAP_FAMILY, SWAP_POOL } from "./swap-forms.ts";

const IN_SINGLETON = sql`length(l.pool) = 32`;

/** Trades agree with the logs that they come from, in both directions. */
export const TRADE_INVARIANTS: readonly Invariant[] = [
  {
    name: "trades as logged",
    doc: "each trade has a log of its pool in its transaction, and the same tokens, side and trader as these",
    impact: "trades are invented or wrong, and so are the prices and volumes computed from them",
    remedy: "blocks",
    query: wrongTrades,
  },
  {
    name: "swaps traded",
    doc: "each swap in a known pool has its trades: one if one token is cash, otherwise two; none if nothing was exchanged",
    impact: "trades are missing: volumes, candles and profits are too low",
    remedy: "blocks",
    query: untradedSwaps,
  },
];

function wrongTrades(scope: Scope): Sql {
  return damageByBlock(sql`SELECT t.n AS n, multiIf(
      NOT is_log, 'no such log in the pool', NOT is_transaction, 'no such transaction', 'differs from its log') AS what_is,
      concat('the trade of log ', toString(t.i), ': ', what_is) AS what
    FROM (${trades(scope)}) AS t
    LEFT JOIN (${swapLogs(scope)}) AS l ON t.n = l.n AND t.i = l.i
    LEFT JOIN (SELECT 1 AS is_transaction, block_number AS n, transaction_index AS x, transaction_hash AS hash,
      from_address AS sender, ifNull(${bytesOf(sql`to_address`)}, '') AS receiver
      FROM ${from("transactions", scope)} WHERE ${inScope("transactions", scope)}) AS c ON t.n = c.n AND t.x = c.x
    LEFT JOIN (${pools(scope)}) AS p ON t.pool = p.pool
    WHERE NOT is_log OR l.x != t.x OR l.pool != t.pool OR (is_pool AND ${hasWrongEmitter()}) OR l.hash != t.hash
      OR NOT is_transaction OR c.hash != t.hash OR c.sender != t.trader OR c.receiver != t.receiver
      OR (is_pool AND is_swap AND NOT ${agrees()})`);
}

/** Neither the pool's own contract nor its singleton emitted the log. */
function hasWrongEmitter(): Sql {
  return sql`(l.emitter != l.pool AND l.emitter != p.factory)`;
}

/** The trade's tokens are the pool's, and its side agrees with the sign of the amount in the log. */
function agrees(): Sql {
  const amount = sql`if(t.token = token0, amount0, amount1)`;
  const tokens = sql`((t.token = token0 AND t.quote = token1) OR (t.token = token1 AND t.quote = token0))`;
  return sql`(${tokens} AND t.side = if(${amount} < 0, 'buy', 'sell') AND t.protocol = p.protocol)`;
}

/**
 * Amounts of trades and of their logs: `token`, `n` (block), `i` (log), `base` (base units, of the log),
 * `amount` (tokens).
 */
export function tradedAmounts(scope: Scope): Sql {
  return sql`SELECT t.token AS token, t.n AS n, t.i AS i, t.amount AS amount,
      abs(toFloat64(if(t.token = token0, amount0, amount1))) AS base
    FROM (${trades(scope)}) AS t INNER JOIN (${swapLogs(scope)}) AS l ON t.n = l.n AND t.i = l.i
    INNER JOIN (${pools(scope)}) AS p ON t.pool = p.pool
    WHERE is_swap AND l.pool = t.pool AND (t.token = token0 OR t.token = token1)`;
}

function trades(scope: Scope): Sql {
  return sql`SELECT block_number AS n, log_index AS i, transaction_index AS x, transaction_hash AS hash,
    pool_address AS pool, token_address AS token, quote_address AS quote, toString(side) AS side,
    toString(protocol_name) AS protocol, amount_token AS amount, trader_address AS trader,
    ifNull(${bytesOf(sql`interacted_with_address`)}, '') AS receiver
    FROM ${from("dex_trades", scope)} WHERE ${inScope("dex_trades", scope)}`;
}

function swapLogs(scope: Scope): Sql {
  return sql`SELECT 1 AS is_log, block_number AS n, log_index AS i, transaction_index AS x, transaction_hash AS hash,
    ${bytesOf(sql`address`)} AS emitter, ${SWAP_POOL} AS pool, (${IS_SWAP}) AS is_swap, ${SWAP_AMOUNT_0} AS amount0, ${SWAP_AMOUNT_1} AS amount1,
    ${SWAP_FAMILY} AS family
    FROM ${from("logs", scope)} WHERE ${inScope("logs", scope)}
    AND (block_number, log_index) IN (SELECT block_number, log_index FROM ${from("dex_trades", scope)}
      WHERE ${inScope("dex_trades", scope)})`;
}

function pools(scope: Scope): Sql {
  return sql`SELECT 1 AS is_pool, pool_address AS pool, any(token_0_address) AS token0, any(token_1_address) AS token1,
    toString(any(protocol)) AS protocol, toString(any(family)) AS family, ${bytesOf(sql`any(factory_address)`)} AS factory, min(first_seen_block_number) AS first_seen
    FROM ${from("pool_metadata", scope)} GROUP BY pool`;
}

/**
 * Swaps without their trades. Skips the block in which a pool is first seen: logs before the one that
 * identifies the pool are not trades. Pools of a singleton are known from their creation on; their swaps
 * before the metadata row were not recognized when they were indexed, and are reported.
 */
function untradedSwaps(scope: Scope): Sql {
  const { stableCoins, wrappedNative } = scope.chain;
  const cash = hexBytesArray([...stableCoins, wrappedNative], 20);
  const isCash = (token: Sql) => sql`has(${cash}, ${token})`;
  const oneIsCash = sql`${isCash(sql`token0`)} != ${isCash(sql`token1`)}`;
  return damageByBlock(sql`SELECT l.n AS n, concat('log ', toString(l.i), ' in pool ', ${hexText(sql`l.pool`)}, ': ',
      toString(traded), ' trades instead of ', toString(due)) AS what,
      if(amount0 = 0 OR amount1 = 0 OR (amount0 > 0) = (amount1 > 0) OR token0 = token1, 0, if(${oneIsCash}, 1, 2)) AS due
    FROM (SELECT block_number AS n, log_index AS i, ${bytesOf(sql`address`)} AS emitter, ${SWAP_POOL} AS pool, ${SWAP_AMOUNT_0} AS amount0,
      ${SWAP_AMOUNT_1} AS amount1, ${SWAP_FAMILY} AS family
      FROM ${from("logs", scope)} WHERE ${inScope("logs", scope)} AND (${IS_SWAP})) AS l
    INNER JOIN (${pools(scope)}) AS p ON l.pool = p.pool
    LEFT JOIN (SELECT block_number AS n, log_index AS i, count() AS traded FROM ${from("dex_trades", scope)}
      WHERE ${inScope("dex_trades", scope)} GROUP BY n, i) AS t ON l.n = t.n AND l.i = t.i
    WHERE l.family = p.family AND NOT ${hasWrongEmitter()} AND (l.n > first_seen OR ${IN_SINGLETON}) AND traded != due`);
}
