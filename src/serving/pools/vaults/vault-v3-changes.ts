import { VAULT_V3_EVENTS } from "../../../schema/events/vault-events.ts";
import { addressOf, placeOf, signed, UNREADABLE, type VaultChange, type VaultLog } from "./vault-change.ts";

/** Minimum and maximum number of tokens in a pool (VaultTypes.sol). */
export const [MIN_TOKENS, MAX_TOKENS] = [2, 8] as const;
/**
 * Number of words in the data of LiquidityAdded and LiquidityRemoved in addition to the list items: the total
 * supply, two offsets and two lengths.
 */
export const LIQUIDITY_WORDS = 5;
/** Index of the word that has the length of the first list. */
export const LENGTH_WORD = 3;

/** Returns the changes that a log makes to the balances that Balancer V3's Vault holds for the log's pool. */
export function vaultV3ChangesOf(log: VaultLog): VaultChange[] {
  const words = log.data.slice(2).match(/.{64}/g) ?? [];
  const [first, second] = [addressOf(log.topic_2), addressOf(log.topic_3)];
  switch (log.topic_0) {
    case VAULT_V3_EVENTS.added:
      return liquidityChanges(words, 1n);
    case VAULT_V3_EVENTS.removed:
      return liquidityChanges(words, -1n);
    case VAULT_V3_EVENTS.swap:
      return words.length === 4 && first !== null && second !== null
        ? [
            { token: first, change: signed(words[0]) },
            { token: second, change: -signed(words[1]) },
          ]
        : [UNREADABLE];
    case VAULT_V3_EVENTS.swapFeeCollected:
    case VAULT_V3_EVENTS.yieldFeeCollected:
      return words.length === 1 && first !== null
        ? [{ token: first, change: -signed(words[0]) }]
        : [UNREADABLE];
    default:
      return [];
  }
}

/**
 * Returns the changes of all tokens. The events list the amounts in the order in which the tokens are
 * registered, without the tokens' addresses.
 */
function liquidityChanges(words: readonly string[], sign: bigint): VaultChange[] {
  const count = (words.length - LIQUIDITY_WORDS) / 2;
  const isList = Number.isInteger(count) && count >= MIN_TOKENS && count <= MAX_TOKENS;
  if (!isList || signed(words[LENGTH_WORD]) !== BigInt(count)) return [UNREADABLE];
  return Array.from({ length: count }, (_, i) => ({
    token: placeOf(count, i),
    change: sign * signed(words[LENGTH_WORD + 1 + i]),
  }));
}
