import type { Hex } from "../../../lib/hex.ts";
import { VAULT_EVENTS } from "../../../schema/events/vault-events.ts";
import { addressOf, signed, UNREADABLE, type VaultChange, type VaultLog } from "./vault-change.ts";

/**
 * Number of words in PoolBalanceChanged's data in addition to the list items: three offsets and three
 * lengths.
 */
export const CHANGED_WORDS = 6;

const TOPICS: ReadonlySet<Hex | null> = new Set(Object.values(VAULT_EVENTS));

/** Returns whether a log has the topic of an event of Balancer V2's Vault. */
export function isOfVaultV2({ topic_0 }: Pick<VaultLog, "topic_0">): boolean {
  return TOPICS.has(topic_0);
}

/** Returns the changes that a log makes to the balances that Balancer V2's Vault holds for the log's pool. */
export function vaultV2ChangesOf(log: VaultLog): VaultChange[] {
  const words = log.data.slice(2).match(/.{64}/g) ?? [];
  const [tokenIn, tokenOut] = [addressOf(log.topic_2), addressOf(log.topic_3)];
  const isPair = words.length === 2 && tokenOut !== null;
  switch (log.topic_0) {
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
      return [];
  }
}

/**
 * Returns the changes of a PoolBalanceChanged. The Vault pays the protocol fees of joins and exits from the
 * pool's balance, in addition to the amounts of the provider (`_processJoinPoolTransfers` in
 * PoolBalances.sol).
 */
function joinChanges(words: readonly string[]): VaultChange[] {
  const count = (words.length - CHANGED_WORDS) / 3;
  if (!Number.isInteger(count) || count < 0 || signed(words[3]) !== BigInt(count)) return [UNREADABLE];
  return Array.from({ length: count }, (_, i) => ({
    token: addressOf(words[4 + i]) ?? UNREADABLE.token,
    change: signed(words[5 + count + i]) - signed(words[6 + 2 * count + i]),
  }));
}
