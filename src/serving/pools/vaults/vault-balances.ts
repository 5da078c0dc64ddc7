import type { Hex } from "../../../lib/hex.ts";
import type { PoolFamily } from "../../../schema/pool-families.ts";
import type { PoolTokens } from "../../../schema/pool-tokens.ts";
import { binChangesOf, isOfBin } from "./bin-changes.ts";
import { ekuboChangesOf, isOfEkubo } from "./ekubo-changes.ts";
import { placeOf, type VaultChange, type VaultLog } from "./vault-change.ts";
import { isOfVaultV2, vaultV2ChangesOf } from "./vault-v2-changes.ts";
import { vaultV3ChangesOf } from "./vault-v3-changes.ts";

/**
 * The balances of a pool according to the logs of a shared contract (a Balancer Vault, Ekubo's Core, the
 * BinPoolManager), in base units by token. They include the pool's own shares.
 */
export interface VaultBalances {
  /**
   * The shared contract and, in Balancer V3, the Vault's fee controllers. Logs of other contracts are ignored.
   */
  emitters: readonly Hex[];
  byToken: ReadonlyMap<Hex, bigint>;
}

export function withVaultLog(known: VaultBalances, log: VaultLog): VaultBalances {
  const byToken = new Map(known.byToken);
  for (const { token, change } of vaultChangesOf(log))
    byToken.set(token, (byToken.get(token) ?? 0n) + change);
  return { ...known, byToken };
}

/** Returns the changes that a log makes to the balances of the log's pool in a shared contract. */
export function vaultChangesOf(log: VaultLog): VaultChange[] {
  if (isOfEkubo(log)) return ekuboChangesOf(log);
  if (isOfBin(log)) return binChangesOf(log);
  return isOfVaultV2(log) ? vaultV2ChangesOf(log) : vaultV3ChangesOf(log);
}

/** Families whose events do not show some fees to the base unit. */
const ROUNDED: ReadonlySet<string> = new Set<PoolFamily>(["pancake-infinity-bin"]);

interface PoolInVault {
  pool: Hex;
  family: string;
  tokens: PoolTokens;
}

/**
 * Returns the balances of a pool's tokens; null for an unknown token. Returns undefined if a balance is
 * negative, or if the Vault holds a token for the pool that is not one of the pool's known tokens, as in a
 * managed pool that adds tokens later: the value would be incomplete. The pool's own shares, which a
 * composable pool keeps in the Vault until they are sold, are worth nothing.
 */
export function poolAmounts(
  { pool, family, tokens }: PoolInVault,
  known: VaultBalances["byToken"],
): (bigint | null)[] | undefined {
  const own = new Set<Hex>([
    pool,
    ...tokens.flatMap((token, i) => (token === null ? [] : [token, placeOf(tokens.length, i)])),
  ]);
  if ([...known].some(([token, held]) => held !== 0n && !own.has(token))) return undefined;
  const amounts = tokens.map((token, i) => {
    if (token === null) return null;
    const held = (known.get(token) ?? 0n) + (known.get(placeOf(tokens.length, i)) ?? 0n);
    // The real balance is not negative, so zero is closer to it.
    return held < 0n && ROUNDED.has(family) ? 0n : held;
  });
  return amounts.some((amount) => amount !== null && amount < 0n) ? undefined : amounts;
}
