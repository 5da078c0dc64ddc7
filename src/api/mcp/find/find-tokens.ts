import { DAY_SECONDS } from "../../../lib/seconds.ts";
import { type Found, found } from "./found.ts";
import { listOf, type Search, type SqlText, sqlText } from "./sql-text.ts";

/** Matches that are ranked: some of them may be spam. */
const MAX_MATCHES = 100;

interface Match {
  token_address: string;
  symbol: string | null;
  name: string | null;
  distance: number;
  volume_usd?: number | null;
}

/**
 * Tokens whose symbol or name contains a text, or whose address starts with it. Exact symbols come first,
 * then symbols and names that start with the text; among equals those with the highest 24-hour volume, because anyone can copy a
 * name, but not its trading. Spam comes last.
 */
export async function findTokens(text: string, search: Search): Promise<Found[]> {
  const [known, traded] = await Promise.all([knownTokens(text, search), tradedTokens(text, search)]);
  const matches = new Map([...known, ...traded].map((match) => [match.token_address, match]));
  const spam = await spamAmong([...matches.keys()], search);
  return [...matches.values()]
    .sort(
      (a, b) =>
        Number(spam.has(a.token_address)) - Number(spam.has(b.token_address)) ||
        a.distance - b.distance ||
        (b.volume_usd ?? -1) - (a.volume_usd ?? -1),
    )
    .map(({ token_address, symbol, name, volume_usd = null }) =>
      found("token", token_address, {
        symbol,
        name,
        volume_usd_24h: volume_usd,
        spam: spam.get(token_address) ?? null,
      }),
    );
}

/** Also tokens without trades in 24 hours; oldest first. */
function knownTokens(text: string, search: Search): Promise<Match[]> {
  return search.rows(
    sqlText`SELECT token_address, token_symbol AS symbol, token_name AS name, ${distanceOf(text)} AS distance
      FROM ${search.table("token_metadata")} WHERE ${isLike(text)}
      ORDER BY distance, first_seen_block_number LIMIT ${MAX_MATCHES}`,
  );
}

function tradedTokens(text: string, search: Search): Promise<Match[]> {
  return search.rows(
    sqlText`SELECT token_address, token_symbol AS symbol, token_name AS name, ${distanceOf(text)} AS distance,
      SUM(amount_usd) AS volume_usd
      FROM ${search.table("dex_trades")}
      WHERE timestamp > ${search.until - DAY_SECONDS} AND ${isLike(text)}
      GROUP BY token_address, token_symbol, token_name, distance
      ORDER BY distance, volume_usd DESC LIMIT ${MAX_MATCHES}`,
  );
}

async function spamAmong(tokens: readonly string[], search: Search): Promise<Map<string, string>> {
  if (tokens.length === 0) return new Map();
  const rows = await search.rows<{ token_address: string; spam_reasons: string }>(
    sqlText`SELECT token_address, spam_reasons FROM ${search.table("token_metadata")}
      WHERE token_address IN (${listOf(tokens)}) AND spam_reasons IS NOT NULL LIMIT ${tokens.length}`,
  );
  return new Map(rows.map(({ token_address, spam_reasons }) => [token_address, spam_reasons]));
}

/** `0x` and two digits already match only one token in 256. */
const ADDRESS_START = /^0x[0-9a-f]{2,}$/;

function isLike(text: string): SqlText {
  const named = sqlText`LOCATE(${text}, LCASE(token_symbol)) > 0 OR LOCATE(${text}, LCASE(token_name)) > 0`;
  if (!ADDRESS_START.test(text)) return sqlText`(${named})`;
  return sqlText`(${named} OR STARTS_WITH(token_address, ${text}))`;
}

function distanceOf(text: string): SqlText {
  return sqlText`CASE WHEN LCASE(token_symbol) = ${text} THEN 0
    WHEN STARTS_WITH(LCASE(token_symbol), ${text}) OR STARTS_WITH(LCASE(token_name), ${text}) THEN 1
    ELSE 2 END`;
}
