import type { Chain } from "../../chains/chain.ts";
import type { Hex } from "../../lib/hex.ts";
import type { MemoryRead } from "../../serving/memory-read.ts";
import type { WalletPositions } from "../../serving/wallets/wallet-positions.ts";
import {
  type BatchTotals,
  chooseWallets,
  MAX_WALLETS,
  type NamedPerformance,
  NO_POSITIONS,
  perToken,
  totalsOf,
  type WalletQuery,
  type WalletTotals,
} from "./wallets.ts";

/** Like `readBatchTotals`, but from memory. */
export function batchTotalsIn(
  memory: MemoryRead,
  chain: Chain,
  wallets: readonly Hex[],
  totalExclude: boolean,
): BatchTotals {
  const first = wallets.slice(0, MAX_WALLETS);
  const positions = new Map(first.map((wallet) => [wallet, memory.positions(wallet) ?? NO_POSITIONS]));
  const positionsOf = (wallet: Hex) => positions.get(wallet) ?? NO_POSITIONS;
  const chosen = new Set(chooseWallets(first, (wallet) => positionsOf(wallet).trades));
  const excluded = totalExclude ? chain.stableCoins : [];
  const totals = [...chosen].map(
    (wallet) => [wallet, totalsOf(positionsOf(wallet), priceIn(memory), excluded)] as const,
  );
  return { wallets: new Map(totals), remainder: wallets.filter((wallet) => !chosen.has(wallet)) };
}

/** Like `readTotals`, but from memory. */
export function totalsIn(memory: MemoryRead, chain: Chain, query: WalletQuery): WalletTotals {
  const excluded = query.totalExclude ? chain.stableCoins : [];
  return totalsOf(positionsIn(memory, query.wallet), priceIn(memory), excluded);
}

/** Like `readPerToken`, but from memory. */
export function perTokenIn(memory: MemoryRead, chain: Chain, query: WalletQuery): NamedPerformance[] {
  const excluded = query.totalExclude ? chain.stableCoins : [];
  return perToken(positionsIn(memory, query.wallet), excluded, {
    priceOf: priceIn(memory),
    factsOf: (token) => memory.facts(token),
  });
}

function positionsIn(memory: MemoryRead, wallet: Hex): WalletPositions {
  const positions = memory.positions(wallet) ?? NO_POSITIONS;
  if (positions.isTooLarge) memory.leaveToEngine();
  return positions;
}

function priceIn(memory: MemoryRead): (token: Hex) => number | null {
  return (token) => memory.price(token, "price_token_usd_robust_tick_1");
}
