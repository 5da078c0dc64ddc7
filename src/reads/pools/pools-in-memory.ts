import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import { isWholeFrom } from "../../schema/block.ts";
import { isTradePrice, type PriceType } from "../../schema/trade-price.ts";
import type { MemoryRead } from "../../serving/memory-read.ts";
import type { PoolState } from "../../serving/pools/pool-state.ts";
import { poolAmounts } from "../../serving/pools/vaults/vault-balances.ts";
import { balancesOf, type PoolBalances, type PoolTvl, type Prices, tvlOf } from "./pool-value.ts";
import { MAX_TICKS } from "./singleton-pools.ts";

/** Like `readPoolTvls`, but from memory, which holds only the newest state of a pool. */
export function poolTvlsIn(
  memory: MemoryRead,
  chain: Chain,
  pools: readonly Hex[],
  { priceType, at }: { priceType: PriceType; at: number },
): Map<Hex, PoolTvl> {
  const tvls = new Map<Hex, PoolTvl>();
  if (!isTradePrice(priceType) || at < memory.commit.timestamp) {
    memory.leaveToEngine();
    return tvls;
  }
  const prices: Prices = { get: (token) => memory.price(token, priceType) ?? undefined };
  let ticks = 0;
  for (const pool of pools) {
    const state = memory.pool(pool);
    if (state === null) continue;
    ticks += state.singleton?.liquidity.ticks ?? 0;
    tvls.set(pool, poolTvlIn(memory, chain, state, prices));
  }
  // `readPoolTvls` rejects a request with more ticks than this, so memory must not answer it.
  if (ticks > MAX_TICKS) memory.leaveToEngine();
  return tvls;
}

function poolTvlIn(memory: MemoryRead, chain: Chain, state: PoolState, prices: Prices): PoolTvl {
  const { newestTrade, reserves, held } = state;
  const amounts = amountsIn(state);
  const isWhole = isWholeFrom(memory.commit.firstBlock);
  const balances = balancesOf(state, { reserves, amounts, held }, isWhole, chain);
  const decimals = state.tokens.map((token) => (token && memory.facts(token)?.decimals) ?? null);
  return { ...tvlOf({ ...state, decimals }, balances, prices, chain), newestTrade };
}

/** Returns the amounts of a pool in a shared contract; undefined if they are not known. */
function amountsIn(state: PoolState): PoolBalances | undefined {
  const { singleton, inVault } = state;
  if (inVault !== undefined) return poolAmounts(state, inVault.byToken);
  return singleton?.sqrtPrice === undefined ? undefined : singleton.liquidity.amountsAt(singleton.sqrtPrice);
}
