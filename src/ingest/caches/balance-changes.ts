import type { DecodedTransaction } from "../../decode/blocks/decode-block.ts";
import { type Hex, ZERO_ADDRESS } from "../../lib/hex.ts";
import { type Holding, holdingOf } from "../../storage/stored-balances.ts";

/**
 * Returns the net change of each holding in a block, from its transfers and wrappings, in order of first
 * appearance.
 */
export function balanceChanges(
  transactions: readonly Pick<DecodedTransaction, "events" | "wrappings">[],
  wrappedNative: Hex,
): Map<Holding, bigint> {
  const changes = new Map<Holding, bigint>();
  const add = (wallet: Hex, token: Hex, amount: bigint) => {
    // Mints come from this address and burns go to it. It holds nothing.
    if (wallet === ZERO_ADDRESS) return;
    const holding = holdingOf(wallet, token);
    changes.set(holding, (changes.get(holding) ?? 0n) + amount);
  };
  for (const { events, wrappings } of transactions) {
    for (const event of events) {
      if (event.kind !== "erc20") continue;
      add(event.from, event.token, -event.value);
      add(event.to, event.token, event.value);
    }
    for (const { wallet, amount } of wrappings) add(wallet, wrappedNative, amount);
  }
  return changes;
}
