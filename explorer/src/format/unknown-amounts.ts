/** Why a trade has no amounts, by `amounts_unknown_reason`. */
const REASONS: Readonly<Record<string, string>> = {
  hook_may_change_amounts:
    "Unknown: the pool's hook may change what the swapper pays and receives, and the transaction's transfers do not show it.",
  event_is_inexact:
    "Unknown: the pool's event leaves out or rounds the amounts, and the transaction's transfers do not show them.",
};

/** A sentence; null if the amounts are known. */
export function unknownAmountsText(reason: string | null): string | null {
  return reason === null ? null : (REASONS[reason] ?? `Unknown: ${reason.replaceAll("_", " ")}.`);
}
