import type { Hex } from "../../../lib/hex.ts";
import type { PoolTokens } from "../../../schema/pool-tokens.ts";
import { ekuboChangesOf, isOfEkubo } from "./ekubo-changes.ts";
import { type VaultChange, type VaultLog, withoutPlaces } from "./vault-change.ts";
import { isOfVaultV2, vaultV2ChangesOf } from "./vault-v2-changes.ts";
import { vaultV3ChangesOf } from "./vault-v3-changes.ts";

/**
 * The balances that a Balancer Vault or Ekubo's Core holds for a pool, in base units by token. They include
 * the pool's own shares.
 */
export interface VaultBalances {
  /**
   * The Vault or Core and, in Balancer V3, the Vault's fee controllers. Logs of other contracts are ignored.
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

/**
 * Returns the changes that a log makes to the balances that a Vault or Ekubo's Core holds for the log's pool.
 */
export function vaultChangesOf(log: VaultLog): VaultChange[] {
  if (isOfEkubo(log)) return ekuboChangesOf(log);
  return isOfVaultV2(log) ? vaultV2ChangesOf(log) : vaultV3ChangesOf(log);
}

/**
 * Returns the balances of a pool's tokens; null for an unknown token. Returns undefined if a balance is
 * negative, or if the Vault holds a token for the pool that is not one of the pool's known tokens, as in a
 * managed pool that adds tokens later: the value would be incomplete. The pool's own shares, which a
 * composable pool keeps in the Vault until they are sold, are worth nothing.
 */
export function poolAmounts(
  { pool, tokens }: { pool: Hex; tokens: PoolTokens },
  known: VaultBalances["byToken"],
): (bigint | null)[] | undefined {
  const byToken = withoutPlaces(known, tokens);
  const foreign = [...byToken].filter(
    ([token, held]) => held !== 0n && token !== pool && !tokens.includes(token),
  );
  if (foreign.length > 0) return undefined;
  const amounts = tokens.map((token) => (token === null ? null : (byToken.get(token) ?? 0n)));
  return amounts.some((amount) => amount !== null && amount < 0n) ? undefined : amounts;
}
