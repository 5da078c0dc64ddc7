import { shortHex } from "../../format/hex.ts";
import { DAY_SECONDS } from "../../format/time.ts";
import { type SqlText, sqlText, table } from "../service/sql.ts";
import { type Place, rowsOf } from "./scope.ts";
import type { Found } from "./search-result.ts";

/** As many tokens as are told apart at a glance. */
const MAX_TOKENS = 10;

interface Match {
  token_address: string;
  symbol: string | null;
  name: string | null;
  /** In 24 hours. */
  volume_usd: number | null;
}

/** 0 where the symbol or name begins with what is searched, 1 where it is further inside. */
interface RankedMatch extends Match {
  distance: number;
}

/**
 * Tokens whose symbol or name has a text, or whose address begins with it. Those that begin with it come first, of
 * these the ones of most volume in 24 hours: anyone can make a token of any name, but not its trade.
 */
export async function findTokens(text: string, place: Place): Promise<Found[]> {
  const [known, traded] = await Promise.all([knownTokens(text, place), tradedTokens(text, place)]);
  const matches = new Map([...known, ...traded].map((match) => [match.token_address, match]));
  return [...matches.values()]
    .sort((a, b) => a.distance - b.distance || (b.volume_usd ?? -1) - (a.volume_usd ?? -1))
    .slice(0, MAX_TOKENS)
    .map((match) => tokenFound(match, place.chain));
}

/** The token at an address. */
export async function tokensAt(address: string, place: Place): Promise<Found[]> {
  const { chain, until } = place;
  const [tokens, volumes] = await Promise.all([
    rowsOf<Omit<Match, "volume_usd">>(
      sqlText`SELECT token_address, token_symbol AS symbol, token_name AS name
        FROM ${table(chain, "token_metadata")} WHERE token_address = ${address} LIMIT 1`,
      place,
    ),
    rowsOf<Pick<Match, "volume_usd">>(
      sqlText`SELECT SUM(amount_usd) AS volume_usd FROM ${table(chain, "dex_trades")}
        WHERE token_address = ${address} AND timestamp > ${until - DAY_SECONDS}`,
      place,
    ),
  ]);
  return tokens.map((token) => tokenFound({ ...token, volume_usd: volumes[0]?.volume_usd ?? null }, chain));
}

function tradedTokens(text: string, place: Place): Promise<RankedMatch[]> {
  return rowsOf(
    sqlText`SELECT token_address, token_symbol AS symbol, token_name AS name, ${distanceOf(text)} AS distance,
      SUM(amount_usd) AS volume_usd
      FROM ${table(place.chain, "dex_trades")}
      WHERE timestamp > ${place.until - DAY_SECONDS} AND ${isLike(text)}
      GROUP BY token_address, token_symbol, token_name, distance
      ORDER BY distance, volume_usd DESC LIMIT ${MAX_TOKENS}`,
    place,
  );
}

/** Also those without trades in 24 hours, the oldest first. */
async function knownTokens(text: string, place: Place): Promise<RankedMatch[]> {
  const tokens = await rowsOf<Omit<RankedMatch, "volume_usd">>(
    sqlText`SELECT token_address, token_symbol AS symbol, token_name AS name, ${distanceOf(text)} AS distance
      FROM ${table(place.chain, "token_metadata")} WHERE ${isLike(text)}
      ORDER BY distance, first_seen_block_number LIMIT ${MAX_TOKENS}`,
    place,
  );
  return tokens.map((token) => ({ ...token, volume_usd: null }));
}

/** So much of an address tells tokens apart: `0x` and two digits would fit one in 256 of them. */
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

function tokenFound({ token_address, symbol, name, volume_usd }: Match, chain: string): Found {
  const title = symbol === null || symbol === "" ? shortHex(token_address) : symbol;
  return { kind: "token", chain, id: token_address, title, detail: name, volumeUsd: volume_usd };
}
