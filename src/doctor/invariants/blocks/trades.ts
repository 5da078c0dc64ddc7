import type { Chain, Deployment } from "../../../chains/chain.ts";
import {
  hexBytes,
  hexBytesArray,
  hexText,
  integer,
  join,
  type Sql,
  sql,
  text,
} from "../../../engine-sql/sql-text.ts";
import { SWAP_DELTA_FLAGS } from "../../../schema/hooks.ts";
import { INEXACT_FAMILIES, isSingleton } from "../../../schema/pool-families.ts";
import { bytesOf, damageByBlock, from, type Invariant, inScope, type Scope } from "../../invariant.ts";
import {
  IS_SWAP,
  SWAP_AMOUNT_0,
  SWAP_AMOUNT_1,
  SWAP_FAMILIES,
  SWAP_FORM,
  SWAP_POOL,
  SWAP_TOKEN_0,
  SWAP_TOKEN_1,
} from "./swap-forms.ts";

/** The columns that are read from a log with the form of a swap. */
const SWAP = sql`${SWAP_POOL} AS pool, ${SWAP_FAMILIES} AS families, ${SWAP_AMOUNT_0} AS amount0, ${SWAP_AMOUNT_1} AS amount1,
  ${SWAP_TOKEN_0} AS named0, ${SWAP_TOKEN_1} AS named1`;

/** The tokens of a swap's amounts: the tokens that its event names, or else the tokens of its pool. */
const TOKEN_0 = sql`if(named0 != '', named0, token0)`;
const TOKEN_1 = sql`if(named1 != '', named1, token1)`;

/**
 * True if a hook may have filled the swap by itself. Only the transfers show whether that is a trade, and on
 * which side.
 */
const IS_FILLED_BY_HOOK = sql`(may_differ AND amount0 = 0 AND amount1 = 0)`;

const IN_SINGLETON = sql`length(l.pool) = 32`;

/** Invariants: each trade agrees with the log that it comes from, and each log of a swap with its trades. */
export const TRADE_INVARIANTS: readonly Invariant[] = [
  {
    name: "trades as logged",
    doc: "each trade has a log of its pool in its transaction, with matching tokens, side and trader; amounts are unknown only if a hook may change them or the event is inexact",
    impact: "trades are invented or wrong, and so are the prices and volumes computed from them",
    remedy: "blocks",
    needs: { complete: ["logs", "transactions"] },
    query: wrongTrades,
  },
  {
    name: "swaps traded",
    doc: "each swap in a known pool has its trades: one if exactly one token is a stablecoin or the wrapped native coin, otherwise two; none if nothing was exchanged",
    impact: "trades are missing or extra, so volumes, candles and profits are wrong",
    remedy: "blocks",
    needs: { complete: ["logs"] },
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
    WHERE NOT is_log OR l.x != t.x OR l.pool != t.pool OR (is_pool AND ${hasWrongEmitter(scope)}) OR l.hash != t.hash
      OR NOT is_transaction OR c.hash != t.hash OR c.sender != t.trader OR c.receiver != t.receiver
      OR (is_pool AND is_swap AND NOT ${agrees(scope)}) OR (is_pool AND is_unknown AND NOT (may_be_unknown AND is_blank))`);
}

/**
 * Returns the condition that none of these emitted the log: the pool's own contract, its factory, a singleton
 * of its family, or a vault.
 */
function hasWrongEmitter({ chain }: Scope): Sql {
  const vaults = hexBytesArray(
    chain.deployments.flatMap(({ vault }) => vault ?? []),
    20,
  );
  const singletons = singletonsIn(chain).map(
    ({ family, factory }) => sql`(p.family = ${text(family)} AND l.emitter = ${hexBytes(factory)})`,
  );
  const emitters = [sql`l.emitter = l.pool`, sql`has(${vaults}, l.emitter)`, ...singletons];
  return sql`NOT (l.emitter = p.factory OR ${join(emitters, " OR ")})`;
}

/**
 * Returns the expression for a trade's protocol: the protocol of the singleton that emitted its log, or else
 * the protocol of its pool. Two singletons may have pools with the same id, and `pool_metadata` has a row
 * only for the first one.
 */
function expectedProtocol({ chain }: Scope): Sql {
  const cases = singletonsIn(chain).map(
    ({ factory, protocol }) => sql`l.emitter = ${hexBytes(factory)}, ${text(protocol)}`,
  );
  return cases.length === 0 ? sql`p.protocol` : sql`multiIf(${join(cases)}, p.protocol)`;
}

function singletonsIn({ deployments }: Chain): Deployment[] {
  return deployments.filter(({ family }) => isSingleton(family));
}

/**
 * Returns the condition that the trade has the swap's tokens and the expected protocol, and that its side
 * agrees with the sign of the amount in the log. The side is not checked if a hook may have filled the swap.
 */
function agrees(scope: Scope): Sql {
  const amount = sql`if(t.token = ${TOKEN_0}, amount0, amount1)`;
  const side = sql`(${IS_FILLED_BY_HOOK} OR t.side = if(${amount} < 0, 'buy', 'sell'))`;
  const tokens = sql`((t.token = ${TOKEN_0} AND t.quote = ${TOKEN_1}) OR (t.token = ${TOKEN_1} AND t.quote = ${TOKEN_0}))`;
  return sql`(${tokens} AND ${side} AND t.protocol = ${expectedProtocol(scope)})`;
}

/**
 * Selects the amounts of trades and of their logs: `token`, `n` (block), `i` (log), `base` (base units, from
 * the log), `amount` (tokens). Leaves out pools whose hook may change the amounts.
 */
export function tradedAmounts(scope: Scope): Sql {
  return sql`SELECT t.token AS token, t.n AS n, t.i AS i, t.amount AS amount,
      abs(toFloat64(if(t.token = ${TOKEN_0}, amount0, amount1))) AS base
    FROM (${trades(scope)}) AS t INNER JOIN (${swapLogs(scope)}) AS l ON t.n = l.n AND t.i = l.i
    INNER JOIN (${pools(scope)}) AS p ON t.pool = p.pool
    WHERE is_swap AND NOT may_differ AND l.pool = t.pool AND (t.token = ${TOKEN_0} OR t.token = ${TOKEN_1})`;
}

function trades(scope: Scope): Sql {
  return sql`SELECT block_number AS n, log_index AS i, transaction_index AS x, transaction_hash AS hash,
    pool_address AS pool, token_address AS token, quote_address AS quote, toString(side) AS side,
    toString(protocol_name) AS protocol, amount_token AS amount, trader_address AS trader,
    amounts_unknown_reason IS NOT NULL AS is_unknown,
    (amount_token IS NULL AND amount_quote IS NULL AND amount_usd IS NULL) AS is_blank,
    ifNull(${bytesOf(sql`interacted_with_address`)}, '') AS receiver
    FROM ${from("dex_trades", scope)} WHERE ${inScope("dex_trades", scope)}`;
}

function swapLogs(scope: Scope): Sql {
  return sql`SELECT 1 AS is_log, block_number AS n, log_index AS i, transaction_index AS x, transaction_hash AS hash,
    ${bytesOf(sql`address`)} AS emitter, (${IS_SWAP}) AS is_swap, ${SWAP}
    FROM (${formedLogs(scope)}) WHERE (block_number, log_index) IN (SELECT block_number, log_index FROM ${from("dex_trades", scope)}
      WHERE ${inScope("dex_trades", scope)})`;
}

/**
 * Selects the logs with their form. The expression of the form is long, and every value of a swap refers to
 * it. In a separate subquery, the engine analyses it only once, not once for each reference.
 */
function formedLogs(scope: Scope): Sql {
  return sql`SELECT *, ${SWAP_FORM} FROM ${from("logs", scope)} WHERE ${inScope("logs", scope)}`;
}

function pools(scope: Scope): Sql {
  return sql`SELECT 1 AS is_pool, pool_address AS pool, any(token_0_address) AS token0, any(token_1_address) AS token1,
    toString(any(protocol)) AS protocol, toString(any(family)) AS family, ${bytesOf(sql`any(factory_address)`)} AS factory, min(first_seen_block_number) AS first_seen,
    ifNull(bitAnd(any(hooks_flags), ${integer(SWAP_DELTA_FLAGS)}), 0) != 0 AS may_differ,
    (may_differ OR family IN (${join(INEXACT_FAMILIES.map((name) => text(name)))})) AS may_be_unknown
    FROM ${from("pool_metadata", scope)} GROUP BY pool`;
}

/**
 * Selects the swaps whose number of trades is wrong. Skips the block in which a pool is first seen, because
 * logs before the one that identifies the pool are not trades. Does not skip this block for a singleton's
 * pools, which are known as soon as they are created: a swap before the metadata row was not recognized when
 * it was indexed, so it is reported.
 */
function untradedSwaps(scope: Scope): Sql {
  const { stableCoins, wrappedNative } = scope.chain;
  const cash = hexBytesArray([...stableCoins, wrappedNative], 20);
  const isCash = (token: Sql) => sql`has(${cash}, ${token})`;
  const oneIsCash = sql`${isCash(TOKEN_0)} != ${isCash(TOKEN_1)}`;
  return damageByBlock(sql`SELECT l.n AS n, concat('log ', toString(l.i), ' in pool ', ${hexText(sql`l.pool`)}, ': ',
      toString(traded), if(traded = 1, ' trade', ' trades'), ' instead of ', toString(due)) AS what,
      if(amount0 = 0 OR amount1 = 0 OR (amount0 > 0) = (amount1 > 0) OR ${TOKEN_0} = ${TOKEN_1}, 0, if(${oneIsCash}, 1, 2)) AS due
    FROM (SELECT block_number AS n, log_index AS i, ${bytesOf(sql`address`)} AS emitter, ${SWAP}
      FROM (${formedLogs(scope)}) WHERE ${IS_SWAP}) AS l
    INNER JOIN (${pools(scope)}) AS p ON l.pool = p.pool
    LEFT JOIN (SELECT block_number AS n, log_index AS i, count() AS traded FROM ${from("dex_trades", scope)}
      WHERE ${inScope("dex_trades", scope)} GROUP BY n, i) AS t ON l.n = t.n AND l.i = t.i
    WHERE has(l.families, p.family) AND NOT ${hasWrongEmitter(scope)} AND (l.n > first_seen OR ${IN_SINGLETON})
      AND traded != due AND NOT ${IS_FILLED_BY_HOOK}`);
}
