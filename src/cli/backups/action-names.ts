/** Actions of `quarry backup`. Without an action, the command makes a backup. */
export const ACTION_NAMES = ["list", "verify"] as const;

export type ActionName = (typeof ACTION_NAMES)[number];
