import type { Hex } from "../../lib/hex.ts";
import { isWholeFrom } from "../../schema/block.ts";
import type { PriceType } from "../../schema/trade-price.ts";
import { readPriceTypeInForce } from "../prices/prices-in-force.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import { NOTHING_OWNED, readOwnBalances } from "./own-balances.ts";
import {
  type Moment,
  type NewestTrade,
  ownTokens,
  type PoolFacts,
  readMoment,
  readNewestTrades,
  readPools,
} from "./pool-state.ts";
import { balancesOf, type PoolBalances, type PoolTvl, tvlOf } from "./pool-value.ts";
import { readSingletonAmounts } from "./singleton-pools.ts";
import { readVaultAmounts, wholeVaultPools } from "./vaults/vault-pools.ts";
import { wholeSingletons } from "./whole-singletons.ts";

/**
 * Reads the tokens that pools held at a time, and their value at that time. Unknown pools are left out.
 *
 * @param at unix seconds
 */
export async function readPoolTvls(
  snapshot: Snapshot,
  requested: readonly Hex[],
  priceType: PriceType,
  at: number,
): Promise<Map<Hex, PoolTvl>> {
  const moment = await readMoment(snapshot, at);
  const pools = await readPools(snapshot, requested);
  const [balances, trades, prices] = await Promise.all([
    moment === null ? new Map<Hex, PoolBalances>() : readPoolBalances(snapshot, pools, moment),
    moment === null ? new Map<Hex, NewestTrade>() : readNewestTrades(snapshot, pools, moment),
    readPriceTypeInForce(snapshot, ownTokens(pools), priceType, at),
  ]);
  return new Map(
    pools.map((facts) => {
      const held = balances.get(facts.pool) ?? [];
      const newestTrade = trades.get(facts.pool) ?? null;
      return [facts.pool, { ...tvlOf(facts, held, prices, snapshot.chain), newestTrade }];
    }),
  );
}

async function readPoolBalances(
  snapshot: Snapshot,
  pools: readonly PoolFacts[],
  moment: Moment,
): Promise<Map<Hex, PoolBalances>> {
  const existing = pools.filter(({ createdBlock }) => (createdBlock ?? 0) <= moment.block);
  const whole = await wholeSingletons(snapshot, existing);
  const [states, singletons, vaults] = await Promise.all([
    readOwnBalances(snapshot, existing, moment),
    readSingletonAmounts(snapshot, whole, moment.block),
    readVaultAmounts(snapshot, wholeVaultPools(existing, snapshot.chain), moment.block),
  ]);
  const isWhole = isWholeFrom(snapshot.commit.firstBlock);
  return new Map(
    existing.map((facts): [Hex, PoolBalances] => {
      const { reserves, held } = states.get(facts.pool) ?? NOTHING_OWNED;
      const state = { reserves, held, amounts: singletons.get(facts.pool) ?? vaults.get(facts.pool) };
      return [facts.pool, balancesOf(facts, state, isWhole, snapshot.chain)];
    }),
  );
}
