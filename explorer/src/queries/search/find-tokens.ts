import { tokenName } from "../../format/pool.ts";
import { DAY_SECONDS } from "../../format/time.ts";
import { visibleText } from "../../format/visible-text.ts";
import { type SqlText, sqlText, table } from "../service/sql.ts";
import { readSpam } from "../token/spam.ts";
import { rowsOf, type SearchScope } from "./scope.ts";
import type { SearchResult } from "./search-result.ts";

/** As many tokens as users can take in at a glance. */
const MAX_TOKENS = 10;
/** More tokens are searched than shown, because some of them may be spam. */
const MAX_MATCHES = 3 * MAX_TOKENS;

interface Match {
  token_address: string;
  symbol: string | null;
  name: string | null;
  /** In 24 hours. */
  volume_usd: number | null;
}

/** Distance 0 if the symbol or name starts with the text, 1 if it contains it. */
interface RankedMatch extends Match {
  distance: number;
}

/**
 * Tokens whose symbol or name contains a text, or whose address starts with it. Names that start with it come
 * first, then those with the highest 24-hour volume: anyone can copy a token's name, but not its trading. Spam comes last, and is
 * marked.
 */
export async function findTokens(text: string, scope: SearchScope): Promise<SearchResult[]> {
  const [known, traded] = await Promise.all([knownTokens(text, scope), tradedTokens(text, scope)]);
  const matches = new Map([...known, ...traded].map((match) => [match.token_address, match]));
  const spam = await readSpam(scope.chain, [...matches.keys()], scope.signal);
  const isSpam = ({ token_address }: Match) => spam.has(token_address);
  const ranked = [...matches.values()].sort(
    (a, b) => a.distance - b.distance || (b.volume_usd ?? -1) - (a.volume_usd ?? -1),
  );
  const found = [
    ...ranked.filter((match) => !isSpam(match)).slice(0, MAX_TOKENS),
    ...ranked.filter(isSpam).slice(0, MAX_TOKENS),
  ];
  return found.map((match) => {
    const result = tokenFound(match, scope.chain);
    return isSpam(match) ? { ...result, isSpam: true } : result;
  });
}

/** The token at an address. */
export async function tokensAt(address: string, scope: SearchScope): Promise<SearchResult[]> {
  const { chain, until } = scope;
  const [tokens, volumes] = await Promise.all([
    rowsOf<Omit<Match, "volume_usd">>(
      sqlText`SELECT token_address, token_symbol AS symbol, token_name AS name
        FROM ${table(chain, "token_metadata")} WHERE token_address = ${address} LIMIT 1`,
      scope,
    ),
    rowsOf<Pick<Match, "volume_usd">>(
      sqlText`SELECT SUM(amount_usd) AS volume_usd FROM ${table(chain, "dex_trades")}
        WHERE token_address = ${address} AND timestamp > ${until - DAY_SECONDS}`,
      scope,
    ),
  ]);
  return tokens.map((token) => tokenFound({ ...token, volume_usd: volumes[0]?.volume_usd ?? null }, chain));
}

function tradedTokens(text: string, scope: SearchScope): Promise<RankedMatch[]> {
  return rowsOf(
    sqlText`SELECT token_address, token_symbol AS symbol, token_name AS name, ${distanceOf(text)} AS distance,
      SUM(amount_usd) AS volume_usd
      FROM ${table(scope.chain, "dex_trades")}
      WHERE timestamp > ${scope.until - DAY_SECONDS} AND ${isLike(text)}
      GROUP BY token_address, token_symbol, token_name, distance
      ORDER BY distance, volume_usd DESC LIMIT ${MAX_MATCHES}`,
    scope,
  );
}

/** Includes tokens without trades in 24 hours; oldest first. */
async function knownTokens(text: string, scope: SearchScope): Promise<RankedMatch[]> {
  const tokens = await rowsOf<Omit<RankedMatch, "volume_usd">>(
    sqlText`SELECT token_address, token_symbol AS symbol, token_name AS name, ${distanceOf(text)} AS distance
      FROM ${table(scope.chain, "token_metadata")} WHERE ${isLike(text)}
      ORDER BY distance, first_seen_block_number LIMIT ${MAX_MATCHES}`,
    scope,
  );
  return tokens.map((token) => ({ ...token, volume_usd: null }));
}

/** Text treated as the start of an address: `0x` and two digits already match only one token in 256. */
const ADDRESS_START = /^0x[0-9a-f]{2,}$/;

function isLike(text: string): SqlText {
  const named = sqlText`LOCATE(${text}, LCASE(token_symbol)) > 0 OR LOCATE(${text}, LCASE(token_name)) > 0`;
  if (!ADDRESS_START.test(text)) return sqlText`(${named})`;
  return sqlText`(${named} OR STARTS_WITH(token_address, ${text}))`;
}

function distanceOf(text: string): SqlText {
  return sqlText`CASE WHEN STARTS_WITH(LCASE(token_symbol), ${text}) OR STARTS_WITH(LCASE(token_name), ${text})
    THEN 0 ELSE 1 END`;
}

function tokenFound({ token_address, symbol, name, volume_usd }: Match, chain: string): SearchResult {
  const title = tokenName({ address: token_address, symbol });
  return {
    kind: "token",
    chain,
    id: token_address,
    title,
    detail: name === null ? null : visibleText(name),
    volumeUsd: volume_usd,
  };
}
