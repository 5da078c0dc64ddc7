import type { Hex } from "../../lib/hex.ts";
import { VAULT_EVENTS } from "../../schema/events/vault-events.ts";
import type { PoolTokens } from "../../schema/pool-tokens.ts";
import { ekuboChangesOf, isOfEkubo } from "./ekubo-changes.ts";
import { addressOf, signed, UNREADABLE, type VaultChange, type VaultLog } from "./vault-change.ts";
import { vaultV3ChangesOf, withoutPlaces } from "./vault-v3-changes.ts";

/**
 * The balances that a Balancer Vault or Ekubo's Core holds for a pool, in base units by token. They include
 * the pool's own shares.
 */
export interface VaultBalances {
  /** The Vault, and in Balancer V3 its fee controllers. Logs of other contracts do not count. */
  emitters: readonly Hex[];
  byToken: ReadonlyMap<Hex, bigint>;
}

/** Number of words in PoolBalanceChanged's data besides the list items: three offsets and three lengths. */
export const CHANGED_WORDS = 6;

export function withVaultLog(known: VaultBalances, log: VaultLog): VaultBalances {
  const byToken = new Map(known.byToken);
  for (const { token, change } of vaultChangesOf(log))
    byToken.set(token, (byToken.get(token) ?? 0n) + change);
  return { ...known, byToken };
}

/** Returns the changes that a log makes to what the Vault holds for the log's pool. */
export function vaultChangesOf(log: VaultLog): VaultChange[] {
  const words = log.data.slice(2).match(/.{64}/g) ?? [];
  const [tokenIn, tokenOut] = [addressOf(log.topic_2), addressOf(log.topic_3)];
  const isPair = words.length === 2 && tokenOut !== null;
  switch (log.topic_0) {
    case VAULT_EVENTS.registered:
      return [];
    case VAULT_EVENTS.changed:
      return joinChanges(words);
    case VAULT_EVENTS.swap:
      return isPair && tokenIn !== null
        ? [
            { token: tokenIn, change: signed(words[0]) },
            { token: tokenOut, change: -signed(words[1]) },
          ]
        : [UNREADABLE];
    case VAULT_EVENTS.managed:
      // An asset manager's profit or loss changes the total; its withdrawals and deposits do not.
      return isPair ? [{ token: tokenOut, change: signed(words[0]) + signed(words[1]) }] : [UNREADABLE];
    default:
      return isOfEkubo(log) ? ekuboChangesOf(log) : vaultV3ChangesOf(log);
  }
}

/**
 * Reads a PoolBalanceChanged. The Vault pays the protocol fees of joins and exits from the pool's balance, in
 * addition to the amounts of the provider (`_processJoinPoolTransfers` in PoolBalances.sol).
 */
function joinChanges(words: readonly string[]): VaultChange[] {
  const count = (words.length - CHANGED_WORDS) / 3;
  if (!Number.isInteger(count) || count < 0 || signed(words[3]) !== BigInt(count)) return [UNREADABLE];
  return Array.from({ length: count }, (_, i) => ({
    token: addressOf(words[4 + i]) ?? UNREADABLE.token,
    change: signed(words[5 + count + i]) - signed(words[6 + 2 * count + i]),
  }));
}

/**
 * Returns the balances of a pool's tokens. Undefined if the Vault holds a token for the pool that is not
 * known to be one of its tokens, as in a managed pool that adds tokens later: the value would be incomplete.
 * The pool's own shares, which a composable pool keeps in the Vault until they are sold, are worth nothing.
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
