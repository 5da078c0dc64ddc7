import { type Chain, scopeOf } from "../../chains/chain.ts";
import { answerExpression } from "../../engine-sql/column-types.ts";
import { hexBytes, hexBytesArray, integer, join, type Sql, sql, time } from "../../engine-sql/sql-text.ts";
import type { Hex } from "../../lib/hex.ts";
import { VAULT_EVENTS } from "../../schema/events/vault-events.ts";
import { completeFrom } from "../../schema/scope.ts";
import {
  CHANGED_WORDS,
  poolAmounts,
  UNREADABLE,
  type VaultBalances,
} from "../../serving/pools/vault-balances.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { PoolRow } from "./pool-state.ts";
import { isInVault, type PoolBalances } from "./pool-value.ts";
import { pointOf, type TimePoints, timesOf } from "./time-points.ts";

/** A pool of Balancer V2 whose changes are all in the stored logs. */
export interface VaultPool extends Pick<PoolRow, "pool" | "tokens"> {
  vault: Hex;
  /** Unix seconds. */
  createdAt: number;
}

/**
 * Selects the pools of Balancer V2 whose logs are all stored: those created since the first indexed block,
 * whose logs were neither left out nor pruned.
 */
export function wholeVaultPools(pools: readonly PoolRow[], chain: Chain): VaultPool[] {
  const from = completeFrom(scopeOf(chain), "logs");
  return pools.filter(isInVault).flatMap(({ pool, tokens, factory, createdBlock, createdAt }) => {
    const vault = chain.deployments.find((one) => one.factory === factory)?.vault;
    if (vault === undefined || from === null) return [];
    if (createdBlock === null || createdAt === null || createdBlock < from) return [];
    return [{ pool, tokens, vault, createdAt }];
  });
}

/**
 * Reads what the Vault holds for pools after a block. A pool is left out unless its registration is stored,
 * because changes before the first stored log would be missing.
 */
export async function readVaultBalances(
  snapshot: Snapshot,
  pools: readonly VaultPool[],
  block: number,
): Promise<Map<Hex, VaultBalances>> {
  const found = new Map<Hex, VaultBalances>();
  for (const vault of new Set(pools.map((one) => one.vault))) {
    const inside = pools.filter((one) => one.vault === vault);
    const rows = await snapshot.query<ChangeRow & { pool: Hex }>(
      sql`SELECT ${POOL} AS pool, ${TOTALS} FROM ${changes(snapshot, vault, inside, { block })} GROUP BY id, holding`,
    );
    for (const { pool } of inside) {
      const own = rows.filter((row) => row.pool === pool);
      if (isRegistered(own)) found.set(pool, { vault, byToken: sumsOf(own) });
    }
  }
  return found;
}

/** Reads the amounts of pools after a block, as `readSingletonAmounts` does. */
export async function readVaultAmounts(
  snapshot: Snapshot,
  pools: readonly VaultPool[],
  block: number,
): Promise<Map<Hex, PoolBalances>> {
  const balances = await readVaultBalances(snapshot, pools, block);
  const amounts = new Map<Hex, PoolBalances>();
  for (const one of pools) {
    const known = balances.get(one.pool);
    const owned = known && poolAmounts(one, known.byToken);
    if (owned !== undefined) amounts.set(one.pool, owned);
  }
  return amounts;
}

/** `readVaultAmounts` of one pool at many points in time; undefined where unknown. */
export async function readVaultAmountsOver(
  snapshot: Snapshot,
  pool: VaultPool,
  points: TimePoints,
): Promise<(PoolBalances | undefined)[]> {
  const { blockNumber: block } = snapshot.commit;
  const rows = await snapshot.query<ChangeRow & { point: number }>(
    sql`SELECT ${pointOf(sql`timestamp`, points)} AS point, ${TOTALS}
      FROM ${changes(snapshot, pool.vault, [pool], { block, until: points.last })} GROUP BY point, holding`,
  );
  const byToken = new Map<Hex, bigint>();
  let isWhole = false;
  return timesOf(points).map((at) => {
    const changed = rows.filter(({ point }) => point === at);
    isWhole ||= isRegistered(changed);
    for (const { token, total } of changed) byToken.set(token, (byToken.get(token) ?? 0n) + BigInt(total));
    return isWhole ? poolAmounts(pool, byToken) : undefined;
  });
}

/** The sum of a token's changes, as decimal text, and whether the pool's registration is among the rows. */
interface ChangeRow {
  token: Hex;
  total: string;
  registered: number;
}

function isRegistered(rows: readonly ChangeRow[]): boolean {
  return rows.some(({ registered }) => registered === 1);
}

function sumsOf(rows: readonly ChangeRow[]): Map<Hex, bigint> {
  return new Map(rows.map(({ token, total }) => [token, BigInt(total)]));
}

const POOL = answerExpression("address", sql`id`, "rest");
const TOTALS = sql`${answerExpression("address", sql`holding`, "rest")} AS token,
  toString(sum(change)) AS total, max(is_registration) AS registered`;

const ID = sql`substring(assumeNotNull(topic_1), 1, 20)`;
const wordAt = (index: Sql) => sql`reverse(substring(data, 1 + 32 * (${index}), 32))`;
const signedAt = (index: Sql) => sql`reinterpretAsInt256(${wordAt(index)})`;
const lastBytes = (word: Sql) => sql`substring(${word}, 13, 20)`;
const isEvent = (name: keyof typeof VAULT_EVENTS) => sql`topic_0 = ${hexBytes(VAULT_EVENTS[name])}`;

const IS_PAIR = sql`length(data) = 64 AND topic_3 IS NOT NULL`;
const [TOKEN_IN, TOKEN_OUT] = [sql`topic_2`, sql`topic_3`].map((topic) =>
  lastBytes(sql`assumeNotNull(${topic})`),
) as [Sql, Sql];
/** Number of tokens in a PoolBalanceChanged of the right length. */
const COUNT = sql`intDiv(length(data) - ${integer(32 * CHANGED_WORDS)}, 96)`;
const IS_JOIN = sql`length(data) >= ${integer(32 * CHANGED_WORDS)} AND length(data) % 96 = 0
  AND ${signedAt(integer(3))} = ${COUNT}`;
const JOIN_CHANGES = sql`arrayMap(i -> (${lastBytes(sql`substring(data, 1 + 32 * (4 + i), 32)`)},
  ${signedAt(sql`5 + ${COUNT} + i`)} - ${signedAt(sql`6 + 2 * ${COUNT} + i`)}), range(toUInt32(greatest(${COUNT}, 0))))`;

/** The same as `vaultChangesOf`; a registration has one change of zero, so that it has a row. */
const CHANGES = sql`multiIf(
  ${isEvent("registered")}, [(${ID}, toInt256(0))],
  ${isEvent("swap")} AND ${IS_PAIR}, [(${TOKEN_IN}, ${signedAt(integer(0))}), (${TOKEN_OUT}, -${signedAt(integer(1))})],
  ${isEvent("managed")} AND ${IS_PAIR}, [(${TOKEN_OUT}, ${signedAt(integer(0))} + ${signedAt(integer(1))})],
  ${isEvent("changed")} AND ${IS_JOIN}, ${JOIN_CHANGES},
  [(${lastBytes(sql`toFixedString(${hexBytes(`0x${"0".repeat(64)}`)}, 32)`)}, toInt256(${integer(UNREADABLE.change)}))])`;

/**
 * Selects the changes of the balances that a Vault holds for its pools. They are read from `logs`, so blocks
 * that an earlier version indexed count as well. The reads begin with the creation of the oldest of the
 * pools.
 *
 * @param until unix seconds; default: no limit
 */
function changes(
  { table }: Snapshot,
  vault: Hex,
  pools: readonly VaultPool[],
  { block, until }: { block: number; until?: number },
): Sql {
  const since = Math.min(...pools.map(({ createdAt }) => createdAt));
  const isBefore = until === undefined ? sql`1` : sql`timestamp <= ${time(until)}`;
  const topics = join(Object.values(VAULT_EVENTS).map(hexBytes));
  const ids = hexBytesArray(
    pools.map(({ pool }) => pool),
    20,
  );
  return sql`(SELECT timestamp, id, is_registration, tupleElement(one, 1) AS holding, tupleElement(one, 2) AS change
    FROM (SELECT timestamp, ${ID} AS id, ${isEvent("registered")} AS is_registration, arrayJoin(${CHANGES}) AS one
      FROM ${table("logs")} WHERE address = ${hexBytes(vault)} AND timestamp >= ${time(since)} AND ${isBefore}
      AND block_number <= ${integer(block)} AND topic_0 IN (${topics}) AND topic_1 IS NOT NULL
      AND ${ID} IN (SELECT arrayJoin(${ids}))))`;
}
