import { formatFee, pairName, protocolName } from "../../format/pool.ts";
import { DAY_SECONDS } from "../../format/time.ts";
import type { PoolRow } from "../pool/pool-row.ts";
import { listOf, type SqlText, sqlText, table } from "../service/sql.ts";
import { readSymbols } from "../token/symbols.ts";
import { type Place, rowsOf } from "./scope.ts";
import type { Found } from "./search-result.ts";

/** As many pools as are told apart at a glance. */
const MAX_RESULTS = 10;
/** So many tokens may be meant by a word: the most traded of the day, and the ones known longest. */
const MAX_TOKENS = 10;
/** So many pools of such tokens are looked at. */
const MAX_POOLS = 200;

/** Pools of two tokens whose symbols begin with two words, in either order; the most traded of the day first. */
export async function findPairs([one, other]: readonly [string, string], place: Place): Promise<Found[]> {
  const [these, those] = await Promise.all([tokensCalled(one, place), tokensCalled(other, place)]);
  if (these.length === 0 || those.length === 0) return [];
  const pools = await rowsOf<PoolRow>(
    sqlText`SELECT pool_address, protocol, fee, token_0_address, token_1_address
      FROM ${table(place.chain, "pool_metadata")}
      WHERE (token_0_address IN (${listOf(these)}) AND token_1_address IN (${listOf(those)}))
        OR (token_0_address IN (${listOf(those)}) AND token_1_address IN (${listOf(these)}))
      LIMIT ${MAX_POOLS}`,
    place,
  );
  if (pools.length === 0) return [];
  const tokens = pools.flatMap(({ token_0_address, token_1_address }) => [token_0_address, token_1_address]);
  const [volumes, symbols] = await Promise.all([
    volumesOf(pools, place),
    readSymbols({ chain: place.chain, tokens: [...new Set(tokens)], signal: place.signal }),
  ]);
  const named = (address: string) => ({ address, symbol: symbols.get(address) ?? null });
  return pools
    .map((pool) => ({ ...pool, volumeUsd: volumes.get(pool.pool_address) ?? null }))
    .sort((a, b) => (b.volumeUsd ?? -1) - (a.volumeUsd ?? -1))
    .slice(0, MAX_RESULTS)
    .map(({ pool_address, protocol, fee, token_0_address, token_1_address, volumeUsd }) => ({
      kind: "pool",
      chain: place.chain,
      id: pool_address,
      title: pairName({ pair: [named(token_0_address), named(token_1_address)] }),
      detail: fee === null ? protocolName(protocol) : `${protocolName(protocol)} ${formatFee(fee)}`,
      volumeUsd,
    }));
}

async function tokensCalled(word: string, place: Place): Promise<string[]> {
  const { chain, until } = place;
  const found = await Promise.all([
    rowsOf<{ token_address: string }>(
      sqlText`SELECT token_address, ${distanceOf(word)} AS distance FROM ${table(chain, "token_metadata")}
        WHERE ${isCalled(word)} ORDER BY distance, first_seen_block_number LIMIT ${MAX_TOKENS}`,
      place,
    ),
    rowsOf<{ token_address: string }>(
      sqlText`SELECT token_address, ${distanceOf(word)} AS distance, SUM(amount_usd) AS volume_usd
        FROM ${table(chain, "dex_trades")} WHERE timestamp > ${until - DAY_SECONDS} AND ${isCalled(word)}
        GROUP BY token_address, distance ORDER BY distance, volume_usd DESC LIMIT ${MAX_TOKENS}`,
      place,
    ),
  ]);
  return [...new Set(found.flat().map(({ token_address }) => token_address))];
}

/** Who says ETH or BTC means WETH or WBTC, too: pools hold the wrapped one. */
function isCalled(word: string): SqlText {
  return sqlText`(STARTS_WITH(LCASE(token_symbol), ${word}) OR LCASE(token_symbol) = ${`w${word}`})`;
}

function distanceOf(word: string): SqlText {
  return sqlText`CASE WHEN LCASE(token_symbol) IN (${listOf([word, `w${word}`])}) THEN 0 ELSE 1 END`;
}

/** A swap of two tokens counts once, by the token that has more of the pool's trades in US dollars. */
async function volumesOf(pools: readonly PoolRow[], place: Place): Promise<Map<string, number>> {
  const rows = await rowsOf<{ pool_address: string; volume_usd: number | null }>(
    sqlText`SELECT pool_address, token_address, SUM(amount_usd) AS volume_usd
      FROM ${table(place.chain, "dex_trades")}
      WHERE timestamp > ${place.until - DAY_SECONDS}
        AND pool_address IN (${listOf(pools.map(({ pool_address }) => pool_address))})
      GROUP BY pool_address, token_address LIMIT ${2 * pools.length}`,
    place,
  );
  const volumes = new Map<string, number>();
  for (const { pool_address, volume_usd } of rows)
    volumes.set(pool_address, Math.max(volume_usd ?? 0, volumes.get(pool_address) ?? 0));
  return volumes;
}
