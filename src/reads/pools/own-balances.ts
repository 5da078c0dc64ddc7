import type { Hex } from "../../lib/hex.ts";
import type { PoolState } from "../../serving/pools/pool-state.ts";
import { type Holding, holdingOf } from "../../storage/stored-balances.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { type Moment, type PoolRow, readBalances, readReserves } from "./pool-state.ts";
import { hasId, reportsReserves } from "./pool-value.ts";
import { IS_TRIDENT_SYNC, stableTridentPools } from "./vaults/trident-pools.ts";

/** The stored balances of a pool whose own contract holds its tokens or reports its reserves. */
export type OwnBalances = Pick<PoolState, "reserves" | "held">;

export const NOTHING_OWNED: OwnBalances = { reserves: undefined, held: [] };

/**
 * Reads the reserves of V2 pairs and of stable Trident pools, and the balances of pairs without a Sync and of
 * other pools with an address.
 */
export async function readOwnBalances(
  snapshot: Snapshot,
  pools: readonly PoolRow[],
  moment: Moment,
): Promise<Map<Hex, OwnBalances>> {
  const pairs = pools.filter(reportsReserves).map(({ pool }) => pool);
  const stable = await stableTridentPools(snapshot, pools);
  const reserves = new Map([
    ...(await readReserves(snapshot, pairs, moment)),
    ...(await readReserves(snapshot, stable, moment, IS_TRIDENT_SYNC)),
  ]);
  const others = pools.filter((facts) => !hasId(facts) && !reserves.has(facts.pool));
  const holdings = others.flatMap((facts) => holdingsOf(facts).filter((holding) => holding !== null));
  const balances = await readBalances(snapshot, holdings, moment);
  return new Map(
    pools.map((facts): [Hex, OwnBalances] => {
      const held = holdingsOf(facts).map((holding) => (holding === null ? null : balances.get(holding)));
      return [facts.pool, { reserves: reserves.get(facts.pool), held }];
    }),
  );
}

/** Returns the holdings in the order of the pool's tokens; null for a token that is not known. */
export function holdingsOf({ pool, tokens }: Pick<PoolRow, "pool" | "tokens">): (Holding | null)[] {
  return tokens.map((token) => token && holdingOf(pool, token));
}
