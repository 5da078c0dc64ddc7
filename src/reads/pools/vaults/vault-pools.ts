import { type Chain, scopeOf } from "../../../chains/chain.ts";
import { answerExpression } from "../../../engine-sql/column-types.ts";
import {
  hexBytes,
  hexBytesArray,
  integer,
  integerArray,
  join,
  type Sql,
  sql,
  time,
} from "../../../engine-sql/sql-text.ts";
import { grouped } from "../../../lib/collections/grouped.ts";
import type { Hex } from "../../../lib/hex.ts";
import { FEE_CONTROLLER_CHANGED } from "../../../schema/events/vault-events.ts";
import { isSingleton } from "../../../schema/pool-families.ts";
import { completeFrom } from "../../../schema/scope.ts";
import { poolAmounts, type VaultBalances } from "../../../serving/pools/vaults/vault-balances.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { PoolRow } from "../pool-state.ts";
import { isInVault, type PoolBalances } from "../pool-value.ts";
import { pointOf, type TimePoints, timesOf } from "../time-points.ts";
import { BIN_LOGS } from "./bin-logs.ts";
import { EKUBO_LOGS } from "./ekubo-logs.ts";
import { NOT_READABLE, type VaultLogs } from "./vault-logs.ts";
import { VAULT_LOGS_V2 } from "./vault-logs-v2.ts";
import { vaultLogsV3 } from "./vault-logs-v3.ts";

/**
 * A contract that accounts for the tokens of many pools: a Balancer Vault, Ekubo's Core, or PancakeSwap
 * Infinity's BinPoolManager.
 */
interface Vault {
  address: Hex;
  family: string;
  /** The fee controllers of a Balancer V3 Vault; none in other families. */
  controllers: readonly Hex[];
}

/** A pool in a Vault. All changes of the pool's balances are in the stored logs. */
export interface VaultPool extends Pick<PoolRow, "pool" | "family" | "tokens"> {
  vault: Vault;
  /** Unix seconds. */
  createdAt: number;
}

/**
 * Selects those pools in Vaults for which all logs are stored: pools that were created since the first
 * indexed block, and since the first block whose logs are stored.
 */
export function wholeVaultPools(pools: readonly PoolRow[], chain: Chain): VaultPool[] {
  const from = completeFrom(scopeOf(chain), "logs");
  return pools.filter(isInVault).flatMap(({ pool, family, tokens, factory, createdBlock, createdAt }) => {
    const vault = vaultOf(factory, chain);
    if (vault === null || from === null) return [];
    if (createdBlock === null || createdAt === null || createdBlock < from) return [];
    return [{ pool, family, tokens, vault, createdAt }];
  });
}

/** Returns the Vault of a factory's pools; null if its events do not determine balances. */
function vaultOf(factory: Hex, { deployments }: Chain): Vault | null {
  const deployment = deployments.find((one) => one.factory === factory);
  if (deployment === undefined) return null;
  const { family, vault, feeControllers: controllers = [] } = deployment;
  if (isSingleton(family)) return { address: factory, family, controllers: [] };
  if (vault === undefined || (family === "balancer-v3" && controllers.length === 0)) return null;
  return { address: vault, family, controllers };
}

function emittersOf({ address, controllers }: Vault): Hex[] {
  return [address, ...controllers];
}

function logsOf({ family, controllers }: Vault): VaultLogs {
  if (family === "ekubo") return EKUBO_LOGS;
  if (family === "pancake-infinity-bin") return BIN_LOGS;
  return family === "balancer-v3" ? vaultLogsV3(controllers) : VAULT_LOGS_V2;
}

/**
 * Reads the balances of pools in their Vaults after a block. A pool is left out unless its registration is
 * stored, because changes before the first stored log would be missing.
 */
export async function readVaultBalances(
  snapshot: Snapshot,
  pools: readonly VaultPool[],
  block: number,
): Promise<Map<Hex, VaultBalances>> {
  const found = new Map<Hex, VaultBalances>();
  for (const inside of grouped(pools, ({ vault }) => vault.address).values()) {
    const vault = inside[0]?.vault;
    if (vault === undefined) continue;
    const rows = await snapshot.query<ChangeRow & { pool: Hex }>(
      sql`SELECT ${POOL} AS pool, ${TOTALS} FROM ${changes(snapshot, vault, inside, { block })} GROUP BY id, holding`,
    );
    for (const { pool } of inside) {
      const own = rows.filter((row) => row.pool === pool);
      if (isRegistered(own)) found.set(pool, { emitters: emittersOf(vault), byToken: sumsOf(own) });
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

/** Like `readVaultAmounts`, but for one pool at many points in time; undefined where unknown. */
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

const POOL = answerExpression("pool_id", sql`id`, "rest");
const TOTALS = sql`${answerExpression("address", sql`holding`, "rest")} AS token,
  toString(sum(change)) AS total, max(is_registration) AS registered`;

/**
 * Selects the changes of the balances that a Vault holds for its pools, since the creation of the oldest of
 * these pools. The changes are read from `logs`, so blocks that an earlier version of Quarry indexed are
 * included.
 *
 * @param until unix seconds; default: no limit
 */
function changes(
  { table }: Snapshot,
  vault: Vault,
  pools: readonly VaultPool[],
  { block, until }: { block: number; until?: number },
): Sql {
  const since = Math.min(...pools.map(({ createdAt }) => createdAt));
  const isBefore = until === undefined ? sql`1` : sql`timestamp <= ${time(until)}`;
  const isInTime = sql`timestamp >= ${time(since)} AND ${isBefore} AND block_number <= ${integer(block)}`;
  const { isRelevant, id, isRegistration, changes: made } = logsOf(vault);
  const ids = hexBytesArray(pools.map(({ pool }) => pool));
  const ofPools = sql`SELECT timestamp, ${id} AS id, ${isRegistration} AS is_registration, arrayJoin(${made}) AS one
    FROM ${table("logs")} WHERE address IN (${join(emittersOf(vault).map(hexBytes))}) AND ${isInTime}
    AND ${isRelevant} AND ${id} IN (SELECT arrayJoin(${ids}))`;
  const more = vault.controllers.length === 0 ? [] : [unlisted(table("logs"), vault, pools, isInTime)];
  return sql`(SELECT timestamp, id, is_registration, tupleElement(one, 1) AS holding, tupleElement(one, 2) AS change
    FROM (${join([ofPools, ...more], " UNION ALL ")}))`;
}

/**
 * For each new fee controller that is not listed, selects a change that marks the pools' balances as
 * unknown, because they would lack the Vault's payments to that controller.
 */
function unlisted(
  logs: Sql,
  { address, controllers }: Vault,
  pools: readonly VaultPool[],
  isInTime: Sql,
): Sql {
  const since = integerArray(
    pools.map(({ createdAt }) => createdAt),
    "UInt32",
  );
  const ids = hexBytesArray(pools.map(({ pool }) => pool));
  const isListed = sql`substring(assumeNotNull(topic_1), 13, 20) IN (${join(controllers.map(hexBytes))})`;
  return sql`SELECT timestamp, tupleElement(pool, 1) AS id, 0 AS is_registration, arrayJoin(${NOT_READABLE}) AS one
    FROM (SELECT timestamp, arrayJoin(arrayZip(${ids}, ${since})) AS pool FROM ${logs}
      WHERE address = ${hexBytes(address)} AND ${isInTime} AND topic_0 = ${hexBytes(FEE_CONTROLLER_CHANGED)}
      AND topic_1 IS NOT NULL AND NOT (${isListed}))
    WHERE toUnixTimestamp(timestamp) >= tupleElement(pool, 2)`;
}
