import { DAY_SECONDS } from "../../../lib/seconds.ts";
import { ADDRESS } from "../../../reads/values/hex-values.ts";
import { findTokens } from "./find-tokens.ts";
import { type Found, found } from "./found.ts";
import { listOf, type Search, type SqlText, sqlText } from "./sql-text.ts";

/** Tokens that a word may mean. */
const MAX_TOKENS = 10;

/** Pools that are ranked by their volume. */
const MAX_POOLS = 50;

interface PoolRow {
  pool_address: string;
  protocol: string;
  fee: number | null;
  token_0_address: string;
  token_1_address: string;
}

/** Pools of one or two tokens, each named by its symbol or address; highest 24-hour volume first. */
export async function findPools(words: readonly string[], search: Search): Promise<Found[]> {
  const [these = [], those = these] = await Promise.all(words.map((word) => tokensNamed(word, search)));
  if (these.length === 0 || those.length === 0) return [];
  const volumes = await volumesOf(these, search);
  const holds = (token: string, tokens: readonly string[]) =>
    sqlText`${{ sql: token }} IN (${listOf(tokens)})`;
  const both = words.length > 1 ? sqlText`AND` : sqlText`OR`;
  const pools = await poolsWhere(
    sqlText`((${holds("token_0_address", these)} ${both} ${holds("token_1_address", those)})
      OR (${holds("token_0_address", those)} ${both} ${holds("token_1_address", these)}))`,
    { search, volumes },
  );
  return [...pools].sort((a, b) => (b.volume_usd_24h ?? -1) - (a.volume_usd_24h ?? -1));
}

/** The pool with an address or id. */
export function poolsAt(id: string, search: Search): Promise<Found[]> {
  return poolsWhere(sqlText`pool_address = ${id}`, { search, volumes: new Map() });
}

async function poolsWhere(
  condition: SqlText,
  { search, volumes }: { search: Search; volumes: ReadonlyMap<string, number | null> },
): Promise<Found[]> {
  const traded = [...volumes.keys()];
  const busyFirst =
    traded.length === 0
      ? sqlText`record_index`
      : sqlText`CASE WHEN pool_address IN (${listOf(traded)}) THEN 0 ELSE 1 END, record_index`;
  const pools = await search.rows<PoolRow>(
    sqlText`SELECT pool_address, protocol, fee, token_0_address, token_1_address
      FROM ${search.table("pool_metadata")} WHERE ${condition} ORDER BY ${busyFirst} LIMIT ${MAX_POOLS}`,
  );
  const tokens = pools.flatMap(({ token_0_address, token_1_address }) => [token_0_address, token_1_address]);
  const symbols = await symbolsOf([...new Set(tokens)], search);
  return pools.map(({ pool_address, protocol, fee, ...pool }) => {
    const sides = [pool.token_0_address, pool.token_1_address];
    return found("pool", pool_address, {
      name: sides.map((token) => symbols.get(token) ?? "?").join(" / "),
      volume_usd_24h: volumes.get(pool_address) ?? null,
      detail: `${protocol}${fee === null ? "" : `, fee ${fee / 10_000} %`}; tokens ${sides.join(", ")}`,
    });
  });
}

/**
 * Tokens whose symbol starts with a word, but only those with exactly this symbol if there are any. ETH also
 * means WETH, because pools hold the wrapped token.
 */
async function tokensNamed(word: string, search: Search): Promise<string[]> {
  const address = ADDRESS.parse(word);
  if (address !== undefined) return [address];
  const symbolOf = ({ symbol }: Found) => symbol?.toLowerCase() ?? "";
  const genuine = (await findTokens(word, search)).filter(({ spam }) => spam === null);
  const exact = genuine.filter((token) => [word, `w${word}`].includes(symbolOf(token)));
  const close = genuine.filter((token) => symbolOf(token).startsWith(word));
  return (exact.length > 0 ? exact : close).slice(0, MAX_TOKENS).map(({ id }) => id);
}

/** The busiest pools of some tokens in 24 hours. */
async function volumesOf(
  tokens: readonly string[],
  search: Search,
): Promise<ReadonlyMap<string, number | null>> {
  const rows = await search.rows<{ pool_address: string; volume_usd: number | null }>(
    sqlText`SELECT pool_address, SUM(amount_usd) AS volume_usd FROM ${search.table("dex_trades")}
      WHERE timestamp > ${search.until - DAY_SECONDS} AND token_address IN (${listOf(tokens)})
      GROUP BY pool_address ORDER BY volume_usd DESC LIMIT ${10 * MAX_POOLS}`,
  );
  return new Map(rows.map(({ pool_address, volume_usd }) => [pool_address, volume_usd]));
}

async function symbolsOf(tokens: readonly string[], search: Search): Promise<Map<string, string | null>> {
  if (tokens.length === 0) return new Map();
  const rows = await search.rows<{ token_address: string; token_symbol: string | null }>(
    sqlText`SELECT token_address, token_symbol FROM ${search.table("token_metadata")}
      WHERE token_address IN (${listOf(tokens)}) LIMIT ${tokens.length}`,
  );
  return new Map(rows.map(({ token_address, token_symbol }) => [token_address, token_symbol]));
}
