import { answerExpression } from "../../../engine-sql/column-types.ts";
import { hexBytes, integer, join, sql } from "../../../engine-sql/sql-text.ts";
import type { Hex } from "../../../lib/hex.ts";
import { SYNC_BYTES, TRIDENT_SYNC_TOPIC } from "../../../schema/events/sync-event.ts";
import type { Snapshot } from "../../snapshot/snapshot.ts";
import type { PoolRow } from "../pool-state.ts";

/** Condition for the Sync events of Trident pools in `logs`. */
export const IS_TRIDENT_SYNC = sql`topic_0 = ${hexBytes(TRIDENT_SYNC_TOPIC)}
  AND length(data) = ${integer(SYNC_BYTES)}`;

/** DeployPool(address indexed factory, address indexed pool, bytes deployData) of the MasterDeployer */
const DEPLOY_POOL: Hex = "0xe469f9471ac1d98222517eb2cdff1ef4df5f7880269173bb782bb78e499d9de3";

/**
 * Selects the Trident pools that report their reserves as amounts: those for which a stored log of their
 * MasterDeployer names a factory of stable pools.
 */
export async function stableTridentPools(
  snapshot: Snapshot,
  pools: readonly Pick<PoolRow, "pool" | "family" | "factory">[],
): Promise<Hex[]> {
  const { chain, commit, query, table } = snapshot;
  const found: Hex[] = [];
  for (const { family, factory, stableFactories = [] } of chain.deployments) {
    const inside = pools.filter((one) => one.family === family && one.factory === factory);
    if (family !== "trident" || inside.length === 0 || stableFactories.length === 0) continue;
    const words = (addresses: readonly Hex[]) => join(addresses.map(wordOf));
    const rows = await query<{ pool: Hex }>(
      sql`SELECT DISTINCT ${answerExpression("address", sql`substring(assumeNotNull(topic_2), 13, 20)`, "rest")} AS pool
        FROM ${table("logs")} WHERE address = ${hexBytes(factory)} AND topic_0 = ${hexBytes(DEPLOY_POOL)}
        AND topic_1 IN (${words(stableFactories)}) AND topic_2 IN (${words(inside.map(({ pool }) => pool))})
        AND block_number <= ${integer(commit.blockNumber)}`,
    );
    found.push(...rows.map(({ pool }) => pool));
  }
  return found;
}

function wordOf(address: Hex) {
  return hexBytes(`0x${address.slice(2).padStart(64, "0")}`);
}
