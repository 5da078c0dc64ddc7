import { formatFee, pairName, protocolName } from "../../format/pool.ts";
import { DAY_SECONDS } from "../../format/time.ts";
import type { PoolRow } from "../pool/pool-row.ts";
import { listOf, type SqlText, sqlText, table } from "../service/sql.ts";
import { readSymbols } from "../token/symbols.ts";
import { rowsOf, type SearchScope } from "./scope.ts";
import type { SearchResult } from "./search-result.ts";

/** As many pools as users can take in at a glance. */
const MAX_RESULTS = 10;
/** Tokens considered per word: the most traded of the day, and the oldest. */
const MAX_TOKENS = 10;
/** Pools considered. */
const MAX_POOLS = 200;

/**
 * Pools of two tokens whose symbols start with the two words, in either order; highest 24-hour volume first.
 */
export async function findPairs(
  [one, other]: readonly [string, string],
  scope: SearchScope,
): Promise<SearchResult[]> {
  const [these, those] = await Promise.all([tokensNamed(one, scope), tokensNamed(other, scope)]);
  if (these.length === 0 || those.length === 0) return [];
  const pools = await rowsOf<PoolRow>(
    sqlText`SELECT pool_address, protocol, fee, token_0_address, token_1_address
      FROM ${table(scope.chain, "pool_metadata")}
      WHERE (token_0_address IN (${listOf(these)}) AND token_1_address IN (${listOf(those)}))
        OR (token_0_address IN (${listOf(those)}) AND token_1_address IN (${listOf(these)}))
      LIMIT ${MAX_POOLS}`,
    scope,
  );
  if (pools.length === 0) return [];
  const tokens = pools.flatMap(({ token_0_address, token_1_address }) => [token_0_address, token_1_address]);
  const [volumes, symbols] = await Promise.all([
    volumesOf(pools, scope),
    readSymbols(scope.chain, [...new Set(tokens)], scope.signal),
  ]);
  const labelOf = (address: string) => ({ address, symbol: symbols.get(address) ?? null });
  return pools
    .map((pool) => ({ ...pool, volumeUsd: volumes.get(pool.pool_address) ?? null }))
    .sort((a, b) => (b.volumeUsd ?? -1) - (a.volumeUsd ?? -1))
    .slice(0, MAX_RESULTS)
    .map(({ pool_address, protocol, fee, token_0_address, token_1_address, volumeUsd }) => ({
      kind: "pool",
      chain: scope.chain,
      id: pool_address,
      title: pairName({ pair: [labelOf(token_0_address), labelOf(token_1_address)] }),
      detail: fee === null ? protocolName(protocol) : `${protocolName(protocol)} ${formatFee(fee)}`,
      volumeUsd,
    }));
}

async function tokensNamed(word: string, scope: SearchScope): Promise<string[]> {
  const { chain, until } = scope;
  const found = await Promise.all([
    rowsOf<{ token_address: string }>(
      sqlText`SELECT token_address, ${distanceOf(word)} AS distance FROM ${table(chain, "token_metadata")}
        WHERE ${isNamed(word)} ORDER BY distance, first_seen_block_number LIMIT ${MAX_TOKENS}`,
      scope,
    ),
    rowsOf<{ token_address: string }>(
      sqlText`SELECT token_address, ${distanceOf(word)} AS distance, SUM(amount_usd) AS volume_usd
        FROM ${table(chain, "dex_trades")} WHERE timestamp > ${until - DAY_SECONDS} AND ${isNamed(word)}
        GROUP BY token_address, distance ORDER BY distance, volume_usd DESC LIMIT ${MAX_TOKENS}`,
      scope,
    ),
  ]);
  return [...new Set(found.flat().map(({ token_address }) => token_address))];
}

/** ETH and BTC also match WETH and WBTC, because pools hold the wrapped token. */
function isNamed(word: string): SqlText {
  return sqlText`(STARTS_WITH(LCASE(token_symbol), ${word}) OR LCASE(token_symbol) = ${`w${word}`})`;
}

function distanceOf(word: string): SqlText {
  return sqlText`CASE WHEN LCASE(token_symbol) IN (${listOf([word, `w${word}`])}) THEN 0 ELSE 1 END`;
}

/**
 * Volume per pool. Counts only the token with the higher volume, so that a swap between two tokens counts
 * once.
 */
async function volumesOf(pools: readonly PoolRow[], scope: SearchScope): Promise<Map<string, number>> {
  const rows = await rowsOf<{ pool_address: string; volume_usd: number | null }>(
    sqlText`SELECT pool_address, token_address, SUM(amount_usd) AS volume_usd
      FROM ${table(scope.chain, "dex_trades")}
      WHERE timestamp > ${scope.until - DAY_SECONDS}
        AND pool_address IN (${listOf(pools.map(({ pool_address }) => pool_address))})
      GROUP BY pool_address, token_address LIMIT ${2 * pools.length}`,
    scope,
  );
  const volumes = new Map<string, number>();
  for (const { pool_address, volume_usd } of rows)
    volumes.set(pool_address, Math.max(volume_usd ?? 0, volumes.get(pool_address) ?? 0));
  return volumes;
}
