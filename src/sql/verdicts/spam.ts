import { hexBytesArray, integer, type Sql, sql } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { DAY_SECONDS } from "../../lib/seconds.ts";
import { FAN_OUT_RECIPIENTS } from "../../schema/scope.ts";
import type { TableName } from "../../schema/tables.ts";
import { folded, hasLink } from "./token-name.ts";

/**
 * The search for an accepted trade starts with the trades in this period before the newest block. The value
 * affects only speed.
 */
const RECENT_SECONDS = 7 * DAY_SECONDS;

/** The rows that a verdict is computed from. */
export interface VerdictContext {
  engineTable(table: TableName): Sql;
  /** Listed tokens of the chain, whose symbols are genuine. */
  listedTokens: readonly Hex[];
  /** Newest committed block. */
  bound: number;
  /** Prints the condition for the rows that the verdict needs, in a table with this alias. */
  isRelevant(as: Sql): Sql;
}

/** Alias of the tables that facts about tokens are read from. */
const FACTS = sql`_facts`;
const TOKEN = sql`_facts.token_address`;

/**
 * Prints a query for the spam tokens, as `judged_token`, and the reasons, as `spam_reasons`. A token that
 * imitates a listed symbol is spam. A token that was airdropped or whose name contains a link is spam unless
 * the rule for robust prices accepted one of its trades. A listed token is never spam.
 */
export function spamTokens(context: VerdictContext): Sql {
  const listed = hexBytesArray(context.listedTokens, 20);
  const [name, symbol] = [sql`_facts.token_name`, sql`_facts.token_symbol`];
  const listedSymbols = sql`SELECT ${folded(symbol)} FROM ${metadata(context)} AND has(${listed}, ${TOKEN})`;
  return sql`SELECT judged_token, toNullable(arrayStringConcat(arrayFilter(reason -> reason != '', [
      if(untraded, 'no_accepted_trade', ''), if(linked, 'link_in_name', ''),
      if(imitates, 'imitates_listed_symbol', ''), if(airdropped, 'airdrop_fan_out', '')]), ',')) AS spam_reasons
    FROM (SELECT ${TOKEN} AS judged_token,
        ${TOKEN} NOT IN (${recentlyAccepted(context)}) AND ${TOKEN} NOT IN (${acceptedEarlier(context)}) AS untraded,
        ${hasLink(name, symbol)} AS linked,
        ${folded(symbol)} != '' AND ${folded(symbol)} IN (${listedSymbols}) AS imitates,
        untraded AND ${TOKEN} IN (${airdropped(context)}) AS airdropped
      FROM ${metadata(context)} AND ${context.isRelevant(FACTS)} AND NOT has(${listed}, ${TOKEN}))
    WHERE imitates OR (untraded AND (linked OR airdropped))`;
}

function metadata({ engineTable, bound }: VerdictContext): Sql {
  return sql`${engineTable("token_metadata")} AS ${FACTS} WHERE _facts.first_seen_block_number <= ${integer(bound)}`;
}

/** Prints a query for the tokens with a recent trade whose price the rule for robust prices accepted. */
function recentlyAccepted(context: VerdictContext): Sql {
  const { engineTable, bound, isRelevant } = context;
  const newest = sql`SELECT max(timestamp) FROM ${engineTable("blocks")} WHERE block_number = ${integer(bound)}`;
  return sql`SELECT ${TOKEN} FROM ${acceptedTrades(context)} AND ${isRelevant(FACTS)}
    AND _facts.timestamp > (${newest}) - ${integer(RECENT_SECONDS)}`;
}

function acceptedTrades({ engineTable, bound }: VerdictContext): Sql {
  return sql`${engineTable("dex_trades")} AS ${FACTS}
    WHERE _facts.block_number <= ${integer(bound)} AND _facts.price_token_usd_robust_tick_1 IS NOT NULL`;
}

/**
 * Prints a query for the tokens without a recent accepted trade. Most trades and transfers are of tokens that
 * have one, so the whole history of the other tokens has few rows. The query lists these tokens instead of
 * excluding the rest, because the engine can skip rows with IN, but not with NOT IN.
 */
function otherTokens(context: VerdictContext): Sql {
  return sql`SELECT ${TOKEN} FROM ${metadata(context)} AND ${context.isRelevant(FACTS)}
    AND ${TOKEN} NOT IN (${recentlyAccepted(context)})`;
}

function acceptedEarlier(context: VerdictContext): Sql {
  return sql`SELECT ${TOKEN} FROM ${acceptedTrades(context)} AND ${TOKEN} IN (${otherTokens(context)})`;
}

/**
 * Prints a query for the tokens that one transaction sent to many recipients. The engine groups the rows in
 * their sort order, so memory does not grow with their number.
 */
function airdropped(context: VerdictContext): Sql {
  const { engineTable, bound } = context;
  return sql`SELECT token FROM (SELECT ${TOKEN} AS token FROM ${engineTable("erc20")} AS ${FACTS}
      WHERE _facts.block_number <= ${integer(bound)} AND ${TOKEN} IN (${otherTokens(context)})
      GROUP BY ${TOKEN}, _facts.timestamp, _facts.transaction_hash
      HAVING uniqExact(_facts.to_address) >= ${integer(FAN_OUT_RECIPIENTS)}
      SETTINGS optimize_aggregation_in_order = 1)`;
}
